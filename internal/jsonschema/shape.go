package jsonschema

import (
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	lib "github.com/santhosh-tekuri/jsonschema/v6"
)

// shape is what most schemas come down to, in a form that accepts a valid value
// without allocating. The library allocates some ten times for the smallest
// object, and copies every string.
//
// A shape only ever says yes. What it does not accept may still be valid, and is
// left to the library, as is finding words for what is wrong.
type shape struct {
	types      []string // empty means any
	constants  []any    // from enum or const, all strings; nil means any
	required   []string
	properties map[string]*shape
	additional *shape // of members not in properties; nil means any
	items      *shape // nil means any
	allOf      []*shape
	anyOf      []*shape

	minLength, maxLength, minItems, maxItems *int
	minimum, maximum                         *int64
	pattern                                  lib.Regexp
}

// nothing is the shape of the schema false.
var nothing = &shape{types: []string{"nothing"}}

// shapeFields are the fields of the library's schema that a shape covers or that
// do not matter to validity. A schema that sets any other has no shape.
var shapeFields = map[string]bool{
	"DraftVersion": true, "Location": true, "ID": true, "Anchor": true, "DynamicAnchor": true,
	"Title": true, "Description": true, "Default": true, "Comment": true, "ReadOnly": true, "WriteOnly": true,
	"Examples": true, "Deprecated": true,

	"Bool": true, "Types": true, "Enum": true, "Const": true, "AllOf": true, "AnyOf": true, "Required": true,
	"Properties": true, "AdditionalProperties": true, "Items2020": true, "MinLength": true, "MaxLength": true,
	"MinItems": true, "MaxItems": true, "Minimum": true, "Maximum": true, "Pattern": true,
}

// shapeOf returns the shape of s, or nil if it has none.
func shapeOf(s *lib.Schema) *shape {
	if s.Bool != nil {
		if *s.Bool {
			return &shape{}
		}
		return nothing
	}
	fields := reflect.ValueOf(s).Elem()
	for i := range fields.NumField() {
		field := fields.Type().Field(i)
		if field.IsExported() && !shapeFields[field.Name] && !fields.Field(i).IsZero() {
			return nil
		}
	}
	b := shapeBuilder{ok: true}
	f := &shape{
		required:  s.Required,
		constants: b.constants(s),
		allOf:     b.shapes(s.AllOf),
		anyOf:     b.shapes(s.AnyOf),
		minLength: s.MinLength, maxLength: s.MaxLength,
		minItems: s.MinItems, maxItems: s.MaxItems,
		minimum: b.bound(s.Minimum), maximum: b.bound(s.Maximum),
		pattern: s.Pattern,
	}
	if s.Types != nil {
		f.types = s.Types.ToStrings()
	}
	if s.Items2020 != nil {
		f.items = b.shape(s.Items2020)
	}
	switch additional := s.AdditionalProperties.(type) {
	case *lib.Schema:
		f.additional = b.shape(additional)
	case bool:
		if !additional {
			f.additional = nothing
		}
	}
	if len(s.Properties) > 0 {
		f.properties = make(map[string]*shape, len(s.Properties))
		for name, property := range s.Properties {
			f.properties[name] = b.shape(property)
		}
	}
	if !b.ok {
		return nil
	}
	return f
}

// shapeBuilder builds the parts of a shape. It stops being ok at the first part
// that a shape cannot say.
type shapeBuilder struct {
	ok bool
}

func (b *shapeBuilder) shape(s *lib.Schema) *shape {
	f := shapeOf(s)
	b.ok = b.ok && f != nil
	return f
}

func (b *shapeBuilder) shapes(list []*lib.Schema) []*shape {
	var all []*shape
	for _, s := range list {
		all = append(all, b.shape(s))
	}
	return all
}

func (b *shapeBuilder) constants(s *lib.Schema) []any {
	var values []any
	switch {
	case s.Enum != nil && s.Const != nil:
		b.ok = false
	case s.Enum != nil:
		values = s.Enum.Values
	case s.Const != nil:
		values = []any{*s.Const}
	}
	for _, v := range values {
		if _, ok := v.(string); !ok {
			b.ok = false
		}
	}
	return values
}

func (b *shapeBuilder) bound(r *big.Rat) *int64 {
	if r == nil {
		return nil
	}
	if !r.IsInt() || !r.Num().IsInt64() {
		b.ok = false
		return nil
	}
	n := r.Num().Int64()
	return &n
}

// fits reports whether v is certainly valid.
func (f *shape) fits(v any) bool {
	switch v := v.(type) {
	case nil:
		if !f.allows("null") {
			return false
		}
	case bool:
		if !f.allows("boolean") {
			return false
		}
	case string:
		if !f.allows("string") || !f.fitsString(v) {
			return false
		}
	case json.Number:
		if !f.fitsNumber(v) {
			return false
		}
	case []any:
		if !f.allows("array") || !f.fitsArray(v) {
			return false
		}
	case map[string]any:
		if !f.allows("object") || !f.fitsObject(v) {
			return false
		}
	default:
		return false
	}
	if _, isString := v.(string); f.constants != nil && !isString {
		return false
	}
	for _, part := range f.allOf {
		if !part.fits(v) {
			return false
		}
	}
	return len(f.anyOf) == 0 || slices.ContainsFunc(f.anyOf, func(part *shape) bool { return part.fits(v) })
}

func (f *shape) allows(kind string) bool {
	return len(f.types) == 0 || slices.Contains(f.types, kind)
}

func (f *shape) fitsString(s string) bool {
	if f.minLength != nil || f.maxLength != nil {
		n := utf8.RuneCountInString(s)
		if f.minLength != nil && n < *f.minLength || f.maxLength != nil && n > *f.maxLength {
			return false
		}
	}
	if f.pattern != nil && !f.pattern.MatchString(s) {
		return false
	}
	if f.constants == nil {
		return true
	}
	for _, constant := range f.constants {
		if constant.(string) == s {
			return true
		}
	}
	return false
}

// fitsNumber leaves fractions that have to be an integer or within bounds, and
// integers beyond int64, to the library.
func (f *shape) fitsNumber(number json.Number) bool {
	if f.allows("number") && f.minimum == nil && f.maximum == nil {
		return true
	}
	n, err := strconv.ParseInt(string(number), 10, 64)
	return err == nil && (f.allows("number") || f.allows("integer")) &&
		(f.minimum == nil || n >= *f.minimum) && (f.maximum == nil || n <= *f.maximum)
}

func (f *shape) fitsArray(list []any) bool {
	if f.minItems != nil && len(list) < *f.minItems || f.maxItems != nil && len(list) > *f.maxItems {
		return false
	}
	if f.items != nil {
		for _, v := range list {
			if !f.items.fits(v) {
				return false
			}
		}
	}
	return true
}

func (f *shape) fitsObject(object map[string]any) bool {
	for _, name := range f.required {
		if _, ok := object[name]; !ok {
			return false
		}
	}
	for name, v := range object {
		part, ok := f.properties[name]
		if !ok {
			part = f.additional
		}
		if part != nil && !part.fits(v) {
			return false
		}
	}
	return true
}
