package jsonschema

import (
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	lib "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// shape is what most schemas come down to, in a form that accepts a valid value
// without allocating, and that stops at the twentieth thing wrong with another.
// The library allocates some ten times for the smallest object, copies every
// string, and lists all failures before it returns.
//
// A shape decides as the library does, and has the same words for it. It does
// not look for numbers out of range.
type shape struct {
	never      string        // the keyword that holds the schema false, which this is; or empty
	types      []string      // empty means any
	constants  []any         // from enum or const, all scalars
	constant   lib.ErrorKind // of a value that is none of constants; nil means any
	required   []string
	properties map[string]*shape
	additional *shape // of members not in properties; nil means any
	items      *shape // nil means any
	allOf      []*shape
	anyOf      []*shape

	minLength, maxLength, minItems, maxItems *int
	minimum, maximum                         *bound
	pattern                                  lib.Regexp
}

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
	b := shapeBuilder{ok: true}
	f := b.shape(s)
	if !b.ok {
		return nil
	}
	return f
}

// shapeBuilder builds a shape and its parts. It stops being ok at the first part
// that a shape cannot say.
type shapeBuilder struct {
	ok bool
	// known are the shapes so far of schemas that may be referred to. It is nil
	// if a reference is more than a shape can say.
	known map[*lib.Schema]*shape
}

func (b *shapeBuilder) shape(s *lib.Schema) *shape {
	if s.Bool != nil {
		if *s.Bool {
			return &shape{}
		}
		return &shape{never: falseKeyword(s.Location)}
	}
	if f := b.known[s]; f != nil {
		return f
	}
	f := &shape{}
	if b.ok = b.ok && b.covers(s); !b.ok {
		return f
	}
	if b.known != nil {
		b.known[s] = f
	}
	b.fill(f, s)
	return f
}

// covers reports whether s sets only fields that a shape has a word for.
func (b *shapeBuilder) covers(s *lib.Schema) bool {
	fields := reflect.ValueOf(s).Elem()
	for i := range fields.NumField() {
		field := fields.Type().Field(i)
		if field.Name == "Ref" && b.known != nil {
			continue
		}
		if field.IsExported() && !shapeFields[field.Name] && !fields.Field(i).IsZero() {
			return false
		}
	}
	return true
}

func (b *shapeBuilder) fill(f *shape, s *lib.Schema) {
	*f = shape{
		required:  s.Required,
		allOf:     b.shapes(s.AllOf),
		anyOf:     b.shapes(s.AnyOf),
		minLength: s.MinLength, maxLength: s.MaxLength,
		minItems: s.MinItems, maxItems: s.MaxItems,
		minimum: b.bound(s.Minimum), maximum: b.bound(s.Maximum),
		pattern: s.Pattern,
	}
	if s.Ref != nil {
		f.allOf = append(f.allOf, b.shape(s.Ref))
	}
	f.constants, f.constant = b.constants(s)
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
			f.additional = &shape{never: "additionalProperties"}
		}
	}
	if len(s.Properties) > 0 {
		f.properties = make(map[string]*shape, len(s.Properties))
		for name, property := range s.Properties {
			f.properties[name] = b.shape(property)
		}
	}
}

func (b *shapeBuilder) shapes(list []*lib.Schema) []*shape {
	var all []*shape
	for _, s := range list {
		all = append(all, b.shape(s))
	}
	return all
}

func (b *shapeBuilder) constants(s *lib.Schema) (values []any, failure lib.ErrorKind) {
	switch {
	case s.Enum != nil && s.Const != nil:
		b.ok = false
	case s.Enum != nil:
		values, failure = s.Enum.Values, &kind.Enum{Want: s.Enum.Values}
	case s.Const != nil:
		values, failure = []any{*s.Const}, &kind.Const{Want: *s.Const}
	}
	for _, v := range values {
		switch v.(type) {
		case nil, bool, string, json.Number:
		default:
			b.ok = false
		}
	}
	return values, failure
}

func (b *shapeBuilder) bound(r *big.Rat) *bound {
	limit, ok := newBound(r)
	b.ok = b.ok && ok
	return limit
}

// fits reports whether v is valid.
func (f *shape) fits(v any) bool {
	if f.never != "" || !f.allows(v) || !f.fitsConstant(v) {
		return false
	}
	ok := true
	switch v := v.(type) {
	case string:
		ok = f.fitsString(v)
	case json.Number:
		ok = f.fitsNumber(v)
	case []any:
		ok = f.fitsArray(v)
	case map[string]any:
		ok = f.fitsObject(v)
	}
	if !ok {
		return false
	}
	for _, part := range f.allOf {
		if !part.fits(v) {
			return false
		}
	}
	return f.fitsAny(v)
}

func (f *shape) fitsAny(v any) bool {
	for _, part := range f.anyOf {
		if part.fits(v) {
			return true
		}
	}
	return len(f.anyOf) == 0
}

// typeName names the type of v, or is empty for what is not from JSON.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return ""
}

func (f *shape) allows(v any) bool {
	name := typeName(v)
	if len(f.types) == 0 {
		return name != ""
	}
	if slices.Contains(f.types, name) {
		return true
	}
	number, ok := v.(json.Number)
	return ok && slices.Contains(f.types, "integer") && isInteger(string(number))
}

func isInteger(number string) bool {
	if !strings.ContainsAny(number, ".eE") {
		return true
	}
	var buf [maxNumberBytes]byte
	return parseDecimal(number, buf[:]).isInteger()
}

func (f *shape) fitsConstant(v any) bool {
	if f.constant == nil {
		return true
	}
	for _, constant := range f.constants {
		if equalScalars(constant, v) {
			return true
		}
	}
	return false
}

// equalScalars compares numbers by their value. B may be no scalar.
func equalScalars(a, b any) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case bool:
		truth, ok := b.(bool)
		return ok && a == truth
	case string:
		s, ok := b.(string)
		return ok && a == s
	case json.Number:
		n, ok := b.(json.Number)
		if !ok {
			return false
		}
		var bufA, bufB [maxNumberBytes]byte
		return a == n || parseDecimal(string(a), bufA[:]).compare(parseDecimal(string(n), bufB[:])) == 0
	}
	return false
}

func (f *shape) fitsString(s string) bool {
	_, ok := f.fitsLength(s)
	return ok && (f.pattern == nil || f.pattern.MatchString(s))
}

// fitsLength counts the characters of s, if their number matters.
func (f *shape) fitsLength(s string) (n int, ok bool) {
	if f.minLength == nil && f.maxLength == nil {
		return 0, true
	}
	n = utf8.RuneCountInString(s)
	return n, (f.minLength == nil || n >= *f.minLength) && (f.maxLength == nil || n <= *f.maxLength)
}

func (f *shape) fitsNumber(number json.Number) bool {
	if f.minimum == nil && f.maximum == nil {
		return true
	}
	var buf [maxNumberBytes]byte
	d := parseDecimal(string(number), buf[:])
	return (f.minimum == nil || d.compare(f.minimum.decimal) >= 0) && (f.maximum == nil || d.compare(f.maximum.decimal) <= 0)
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
	if f.properties == nil && f.additional == nil {
		return true
	}
	for name, v := range object {
		if part := f.member(name); part != nil && !part.fits(v) {
			return false
		}
	}
	return true
}

// member returns the shape of the member with that name; nil means any.
func (f *shape) member(name string) *shape {
	if part, ok := f.properties[name]; ok {
		return part
	}
	return f.additional
}
