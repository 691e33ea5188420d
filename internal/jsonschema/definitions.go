package jsonschema

import (
	"errors"
	"fmt"

	lib "github.com/santhosh-tekuri/jsonschema/v6"
)

// CompileDefinitions compiles each schema under $defs of a document, by its name.
// They may refer to each other.
//
// It is for documents of our own. Definitions that refer to others many times
// over can say in a few lines what takes ages to check.
//
// It is an error if a definition says more than type, enum and const of scalars,
// properties and required, additionalProperties, items, allOf, anyOf,
// $ref, pattern and the bounds of lengths, sizes and numbers; or if one contains
// itself other than as a member or an element.
func CompileDefinitions(raw []byte) (map[string]*Schema, error) {
	doc, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("compile definitions: %w", err)
	}
	c := newCompiler()
	if err := c.AddResource(location, doc); err != nil {
		return nil, fmt.Errorf("compile definitions: %w", err)
	}
	root, _ := doc.(map[string]any)
	definitions, _ := root["$defs"].(map[string]any)
	b := shapeBuilder{ok: true, known: map[*lib.Schema]*shape{}}
	all := make(map[string]*Schema, len(definitions))
	for _, name := range sortedNames(definitions) {
		compiled, err := c.Compile(location + "#" + pointer([]string{"$defs", name}))
		if err != nil {
			return nil, fmt.Errorf("compile definition %q: %w", name, explain(err, doc))
		}
		all[name] = &Schema{compiled: compiled, shape: b.shape(compiled)}
		if !b.ok {
			return nil, fmt.Errorf("compile definition %q: says more than a definition may", name)
		}
	}
	visited := map[*shape]bool{}
	for _, name := range sortedNames(definitions) {
		if containsItself(all[name].shape, visited) {
			return nil, fmt.Errorf("compile definition %q: contains itself", name)
		}
	}
	return all, nil
}

// CompileOwn compiles a schema of our own, whose definitions may refer to each
// other under the rules of [CompileDefinitions]. What it checks may hold any
// number of values.
func CompileOwn(raw []byte) (*Schema, error) {
	s, err := Compile(raw)
	if err != nil {
		return nil, err
	}
	b := shapeBuilder{ok: true, known: map[*lib.Schema]*shape{}}
	if s.shape = b.shape(s.compiled); !b.ok {
		return nil, errors.New("compile schema: says more than a schema of our own may")
	}
	visited := map[*shape]bool{}
	for _, part := range b.known {
		if containsItself(part, visited) {
			return nil, errors.New("compile schema: contains itself")
		}
	}
	return s, nil
}

// containsItself reports whether checking a value against f leads back to f with
// the same value. Visited has the shapes that are on the way, as true, and those
// that are done, as false.
func containsItself(f *shape, visited map[*shape]bool) bool {
	if onTheWay, ok := visited[f]; ok {
		return onTheWay
	}
	visited[f] = true
	for _, parts := range [][]*shape{f.allOf, f.anyOf} {
		for _, part := range parts {
			if containsItself(part, visited) {
				return true
			}
		}
	}
	visited[f] = false
	return false
}

// Explain is [Schema.Validate] with a limit of the caller's. Where a value fits
// none of the alternatives of an anyOf, it says what is wrong in the light of the
// one that the value was meant to be, going by its type, its constants and the
// members it has. A schema that is more than a definition may be is not explained
// but validated.
func (s *Schema) Explain(v any, limit int) []Violation {
	if s.shape == nil {
		return s.Validate(v)
	}
	if _, inRange := survey(v); !inRange {
		return hugeNumbers(v)
	}
	if s.shape.fits(v) {
		return nil
	}
	w := walker{limit: limit, guess: true}
	w.value(s.shape, v)
	return inOrder(w.list)
}
