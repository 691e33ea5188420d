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
	list = inOrder(list)
	return list[:min(maxViolations, len(list))]
}

// inOrder sorts list and drops what it says twice.
func inOrder(list []Violation) []Violation {
	slices.SortFunc(list, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Keyword, b.Keyword), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(list)
}

// The words of more than one place.
const (
	isRequired = "is required"
	notAllowed = "is not allowed"
)

// violations describes what the library found. Of many failures it sorts all,
// but finds words only for the first.
func violations(errs ...*lib.ValidationError) []Violation {
	failures := leavesOf(nil, errs)
	slices.SortFunc(failures, leaf.compare)
	var list []Violation
	for i, l := range failures {
		// Failures of one place and keyword are as many as the schema has, and
		// in no order, so they are described together or not at all.
		if len(list) >= maxViolations && l.compare(failures[i-1]) != 0 {
			break
		}
		if v := l.violation(); !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return tidy(list)
}

// leaf is one concrete failure.
type leaf struct {
	path    []string // of the value, or of the object that the member is in
	member  *string  // the member that it is about; nil means the value
	keyword string
	err     *lib.ValidationError
}

// leaves appends the concrete failures under e.
func leaves(list []leaf, e *lib.ValidationError) []leaf {
	switch k := e.ErrorKind.(type) {
	case *kind.AllOf:
		return leavesOf(list, e.Causes)
	case *kind.Schema, *kind.Group, *kind.Reference:
		return leavesOf(list, withoutEchoes(e.Causes))
	case *kind.Required:
		return appendEach(list, e, k.Missing, "required")
	case *kind.DependentRequired:
		return appendEach(list, e, k.Missing, "dependentRequired")
	case *kind.Dependency:
		return appendEach(list, e, k.Missing, "dependencies")
	case *kind.AdditionalProperties:
		return appendEach(list, e, k.Properties, "additionalProperties")
	case *nameKind:
		return appendEach(list, e, []string{k.Property}, "propertyNames")
	case *kind.PropertyNames: // of a metaschema, where the path cannot be trusted
		return append(list, leaf{nil, nil, "propertyNames", e})
	case *kind.FalseSchema:
		return append(list, leaf{e.InstanceLocation, nil, falseKeyword(e.SchemaURL), e})
	}
	return append(list, leaf{e.InstanceLocation, nil, keywordOf(e.ErrorKind), e})
}

func leavesOf(list []leaf, errs []*lib.ValidationError) []leaf {
	for _, e := range errs {
		list = leaves(list, e)
	}
	return list
}

// appendEach appends a failure for each of the named members.
func appendEach(list []leaf, e *lib.ValidationError, names []string, keyword string) []leaf {
	for i := range names {
		list = append(list, leaf{e.InstanceLocation, &names[i], keyword, e})
	}
	return list
}

// compare orders failures by place and keyword.
func (l leaf) compare(other leaf) int {
	for i := range min(l.depth(), other.depth()) {
		if c := compareTokens(l.token(i), other.token(i)); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(l.depth(), other.depth()), cmp.Compare(l.keyword, other.keyword))
}

func (l leaf) depth() int {
	if l.member != nil {
		return len(l.path) + 1
	}
	return len(l.path)
}

func (l leaf) token(i int) string {
	if i < len(l.path) {
		return l.path[i]
	}
	return *l.member
}

// compareTokens puts what may be an index before other names, 9 before 10. Names
// that are alike as far as a path shows them are equal to it, so that it does
// not read megabytes over and over.
func compareTokens(a, b string) int {
	indexA, indexB := isIndex(a), isIndex(b)
	switch {
	case indexA && indexB:
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	case indexA:
		return -1
	case indexB:
		return 1
	}
	const shown = maxToken * utf8.UTFMax
	return cmp.Compare(a[:min(shown, len(a))], b[:min(shown, len(b))])
}

func isIndex(token string) bool {
	const maxDigits = 9
	for i := range min(len(token), maxDigits) {
		if token[i] < '0' || token[i] > '9' {
			return false
		}
	}
	return token != "" && len(token) <= maxDigits
}

// violation finds words for l.
func (l leaf) violation() Violation {
	path := pointer(l.path)
	if l.member != nil {
		path += pointer([]string{*l.member})
	}
	return Violation{path, l.keyword, l.message()}
}

func (l leaf) message() string {
	switch k := l.err.ErrorKind.(type) {
	case *kind.Required:
		return isRequired
	case *kind.DependentRequired:
		return "is required beside " + quote(k.Prop)
	case *kind.Dependency:
		return "is required beside " + quote(k.Prop)
	case *kind.AdditionalProperties, *kind.FalseSchema:
		return notAllowed
	case *nameKind:
		return "has a name that " + first(k.failure.Causes)
	case *kind.PropertyNames:
		return "name " + quote(k.Property) + " " + first(l.err.Causes)
	case *kind.AnyOf:
		return noAlternative(l.err)
	case *kind.OneOf:
		if len(k.Subschemas) == 0 {
			return noAlternative(l.err)
		}
	}
	_, message := describe(l.err.ErrorKind)
	return message
}

func noAlternative(e *lib.ValidationError) string {
	return noneOf(pointer(e.InstanceLocation), len(e.Causes), func(i int) []Violation { return violations(e.Causes[i]) })
}

// first returns the first message of errs, for a value that has no path.
func first(errs []*lib.ValidationError) string {
	if list := violations(errs...); len(list) > 0 {
		return list[0].Message
	}
	return notAllowed
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

// keywordOf names the keyword of a failure that concerns one value.
func keywordOf(k lib.ErrorKind) string {
	switch k.(type) {
	case *kind.Not:
		return "not"
	case *kind.RefCycle:
		return "$ref"
	case *kind.InvalidJsonValue:
		return "type"
	}
	if path := k.KeywordPath(); len(path) > 0 {
		return path[0]
	}
	return ""
}

// describe gives keyword and message of a failure that concerns one value, and
// that can be told without its causes.
func describe(k lib.ErrorKind) (keyword, message string) {
	keyword = keywordOf(k)
	switch k := k.(type) {
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
	case *kind.OneOf:
		message = "must fit only one of the allowed forms, fits several"
	case *kind.Not:
		message = "must not have this form"
	case *kind.RefCycle:
		message = "cannot be checked, the schema refers to itself"
	case *kind.InvalidJsonValue:
		message = "is not a JSON value"
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

// noneOf describes a value at path that fits none of its alternatives, by what
// is wrong with it in the light of the first few.
func noneOf(path string, alternatives int, violations func(i int) []Violation) string {
	const few = 3
	var reasons []string
	for i := range min(few, alternatives) {
		if list := violations(i); len(list) > 0 {
			reasons = append(reasons, strings.TrimSpace(strings.TrimPrefix(list[0].Path, path)+" "+list[0].Message))
		}
	}
	if alternatives > few {
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

// cut shortens s to a number of runes. It looks at no more of it than that.
func cut(s string, runes int) string {
	if len(s) <= runes {
		return s
	}
	for i := range s {
		if runes == 0 {
			return s[:i] + "…"
		}
		runes--
	}
	return s
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
