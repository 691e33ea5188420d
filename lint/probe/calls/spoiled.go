package calls

import (
	"maps"
	"slices"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

// withoutRequired leaves out the first required argument that has no default.
func withoutRequired(t *tool) (arguments string, ok bool) {
	for element := range rawjson.Elements(lint.Member(t.schema, "required")) {
		name, ok := lint.Text(element)
		given := lint.Member([]byte(t.arguments), name)
		if ok && given != nil && lint.Member(t.schema, "properties", name, "default") == nil {
			return replaced([]byte(t.arguments), map[string]string{name: ""}), true
		}
	}
	return "", false
}

// withWrongTypes gives arguments values of other types. Those that are in
// headers keep theirs: what does not fit a header is refused for that.
func withWrongTypes(t *tool) (arguments string, ok bool) {
	changes := map[string]string{}
	for name, property := range rawjson.Members(lint.Member(t.schema, "properties")) {
		kind, known := lint.Text(lint.Member(property, "type"))
		marked := slices.ContainsFunc(t.marks, func(m mark) bool { return m.path[0] == string(name) })
		if wrong := wrongValues[kind]; known && wrong != "" && !marked && len(changes) < maxMembers {
			changes[string(name)] = wrong
		}
	}
	return replaced([]byte(t.arguments), changes), len(changes) > 0
}

// maxMembers is how many arguments are changed.
const maxMembers = 50

// wrongValues are values that nobody takes for one of the type.
var wrongValues = map[string]string{
	"string":  `{"unexpected":true}`,
	"integer": `"not a number"`,
	"number":  `"not a number"`,
	"boolean": `"not a boolean"`,
	"array":   `{"unexpected":true}`,
	"object":  `"not an object"`,
}

// replaced changes members of an object, or adds them; the empty text drops one.
func replaced(object []byte, changes map[string]string) string {
	o := rawjson.Begin(nil)
	known := map[string]bool{}
	for key, value := range rawjson.Members(object) {
		name := string(key)
		known[name] = true
		if change, ok := changes[name]; !ok {
			o.Raw(name, value)
		} else if change != "" {
			o.Raw(name, []byte(change))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		if !known[name] && changes[name] != "" {
			o.Raw(name, []byte(changes[name]))
		}
	}
	return string(o.End())
}
