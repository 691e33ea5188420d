package calls

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

// Bounds of what is made.
const (
	maxDepth  = 8
	maxValues = 200
	maxLength = 1000 // of strings
	maxItems  = 10
	// maxChoices is how many alternatives of a schema are tried.
	maxChoices = 4
)

// generate makes a JSON value that fits a schema: always the same, and not more
// than is required. ok is false if it does not succeed.
func generate(schema []byte) (value string, ok bool) {
	if rawjson.KindOf(schema) != rawjson.Object {
		return "", false
	}
	foreign, err := jsonschema.ReadForeign(schema, dialectOf(schema))
	if err != nil {
		return "", false
	}
	for choice := range maxChoices {
		g := generator{refs: jsonschema.FindReferences(schema), choice: choice, left: maxValues}
		value := g.value(schema, 0)
		decoded, err := rawjson.Decode([]byte(value))
		if g.left < 0 || err != nil {
			continue
		}
		violations, err := foreign.Validate("", decoded)
		if err != nil {
			return "", false
		}
		if len(violations) == 0 {
			return value, true
		}
	}
	return "", false
}

func dialectOf(schema []byte) string {
	name, _ := lint.Text(lint.Member(schema, "$schema"))
	if dialect, ok := jsonschema.DialectOf(name); ok {
		return dialect
	}
	return jsonschema.Draft2020
}

type generator struct {
	refs   *jsonschema.References
	choice int // which of several alternatives is taken
	left   int // values that may still be made
}

// value makes one. It may not fit: whether it does is tried at the end.
func (g *generator) value(schema []byte, depth int) string {
	if g.left--; g.left < 0 || depth > maxDepth {
		return "null"
	}
	f := facets{}
	g.gather(schema, &f, 0)
	for _, keyword := range []string{"const", "default"} {
		if given := f.first(keyword); given != nil {
			return string(given)
		}
	}
	for _, keyword := range []string{"enum", "examples"} {
		for given := range rawjson.Elements(f.first(keyword)) {
			return string(given)
		}
	}
	switch f.kind() {
	case "object":
		return g.object(f, depth)
	case "array":
		return g.array(f, depth)
	case "integer", "number":
		return f.number()
	case "boolean":
		return "false"
	case "null":
		return "null"
	}
	return quoted(f.text())
}

// facets are schemas that all hold for one value.
type facets [][]byte

// maxFacets is how many are gathered.
const maxFacets = 20

// gather collects a schema with all that it refers to and is composed of.
func (g *generator) gather(schema []byte, f *facets, depth int) {
	if rawjson.KindOf(schema) != rawjson.Object || len(*f) >= maxFacets || depth > maxDepth {
		return
	}
	*f = append(*f, schema)
	if ref, ok := lint.Text(lint.Member(schema, "$ref")); ok {
		if _, target, landing := g.refs.Resolve("", ref); landing == jsonschema.Found {
			g.gather(target, f, depth+1)
		}
	}
	for part := range rawjson.Elements(lint.Member(schema, "allOf")) {
		g.gather(part, f, depth+1)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		var alternatives [][]byte
		for part := range rawjson.Elements(lint.Member(schema, keyword)) {
			if alternatives = append(alternatives, part); len(alternatives) == maxFacets {
				break
			}
		}
		if len(alternatives) > 0 {
			g.gather(alternatives[g.choice%len(alternatives)], f, depth+1)
		}
	}
}

// first is the value of a keyword in the first that has it.
func (f facets) first(keyword string) []byte {
	for _, schema := range f {
		if value := lint.Member(schema, keyword); value != nil {
			return value
		}
	}
	return nil
}

// kind is the type of the value to make.
func (f facets) kind() string {
	raw := f.first("type")
	if name, ok := lint.Text(raw); ok {
		return name
	}
	for element := range rawjson.Elements(raw) {
		if name, ok := lint.Text(element); ok && name != "null" {
			return name
		}
	}
	switch {
	case f.first("properties") != nil, f.first("required") != nil:
		return "object"
	case f.first("items") != nil, f.first("prefixItems") != nil:
		return "array"
	}
	return "string"
}

