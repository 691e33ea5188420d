// Package jsonschema compiles a JSON Schema and says what in a value breaks it.
//
// The dialect is 2020-12 unless the schema names another. Nothing is ever
// loaded from the network or the disk. Patterns run on Go's regexp, in time
// linear in the text they are tried on.
package jsonschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	lib "github.com/santhosh-tekuri/jsonschema/v6"

	"mcpworks/internal/rawjson"
)

// Bounds of a schema. A tool's input schema is a few kilobytes; the compiler's
// work grows with the square of the number of subschemas.
const (
	maxBytes   = 256 << 10
	maxDepth   = 64
	maxObjects = 5000
)

// maxValues is how many scalars, arrays and objects a value may hold that the
// library has to look at. It takes up to a kilobyte for each that is wrong, and
// cannot be told to stop. A shape needs no such bound.
const maxValues = 50_000

// location is where a schema without $id pretends to come from.
const location = "schema:///"

// Schema is a compiled JSON Schema. It is safe for concurrent use.
type Schema struct {
	compiled *lib.Schema
	shape    *shape // nil if the schema is more than a shape can say
}

// Compile compiles a JSON text that is an object, true or false.
//
// It is an error, which names the culprit, if $schema is not a known dialect, if
// a $ref leads out of the document, or if a pattern is not one of Go's.
func Compile(raw []byte) (*Schema, error) {
	doc, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	c := newCompiler()
	if err := c.AddResource(location, doc); err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	compiled, err := c.Compile(location)
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", explain(err, doc))
	}
	locateNames(compiled, map[*lib.Schema]bool{})
	return &Schema{compiled: compiled, shape: shapeOf(compiled)}, nil
}

func newCompiler() *lib.Compiler {
	c := lib.NewCompiler()
	c.DefaultDraft(lib.Draft2020)
	c.UseLoader(noLoader{})
	return c
}

// Validate checks v, which is as [rawjson.Decode] gives it. The result is nil if
// v is valid, and otherwise at most 20 violations in order of path and keyword.
// If there are more, it has those that are met first where members are visited
// by name and elements by index, so it is the same every time.
//
// Whatever the schema says, a number is refused that is out of range: written
// with more than 400 bytes, or an exponent beyond 400 either way. The rare
// schema that says more than most is not tried on more than 50,000 values.
func (s *Schema) Validate(v any) []Violation {
	values, inRange := survey(v)
	switch {
	case !inRange:
		return hugeNumbers(v)
	case s.shape != nil:
		if s.shape.fits(v) {
			return nil
		}
		return s.shape.violations(v)
	case values > maxValues:
		return []Violation{{Message: fmt.Sprintf("has more than %d values, too many for its schema", maxValues)}}
	}
	err := s.compiled.Validate(v)
	if err == nil {
		return nil
	}
	var failure *lib.ValidationError
	if !errors.As(err, &failure) {
		return []Violation{{Message: "cannot be validated"}}
	}
	return violations(failure)
}

// decode decodes a schema that is within the bounds.
func decode(raw []byte) (any, error) {
	if len(raw) > maxBytes {
		return nil, fmt.Errorf("longer than %d bytes", maxBytes)
	}
	if err := rawjson.Check(raw, rawjson.Limits{Depth: maxDepth}); err != nil {
		return nil, err
	}
	doc, err := rawjson.Decode(raw)
	if err != nil {
		return nil, err
	}
	switch doc.(type) {
	case bool, map[string]any:
	default:
		return nil, errors.New("neither an object nor a boolean")
	}
	if countObjects(doc) > maxObjects {
		return nil, fmt.Errorf("more than %d objects", maxObjects)
	}
	if _, inRange := survey(doc); !inRange {
		return nil, sentence(hugeNumbers(doc))
	}
	clampCounts(doc)
	return doc, nil
}

// clampCounts lowers counts beyond int, such as the largest unsigned integer of
// other languages, to the largest int. The library would let them wrap around.
func clampCounts(v any) {
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			clampCounts(element)
		}
	case map[string]any:
		for _, name := range []string{"minLength", "maxLength", "minItems", "maxItems",
			"minProperties", "maxProperties", "minContains", "maxContains"} {
			if n, ok := v[name].(json.Number); ok {
				if f, _ := n.Float64(); f >= math.MaxInt {
					v[name] = json.Number(strconv.Itoa(math.MaxInt))
				}
			}
		}
		for _, member := range v {
			clampCounts(member)
		}
	}
}

func countObjects(v any) int {
	n := 0
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			n += countObjects(element)
		}
	case map[string]any:
		n = 1
		for _, member := range v {
			n += countObjects(member)
		}
	}
	return n
}

// noLoader refuses to load anything.
type noLoader struct{}

var errOutside = errors.New("not in the document")

func (noLoader) Load(string) (any, error) { return nil, errOutside }

// explain puts the library's errors into words that do not show the location
// made up for the document.
func explain(err error, doc any) error {
	var (
		outside *lib.LoadURLError
		invalid *lib.SchemaValidationError
		pattern *lib.InvalidRegexError
	)
	switch {
	case errors.As(err, &outside):
		url := strings.TrimPrefix(outside.URL, location)
		if root, ok := doc.(map[string]any); ok {
			if dialect, ok := root["$schema"].(string); ok && strings.TrimSuffix(dialect, "#") == outside.URL {
				return fmt.Errorf("unknown $schema %q", dialect)
			}
		}
		return fmt.Errorf("reference to %q, which is %w", url, errOutside)
	case errors.As(err, &invalid):
		var failure *lib.ValidationError
		if errors.As(invalid.Err, &failure) {
			return sentence(violations(failure))
		}
	case errors.As(err, &pattern):
		return fmt.Errorf("pattern %q is not a Go regular expression: %w", cut(pattern.Regex, maxPattern), pattern.Err)
	}
	return errors.New(strings.ReplaceAll(err.Error(), location, ""))
}

// sentence makes an error of the first few violations.
func sentence(list []Violation) error {
	const few = 3
	var parts []string
	for _, v := range list[:min(few, len(list))] {
		parts = append(parts, strings.TrimSpace(v.Path+" "+v.Message))
	}
	return errors.New(strings.Join(parts, "; "))
}
