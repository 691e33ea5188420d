package jsonschema

import (
	"errors"

	lib "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// names checks propertyNames in place of the library. The path that the library
// gives to such a failure shares memory with its walk over the value, and is
// overwritten as the walk goes on.
type names struct {
	schema *lib.Schema
}

func (n names) Validate(ctx *lib.ValidatorContext, v any) {
	object, ok := v.(map[string]any)
	if !ok {
		return
	}
	for name := range object {
		var failure *lib.ValidationError
		if errors.As(n.schema.Validate(name), &failure) {
			ctx.AddError(&nameKind{kind.PropertyNames{Property: name}, failure})
		}
	}
}

// nameKind is the failure of one name.
type nameKind struct {
	kind.PropertyNames
	failure *lib.ValidationError
}

// locateNames puts names to work in s and all schemas it leads to.
func locateNames(s *lib.Schema, seen map[*lib.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	for _, child := range children(s) {
		locateNames(child, seen)
	}
	if s.PropertyNames != nil {
		s.Extensions = append(s.Extensions, names{s.PropertyNames})
		s.PropertyNames = nil
	}
}

// children lists the schemas that s applies. Some may be nil.
func children(s *lib.Schema) []*lib.Schema {
	list := []*lib.Schema{
		s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties,
		s.Contains, s.Items2020, s.UnevaluatedItems, s.ContentSchema,
	}
	if s.DynamicRef != nil {
		list = append(list, s.DynamicRef.Ref)
	}
	for _, several := range [][]*lib.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		list = append(list, several...)
	}
	for _, named := range []map[string]*lib.Schema{s.Properties, s.DependentSchemas} {
		for _, child := range named {
			list = append(list, child)
		}
	}
	for _, child := range s.PatternProperties {
		list = append(list, child)
	}
	for _, dependency := range s.Dependencies {
		list = append(list, either(dependency)...)
	}
	for _, v := range []any{s.AdditionalProperties, s.Items, s.AdditionalItems} {
		list = append(list, either(v)...)
	}
	return list
}

// either lists the schemas in a field that may hold other things too.
func either(v any) []*lib.Schema {
	switch v := v.(type) {
	case *lib.Schema:
		return []*lib.Schema{v}
	case []*lib.Schema:
		return v
	}
	return nil
}
