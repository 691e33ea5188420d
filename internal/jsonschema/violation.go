package jsonschema

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	lib "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"mcpworks/internal/rawjson"
)

const (
	maxViolations = 20
	maxListed     = 20 // values of an enum, in a message

	// In runes:
	maxQuoted  = 40  // one value, in a message
	maxPattern = 200 // a pattern, in a message
	maxReasons = 400 // why no alternative fits
	maxToken   = 200 // a member's name, in a path
)

// Violation is one way in which a value breaks its schema.
type Violation struct {
	// Path is a JSON pointer into the value, very long names cut. The root is
	// "". A member that is missing, or not allowed, is named by its own path.
	Path string
	// Keyword is the keyword of the schema that is broken.
	Keyword string
	// Message reads on after the path: "must be integer, got string".
	Message string
}

// tidy sorts list, drops what it says twice, and shortens it.
func tidy(list []Violation) []Violation {
	slices.SortFunc(list, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Keyword, b.Keyword), cmp.Compare(a.Message, b.Message))
	})
	list = slices.Compact(list)
	return list[:min(maxViolations, len(list))]
}

// leaves appends the concrete failures under e.
func leaves(list []Violation, e *lib.ValidationError) []Violation {
	switch k := e.ErrorKind.(type) {
	case *kind.AllOf:
		return leavesOf(list, e.Causes)
	case *kind.Schema, *kind.Group, *kind.Reference:
		return leavesOf(list, withoutEchoes(e.Causes))
	case *kind.Required:
		return appendEach(list, e, k.Missing, "required", "is required")
	case *kind.DependentRequired:
		return appendEach(list, e, k.Missing, "dependentRequired", "is required beside "+quote(k.Prop))
	case *kind.Dependency:
		return appendEach(list, e, k.Missing, "dependencies", "is required beside "+quote(k.Prop))
	case *kind.AdditionalProperties:
		return appendEach(list, e, k.Properties, "additionalProperties", "is not allowed")
	case *nameKind:
		return appendEach(list, e, []string{k.Property}, "propertyNames", "has a name that "+first(k.failure.Causes))
	case *kind.PropertyNames: // of a metaschema, where the path cannot be trusted
		return append(list, Violation{"", "propertyNames", "name " + quote(k.Property) + " " + first(e.Causes)})
	}
	keyword, message := describe(e)
	return append(list, Violation{pointer(e.InstanceLocation), keyword, message})
}

func leavesOf(list []Violation, errs []*lib.ValidationError) []Violation {
	for _, e := range errs {
		list = leaves(list, e)
	}
	return list
}

// first returns the first message of errs, for a value that has no path.
func first(errs []*lib.ValidationError) string {
	if list := tidy(leavesOf(nil, errs)); len(list) > 0 {
		return list[0].Message
	}
	return "is not allowed"
}

// withoutEchoes drops complaints of unevaluatedProperties and unevaluatedItems
// if there are others. A subschema that failed has evaluated nothing, so what it
// describes would be called not allowed.
func withoutEchoes(errs []*lib.ValidationError) []*lib.ValidationError {
	isEcho := func(e *lib.ValidationError) bool {
		_, isFalse := e.ErrorKind.(*kind.FalseSchema)
		return isFalse && strings.HasPrefix(falseKeyword(e.SchemaURL), "unevaluated")
	}
	others := slices.DeleteFunc(slices.Clone(errs), isEcho)
	if len(others) == 0 {
		return errs
	}
	return others
}

// appendEach appends a violation for each of the named members.
func appendEach(list []Violation, e *lib.ValidationError, names []string, keyword, message string) []Violation {
	parent := pointer(e.InstanceLocation)
	for _, name := range names {
		list = append(list, Violation{parent + pointer([]string{name}), keyword, message})
	}
	return list
}