// object has the members that are required.
func (g *generator) object(f facets, depth int) string {
	o := rawjson.Begin(nil)
	known := map[string]bool{}
	for _, schema := range f {
		for element := range rawjson.Elements(lint.Member(schema, "required")) {
			name, ok := lint.Text(element)
			if !ok || known[name] || g.left < 0 {
				continue
			}
			known[name] = true
			o.Raw(name, []byte(g.value(f.property(name), depth+1)))
		}
	}
	return string(o.End())
}

func (f facets) property(name string) []byte {
	for _, schema := range f {
		if property := lint.Member(schema, "properties", name); property != nil {
			return property
		}
	}
	return []byte("{}")
}

// array has as few elements as it may, but one if that is allowed.
func (g *generator) array(f facets, depth int) string {
	count := max(1, f.count("minItems", 0))
	count = min(count, f.count("maxItems", maxItems), maxItems)
	var first [][]byte
	for schema := range rawjson.Elements(f.first("prefixItems")) {
		first = append(first, schema)
	}
	text := []byte("[")
	for i := range count {
		schema := f.first("items")
		if i < len(first) {
			schema = first[i]
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, g.value(schema, depth+1)...)
	}
	return string(append(text, ']'))
}

// count is the value of a keyword that is a small number.
func (f facets) count(keyword string, otherwise int) int {
	n, err := strconv.Atoi(string(f.first(keyword)))
	if err != nil {
		return otherwise
	}
	return n
}

// number is 1, or what is nearest to it within the bounds.
func (f facets) number() string {
	value := 1.0
	if low, ok := f.bound("minimum"); ok {
		value = max(value, math.Ceil(low))
	}
	if low, ok := f.bound("exclusiveMinimum"); ok {
		value = max(value, math.Floor(low)+1)
	}
	if high, ok := f.bound("maximum"); ok {
		value = min(value, math.Floor(high))
	}
	if high, ok := f.bound("exclusiveMaximum"); ok {
		value = min(value, math.Ceil(high)-1)
	}
	if step, ok := f.bound("multipleOf"); ok && step > 0 {
		value = math.Ceil(value/step) * step
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

func (f facets) bound(keyword string) (float64, bool) {
	value, err := strconv.ParseFloat(string(f.first(keyword)), 64)
	return value, err == nil && math.Abs(value) < 1e15
}

// text is a string of the right format, pattern and length.
func (f facets) text() string {
	format, _ := lint.Text(f.first("format"))
	if sample, ok := samples[format]; ok {
		return sample
	}
	low, high := min(f.count("minLength", 0), maxLength), f.count("maxLength", maxLength)
	pattern, _ := lint.Text(f.first("pattern"))
	re, err := regexp.Compile(pattern)
	if err != nil {
		re = regexp.MustCompile("")
	}
	for _, sample := range words {
		sample = fitted(sample, low, high)
		if re.MatchString(sample) {
			return sample
		}
	}
	return fitted(words[0], low, high)
}

// fitted repeats or cuts a text to be within the bounds.
func fitted(text string, low, high int) string {
	if n := utf8.RuneCountInString(text); n < low {
		text = strings.Repeat(text, low/n+1)[:low]
	}
	return text[:max(0, min(high, len(text)))]
}

// samples are strings of known formats.
var samples = map[string]string{
	"date-time": "2026-01-15T12:00:00Z", "date": "2026-01-15", "time": "12:00:00Z", "duration": "P1D",
	"email": "user@example.com", "idn-email": "user@example.com", "hostname": "example.com", "idn-hostname": "example.com",
	"ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uri": "https://example.com/", "iri": "https://example.com/", "url": "https://example.com/",
	"uri-reference": "/example", "iri-reference": "/example", "uri-template": "/example/{id}",
	"uuid": "123e4567-e89b-42d3-a456-426614174000", "json-pointer": "/example", "relative-json-pointer": "0", "regex": "example",
}

// words are tried one after the other where there is a pattern.
var words = []string{
	"example", "Example", "EXAMPLE", "1", "a", "A", "0", "12345", "a1", "example-1", "example_1", "example.txt", "/example", "example/example",
	"https://example.com/", "user@example.com", "2026-01-15", "12:00", "1.0.0", "v1", "#000000", "en", "en-US", "US", "123e4567-e89b-42d3-a456-426614174000",
	"0123456789abcdef0123456789abcdef01234567",
}
