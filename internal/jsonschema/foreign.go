package jsonschema

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"sync"
	"time"

	lib "github.com/santhosh-tekuri/jsonschema/v6"
)

// A Foreign schema is one that somebody else has written and that is judged
// rather than used: where Compile gives up, it goes on as far as it can. A
// pattern that Go cannot run fits everything.
//
// It is not safe for concurrent use.
type Foreign struct {
	doc      any
	dialect  string
	extent   Extent
	compiler *lib.Compiler
	parts    map[string]*Schema
	spent    time.Duration
}

// The dialects, as $schema names them, without a # at the end.
const (
	Draft2020 = "https://json-schema.org/draft/2020-12/schema"
	Draft2019 = "https://json-schema.org/draft/2019-09/schema"
	Draft7    = "http://json-schema.org/draft-07/schema"
	Draft6    = "http://json-schema.org/draft-06/schema"
	Draft4    = "http://json-schema.org/draft-04/schema"
)

var drafts = map[string]*lib.Draft{
	Draft2020: lib.Draft2020, Draft2019: lib.Draft2019, Draft7: lib.Draft7, Draft6: lib.Draft6, Draft4: lib.Draft4,
}

// DialectOf finds the dialect that a $schema names. It is lenient: http and
// https are the same, and an empty fragment is none.
func DialectOf(name string) (dialect string, ok bool) {
	name = strings.TrimSuffix(name, "#")
	rest, ok := strings.CutPrefix(name, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(name, "http://")
	}
	for _, scheme := range []string{"https://", "http://"} {
		if _, known := drafts[scheme+rest]; ok && known {
			return scheme + rest, true
		}
	}
	return "", false
}

// ErrTooCostly is the error of a schema that could take ages to check a value
// against, or has taken too long already.
var ErrTooCostly = errors.New("too costly to check")

// Bounds of what is done with a foreign schema. The library cannot be stopped,
// so its effort is estimated before.
const (
	maxSchemas  = 10_000    // references followed
	maxEffort   = 2_000_000 // schemas tried on values
	maxDuration = time.Second
)

// ReadForeign reads a schema, to be understood in one of the dialects above.
func ReadForeign(raw []byte, dialect string) (*Foreign, error) {
	doc, err := decode(raw)
	if err != nil {
		return nil, err
	}
	if root, ok := doc.(map[string]any); ok {
		delete(root, "$schema") // which may be written in a way that the library does not know
	}
	return &Foreign{doc: doc, dialect: dialect, extent: Measure(raw), parts: map[string]*Schema{}}, nil
}

// Faults says where the schema is none, by the rules of its dialect.
func (f *Foreign) Faults() []Violation {
	var failure *lib.ValidationError
	if err := metaschemas[f.dialect]().Validate(f.doc); errors.As(err, &failure) {
		return violations(failure)
	}
	return nil
}

var metaschemas = func() map[string]func() *lib.Schema {
	all := map[string]func() *lib.Schema{}
	for dialect := range drafts {
		all[dialect] = sync.OnceValue(func() *lib.Schema { return lenientCompiler().MustCompile(dialect) })
	}
	return all
}()

func lenientCompiler() *lib.Compiler {
	c := lib.NewCompiler()
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(func(pattern string) (lib.Regexp, error) {
		if re, err := regexp.Compile(pattern); err == nil {
			return re, nil
		}
		return anything(pattern), nil
	})
	return c
}

// anything is a pattern that fits everything.
type anything string

func (a anything) MatchString(string) bool { return true }
func (a anything) String() string          { return string(a) }

// Validate checks a value, which is as [rawjson.Decode] gives it, against the
// part of the schema to which the pointer leads. The error is ErrTooCostly, or
// says why the schema cannot be used.
func (f *Foreign) Validate(pointer string, v any) ([]Violation, error) {
	if f.extent.Schemas > maxSchemas || f.extent.Deep || f.effort(v) > maxEffort || f.spent > maxDuration {
		return nil, ErrTooCostly
	}
	began := time.Now()
	defer func() { f.spent += time.Since(began) }()
	part, err := f.part(pointer)
	if err != nil {
		return nil, err
	}
	return part.Validate(v), nil
}

// effort is how many times a schema may be tried on a value. In a recursive
// schema each level of the value can be tried by all of it anew.
func (f *Foreign) effort(v any) float64 {
	values, _ := survey(v)
	if f.extent.Recursive {
		return float64(values) * math.Pow(float64(f.extent.Schemas), float64(depth(v)+1))
	}
	return float64(values) * float64(f.extent.Schemas)
}

func depth(v any) int {
	deepest := 0
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			deepest = max(deepest, depth(element)+1)
		}
	case map[string]any:
		for _, member := range v {
			deepest = max(deepest, depth(member)+1)
		}
	}
	return deepest
}

func (f *Foreign) part(pointer string) (*Schema, error) {
	if part, ok := f.parts[pointer]; ok {
		return part, nil
	}
	if f.compiler == nil {
		f.compiler = lenientCompiler()
		f.compiler.DefaultDraft(drafts[f.dialect])
		if err := f.compiler.AddResource(location, f.doc); err != nil {
			return nil, fmt.Errorf("compile schema: %w", err)
		}
	}
	fragment := strings.NewReplacer("%", "%25", "#", "%23", " ", "%20", `"`, "%22").Replace(pointer)
	compiled, err := f.compiler.Compile(location + "#" + fragment)
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", explain(err, f.doc))
	}
	locateNames(compiled, map[*lib.Schema]bool{})
	part := &Schema{compiled: compiled, shape: shapeOf(compiled)}
	f.parts[pointer] = part
	return part, nil
}