// describe gives keyword and message of a failure that concerns one value.
func describe(e *lib.ValidationError) (keyword, message string) {
	if path := e.ErrorKind.KeywordPath(); len(path) > 0 {
		keyword = path[0]
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		message = fmt.Sprintf("must be %s, got %s", strings.Join(k.Want, " or "), k.Got)
	case *kind.Enum:
		message = "must be " + oneOf(k.Want)
	case *kind.Const:
		message = "must be " + quote(k.Want)
	case *kind.Minimum:
		message = "must be >= " + number(k.Want)
	case *kind.Maximum:
		message = "must be <= " + number(k.Want)
	case *kind.ExclusiveMinimum:
		message = "must be > " + number(k.Want)
	case *kind.ExclusiveMaximum:
		message = "must be < " + number(k.Want)
	case *kind.MultipleOf:
		message = "must be a multiple of " + number(k.Want)
	case *kind.MinLength:
		message = atLeast(k.Want, k.Got, "characters")
	case *kind.MaxLength:
		message = atMost(k.Want, k.Got, "characters")
	case *kind.MinItems:
		message = atLeast(k.Want, k.Got, "items")
	case *kind.MaxItems:
		message = atMost(k.Want, k.Got, "items")
	case *kind.MinProperties:
		message = atLeast(k.Want, k.Got, "members")
	case *kind.MaxProperties:
		message = atMost(k.Want, k.Got, "members")
	case *kind.AdditionalItems:
		message = fmt.Sprintf("must not have the last %d items", k.Count)
	case *kind.UniqueItems:
		message = fmt.Sprintf("must not have equal items, as %d and %d are", k.Duplicates[0], k.Duplicates[1])
	case *kind.Contains:
		message = "must contain an item of the form asked for"
	case *kind.MinContains:
		message = atLeast(k.Want, len(k.Got), "items of the form asked for")
	case *kind.MaxContains:
		message = atMost(k.Want, len(k.Got), "items of the form asked for")
	case *kind.Pattern:
		message = "must match the pattern " + cut(k.Want, maxPattern)
	case *kind.Format:
		message = "must be a valid " + k.Want
		var bad *syntax.Error
		if errors.As(k.Err, &bad) {
			message = "must be a regular expression that Go knows, has " + string(bad.Code)
		}
	case *kind.AnyOf:
		message = noneOf(e)
	case *kind.OneOf:
		message = noneOf(e)
		if len(k.Subschemas) > 0 {
			message = "must fit only one of the allowed forms, fits several"
		}
	case *kind.Not:
		keyword, message = "not", "must not have this form"
	case *kind.FalseSchema:
		keyword, message = falseKeyword(e.SchemaURL), "is not allowed"
	case *kind.RefCycle:
		keyword, message = "$ref", "cannot be checked, the schema refers to itself"
	case *kind.InvalidJsonValue:
		keyword, message = "type", "is not a JSON value"
	default:
		message = "is not valid"
	}
	return keyword, message
}

func atLeast(want, got int, what string) string {
	return fmt.Sprintf("must have at least %d %s, got %d", want, what, got)
}

func atMost(want, got int, what string) string {
	return fmt.Sprintf("must have at most %d %s, got %d", want, what, got)
}

// noneOf describes a value that fits no alternative by what is wrong with it in
// the light of the first few.
func noneOf(e *lib.ValidationError) string {
	const few = 3
	var reasons []string
	for _, cause := range e.Causes[:min(few, len(e.Causes))] {
		if list := tidy(leaves(nil, cause)); len(list) > 0 {
			path := strings.TrimPrefix(list[0].Path, pointer(e.InstanceLocation))
			reasons = append(reasons, strings.TrimSpace(path+" "+list[0].Message))
		}
	}
	if len(e.Causes) > few {
		reasons = append(reasons, "and so on")
	}
	return "fits none of the allowed forms: " + cut(strings.Join(reasons, "; "), maxReasons)
}

// falseKeyword names the keyword that holds the false schema at url.
func falseKeyword(url string) string {
	_, fragment, _ := strings.Cut(url, "#")
	tokens := strings.Split(fragment, "/")
	if len(tokens) > 2 {
		switch parent := tokens[len(tokens)-2]; parent {
		case "properties", "patternProperties", "dependentSchemas", "prefixItems", "allOf", "anyOf", "oneOf":
			return parent
		}
	}
	return cmp.Or(tokens[len(tokens)-1], "false")
}

func oneOf(values []any) string {
	switch len(values) {
	case 0:
		return "absent"
	case 1:
		return quote(values[0])
	}
	var list []string
	for _, v := range values[:min(maxListed, len(values))] {
		list = append(list, quote(v))
	}
	if more := len(values) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("or %d more", more))
	}
	return "one of " + strings.Join(list, ", ")
}

// quote writes v as JSON, cut to size.
func quote(v any) string {
	text, err := rawjson.Append(nil, v)
	if err != nil {
		return "?"
	}
	return cut(string(text), maxQuoted)
}

// cut shortens s to a number of runes.
func cut(s string, runes int) string {
	if utf8.RuneCountInString(s) <= runes {
		return s
	}
	return string([]rune(s)[:runes]) + "…"
}

// number writes r in decimal, exactly if that is short.
func number(r *big.Rat) string {
	const digits = 20
	if n, exact := r.FloatPrec(); exact && n <= digits {
		return cut(r.FloatString(n), maxQuoted)
	}
	f, _ := r.Float64()
	return fmt.Sprint(f)
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointer makes a JSON pointer of its tokens.
func pointer(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteByte('/')
		b.WriteString(pointerEscapes.Replace(cut(token, maxToken)))
	}
	return b.String()
}
