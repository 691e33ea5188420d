package jsonschema

import (
	"iter"
	"strconv"
	"strings"

	"mcpworks/internal/rawjson"
)

// A Part is a schema that is directly inside another.
type Part struct {
	Keyword string // properties, items, …
	Name    string // the member or the index under the keyword; empty if the part is its value
	Raw     []byte
}

// Pointer leads from the schema to the part.
func (p Part) Pointer() string {
	if p.Name == "" && !inMap[p.Keyword] {
		return "/" + p.Keyword
	}
	return "/" + p.Keyword + "/" + escape.Replace(p.Name)
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// The keywords that hold schemas, in all dialects together: directly, in an
// array, or as the members of an object. A keyword can be in more than one.
var (
	direct = keywordSet("additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not",
		"propertyNames", "then", "unevaluatedItems", "unevaluatedProperties")
	inArray = keywordSet("allOf", "anyOf", "items", "oneOf", "prefixItems")
	inMap   = keywordSet("$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties")
)

func keywordSet(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// Parts walks the schemas directly inside a schema, which is checked JSON, in the
// order in which it has them. What is neither an object nor a boolean is no
// schema and left out.
func Parts(schema []byte) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		if rawjson.KindOf(schema) != rawjson.Object {
			return
		}
		for name, value := range rawjson.Members(schema) {
			if !partsOf(string(name), value, yield) {
				return
			}
		}
	}
}

func partsOf(keyword string, value []byte, yield func(Part) bool) bool {
	switch kind := rawjson.KindOf(value); {
	case direct[keyword] && isSchema(value):
		return yield(Part{Keyword: keyword, Raw: value})
	case kind == rawjson.Array && inArray[keyword]:
		i := 0
		for element := range rawjson.Elements(value) {
			if isSchema(element) && !yield(Part{keyword, strconv.Itoa(i), element}) {
				return false
			}
			i++
		}
	case kind == rawjson.Object && inMap[keyword]:
		for name, member := range rawjson.Members(value) {
			if isSchema(member) && !yield(Part{keyword, string(name), member}) {
				return false
			}
		}
	}
	return true
}

func isSchema(value []byte) bool {
	kind := rawjson.KindOf(value)
	return kind == rawjson.Object || kind == rawjson.Bool
}

// At returns the value in a checked document to which a JSON pointer leads; nil
// if it leads nowhere.
func At(document []byte, pointer string) []byte {
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if pointer == "" {
			break
		}
		name := strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		switch rawjson.KindOf(document) {
		case rawjson.Object:
			document = rawjson.Member(document, name)
		case rawjson.Array:
			document = element(document, name)
		default:
			return nil
		}
	}
	return document
}

func element(array []byte, index string) []byte {
	i := 0
	for e := range rawjson.Elements(array) {
		if strconv.Itoa(i) == index {
			return e
		}
		i++
	}
	return nil
}
