package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcpworks/internal/rawjson"
)

// What is read of a tool's input schema here is what a person needs to call it;
// whether arguments fit is for the server to say.

// maxDepth is how far references and alternatives of a schema are followed.
const maxDepth = 16

// signature shows the arguments of a tool: (required:type, [optional:type]).
func signature(schema []byte) string {
	var must []string
	for name := range rawjson.Elements(rawjson.Member(schema, "required")) {
		s, _ := rawjson.String(name)
		must = append(must, s)
	}
	var required, optional []string
	for name, property := range rawjson.Members(rawjson.Member(schema, "properties")) {
		shown := string(name) + ":" + typeName(schema, property)
		if slices.Contains(must, string(name)) {
			required = append(required, shown)
		} else {
			optional = append(optional, "["+shown+"]")
		}
	}
	return "(" + strings.Join(append(required, optional...), ", ") + ")"
}

// typeName writes the types of a value: string, integer|null, string[].
func typeName(root, schema []byte) string {
	all := kinds(root, schema, 0)
	if len(all) == 0 {
		return "any"
	}
	names := slices.Clone(all)
	for i, name := range names {
		if name != "array" {
			continue
		}
		if of := kinds(root, rawjson.Member(deref(root, schema), "items"), 0); len(of) == 1 {
			names[i] = of[0] + "[]"
		}
	}
	return strings.Join(names, "|")
}

// kinds lists the types that a schema allows, in its order. None means that it
// does not say.
func kinds(root, schema []byte, depth int) (all []string) {
	schema = deref(root, schema)
	if depth > maxDepth || rawjson.KindOf(schema) != rawjson.Object {
		return nil
	}
	add := func(name string) {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if kind := rawjson.Member(schema, "type"); kind != nil {
		if name, ok := rawjson.String(kind); ok {
			add(name)
		}
		for element := range rawjson.Elements(kind) {
			if name, ok := rawjson.String(element); ok {
				add(name)
			}
		}
		return all
	}
	if value := rawjson.Member(schema, "const"); value != nil {
		add(kindOf(value))
		return all
	}
	for value := range rawjson.Elements(rawjson.Member(schema, "enum")) {
		add(kindOf(value))
	}
	if all != nil {
		return all
	}
	for element := range rawjson.Elements(rawjson.Member(schema, "allOf")) {
		if of := kinds(root, element, depth+1); of != nil {
			return of
		}
	}
	for _, alternatives := range []string{"anyOf", "oneOf"} {
		for element := range rawjson.Elements(rawjson.Member(schema, alternatives)) {
			of := kinds(root, element, depth+1)
			if of == nil {
				return nil // one that allows anything
			}
			for _, name := range of {
				add(name)
			}
		}
		if all != nil {
			break
		}
	}
	return all
}

func kindOf(value []byte) string {
	if rawjson.IsInteger(value) {
		return "integer"
	}
	return rawjson.KindOf(value).String()
}

// deref follows references within the schema.
func deref(root, schema []byte) []byte {
	for range maxDepth {
		ref, ok := rawjson.String(rawjson.Member(schema, "$ref"))
		pointer, local := strings.CutPrefix(ref, "#")
		if !ok || !local || pointer != "" && pointer[0] != '/' {
			return schema
		}
		schema = root
		for _, step := range strings.Split(pointer, "/")[1:] {
			step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
			schema = rawjson.Member(schema, step)
		}
	}
	return nil
}

// convert makes JSON of a value from the command line, by the schema of the
// argument. Where a string is allowed it is one, and where the schema does not
// say; no value decides its own type.
func convert(root, schema []byte, value string) (json.RawMessage, error) {
	allowed := kinds(root, schema, 0)
	if len(allowed) == 0 || slices.Contains(allowed, "string") {
		return rawjson.AppendString(nil, value), nil
	}
	raw := []byte(value)
	if rawjson.Check(raw, rawjson.Limits{Depth: maxNesting}) == nil {
		kind := kindOf(raw)
		if slices.Contains(allowed, kind) || kind == "integer" && slices.Contains(allowed, "number") {
			return rawjson.Compact(nil, raw), nil
		}
		if f, err := strconv.ParseFloat(value, 64); err == nil && kind == "number" && slices.Contains(allowed, "integer") && f == float64(int64(f)) {
			return raw, nil // 1e3 and 2.0 are integers for JSON Schema
		}
	}
	return nil, fmt.Errorf("must be %s, not %.60q", strings.Join(allowed, " or "), value)
}

// maxNesting is how deep arguments may nest.
const maxNesting = 64
