package launch_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch"

	"github.com/google/go-cmp/cmp"
)

// toolSchemas are what clients rely on: testdata/schemas has them as they were
// in the last release.
type toolSchemas struct {
	Input  map[string]any `json:"input"`
	Output map[string]any `json:"output"`
}

// S-50, 14.12: a change of a schema that can break a client stands in the release
// notes, in the section on breaking changes of the version, with the name of the
// tool. With -update the schemas become those of the release.
func TestS50Schemas(t *testing.T) {
	s := newHouse(t, launch.Config{}, nil, false).open(t)
	var list struct {
		Tools []struct {
			Name         string
			InputSchema  map[string]any
			OutputSchema map[string]any
		}
	}
	if err := json.Unmarshal(s.ask("tools/list", "{}").Result, &list); err != nil {
		t.Fatal(err)
	}
	notes, err := os.ReadFile("RELEASE_NOTES.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := breakingChanges(t, string(notes), versionNumber)
	current := map[string]toolSchemas{}
	for _, tool := range list.Tools {
		current[tool.Name] = toolSchemas{tool.InputSchema, tool.OutputSchema}
	}
	released := releasedSchemas(t)
	for name, was := range released {
		if changes := breaks(was, current[name]); len(changes) > 0 && !strings.Contains(documented, "`"+name+"`") {
			t.Errorf("%s: the release notes say nothing of a breaking change:\n%s", name, strings.Join(changes, "\n"))
		}
	}
	if *update && !t.Failed() {
		writeSchemas(t, current)
	} else if missing := len(current) - len(released); missing > 0 {
		t.Errorf("%d tools have no schemas in testdata/schemas", missing)
	}
}

// breakingChanges is the section of the release notes on breaking changes of a
// version, which has to be there even if there are none.
func breakingChanges(t *testing.T, notes, version string) string {
	t.Helper()
	_, section, found := strings.Cut(notes, "\n## "+version)
	section, _, _ = strings.Cut(section, "\n## ")
	_, section, told := strings.Cut(section, "\n### Breaking MCP changes\n")
	if !found || !told {
		t.Fatalf("the release notes have no section on breaking MCP changes of %s", version)
	}
	section, _, _ = strings.Cut(section, "\n### ")
	return section
}

func releasedSchemas(t *testing.T) map[string]toolSchemas {
	t.Helper()
	files, err := filepath.Glob("testdata/schemas/*.json")
	if err != nil {
		t.Fatal(err)
	}
	released := map[string]toolSchemas{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var schemas toolSchemas
		if err := json.Unmarshal(text, &schemas); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		released[strings.TrimSuffix(filepath.Base(file), ".json")] = schemas
	}
	return released
}

func writeSchemas(t *testing.T, all map[string]toolSchemas) {
	t.Helper()
	for name, schemas := range all {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(schemas); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join("testdata", "schemas", name+".json"), text.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// breaks lists what a client of the old schemas can no longer send, and what it
// can no longer rely on.
func breaks(was, is toolSchemas) []string {
	if is.Input == nil {
		return []string{"the tool is gone"}
	}
	input := comparison{side: "input", oldRoot: was.Input, newRoot: is.Input}
	input.compare("", was.Input, is.Input)
	output := comparison{side: "output", oldRoot: was.Output, newRoot: is.Output}
	output.compare("", was.Output, is.Output)
	return append(input.found, output.found...)
}

// A comparison of two schemas. An input must go on taking all that it took, an
// output must not begin to say what it never said.
type comparison struct {
	side             string
	oldRoot, newRoot map[string]any
	found            []string
}

func (c *comparison) report(path, format string, values ...any) {
	c.found = append(c.found, fmt.Sprintf("%s %s: %s", c.side, path, fmt.Sprintf(format, values...)))
}

// lost says whether a client can meet something new: a set of what was allowed
// has become smaller for what it sends, or larger for what it reads. Nil means
// that all is allowed.
func (c *comparison) lost(was, is []string) bool {
	narrow, wide := was, is
	if c.side == "output" {
		narrow, wide = is, was
	}
	if wide == nil {
		return false
	}
	return narrow == nil || slices.ContainsFunc(narrow, func(one string) bool { return !slices.Contains(wide, one) })
}

func (c *comparison) compare(path string, was, is map[string]any) {
	was, is = resolve(c.oldRoot, was), resolve(c.newRoot, is)
	if old, now := types(was), types(is); c.lost(old, now) {
		c.report(path, "the type was %v and is %v", old, now)
	}
	if old, now := values(was), values(is); c.lost(old, now) {
		c.report(path, "the values were %v and are %v", old, now)
	}
	for _, word := range []string{"oneOf", "anyOf", "allOf", "not"} {
		if !reflect.DeepEqual(was[word], is[word]) {
			c.report(path, "%s has changed", word)
		}
	}
	c.compareMembers(path, was, is)
	if c.side == "input" {
		c.compareBounds(path, was, is)
	}
	for _, word := range []string{"items", "additionalProperties"} {
		old, now := object(was[word]), object(is[word])
		if old != nil && now != nil {
			c.compare(path+"/"+word, old, now)
		}
	}
}

// compareMembers looks at the members of an object.
func (c *comparison) compareMembers(path string, was, is map[string]any) {
	old, now := object(was["properties"]), object(is["properties"])
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if now[name] == nil {
			c.report(path+"/"+name, "it is gone")
			continue
		}
		c.compare(path+"/"+name, object(old[name]), object(now[name]))
	}
	before, after := list(was["required"]), list(is["required"])
	if c.side == "output" {
		before, after = after, before
	}
	for _, name := range after {
		if !slices.Contains(before, name) {
			c.report(path+"/"+name, "%s", map[string]string{"input": "it is required", "output": "it can be missing"}[c.side])
		}
	}
	if closed := func(schema map[string]any) bool { return schema["additionalProperties"] == false }; c.side == "input" && closed(is) && !closed(was) {
		c.report(path, "no other members are allowed")
	}
}

// compareBounds looks for bounds that are tighter than they were.
func (c *comparison) compareBounds(path string, was, is map[string]any) {
	for word, sign := range map[string]float64{
		"minimum": 1, "minLength": 1, "minItems": 1, "maximum": -1, "maxLength": -1, "maxItems": -1,
	} {
		now, bounded := is[word].(float64)
		old, before := was[word].(float64)
		if bounded && (!before || sign*now > sign*old) {
			c.report(path, "%s is %v", word, now)
		}
	}
	if is["pattern"] != nil && is["pattern"] != was["pattern"] {
		c.report(path, "the pattern is %v", is["pattern"])
	}
}

// resolve follows a reference to a definition.
func resolve(root, schema map[string]any) map[string]any {
	name, ok := schema["$ref"].(string)
	if !ok {
		return schema
	}
	return object(object(root["$defs"])[strings.TrimPrefix(name, "#/$defs/")])
}

func object(value any) map[string]any {
	members, _ := value.(map[string]any)
	return members
}

// list is a list of strings, as schemas have them.
func list(value any) (texts []string) {
	items, _ := value.([]any)
	for _, item := range items {
		texts = append(texts, fmt.Sprint(item))
	}
	return texts
}

// types are the types that a schema allows, values its enum; nil means all.
func types(schema map[string]any) []string {
	if one, ok := schema["type"].(string); ok {
		return []string{one}
	}
	return list(schema["type"])
}

func values(schema map[string]any) []string {
	if one, ok := schema["const"]; ok {
		return []string{fmt.Sprint(one)}
	}
	return list(schema["enum"])
}

// S-50: the comparison finds what breaks clients, and nothing else.
func TestS50Comparison(t *testing.T) {
	const open, empty = `{"type":"object"}`, `{"type":"object","additionalProperties":false}`
	member := func(schema string) string { return `{"type":"object","properties":{"a":` + schema + `}}` }
	for _, test := range []struct{ side, was, is, want string }{
		{"input", member(`{}`), open, "input /a: it is gone"},
		{"output", member(`{}`), open, "output /a: it is gone"},
		{"input", open, member(`{}`), ""},
		{"output", open, member(`{}`), ""},
		{"input", open, `{"type":"object","required":["a"]}`, "input /a: it is required"},
		{"input", `{"type":"object","required":["a"]}`, open, ""},
		{"output", `{"type":"object","required":["a"]}`, open, "output /a: it can be missing"},
		{"output", open, `{"type":"object","required":["a"]}`, ""},
		{"input", open, empty, "input : no other members are allowed"},
		{"input", empty, open, ""},
		{"output", open, empty, ""},
		{"input", member(`{"type":["string","null"]}`), member(`{"type":"string"}`), "input /a: the type was [string null] and is [string]"},
		{"input", member(`{"type":"string"}`), member(`{"type":["string","null"]}`), ""},
		{"input", member(`{}`), member(`{"type":"string"}`), "input /a: the type was [] and is [string]"},
		{"output", member(`{"type":"string"}`), member(`{"type":["string","null"]}`), "output /a: the type was [string] and is [string null]"},
		{"output", member(`{"type":"string"}`), member(`{}`), "output /a: the type was [string] and is []"},
		{"output", member(`{"type":["string","null"]}`), member(`{"type":"string"}`), ""},
		{"input", member(`{"enum":["x","y"]}`), member(`{"enum":["x"]}`), "input /a: the values were [x y] and are [x]"},
		{"input", member(`{"enum":["x"]}`), member(`{"enum":["x","y"]}`), ""},
		{"output", member(`{"const":true}`), member(`{"enum":[true,false]}`), "output /a: the values were [true] and are [true false]"},
		{"input", member(`{"maxLength":9}`), member(`{"maxLength":8}`), "input /a: maxLength is 8"},
		{"input", member(`{"maxLength":9}`), member(`{"maxLength":10}`), ""},
		{"input", member(`{"minimum":0}`), member(`{"minimum":1}`), "input /a: minimum is 1"},
		{"input", member(`{}`), member(`{"pattern":"x"}`), "input /a: the pattern is x"},
		{"output", member(`{}`), member(`{"pattern":"x"}`), ""},
		{"input", member(`{"items":{"type":"string"}}`), member(`{"items":{"type":"integer"}}`), "input /a/items: the type was [string] and is [integer]"},
		{"input", `{"oneOf":[{"required":["a"]}]}`, `{"oneOf":[{"required":["b"]}]}`, "input : oneOf has changed"},
		{"output", `{"$ref":"#/$defs/D","$defs":{"D":{"type":"string"}}}`, `{"type":"integer"}`, "output : the type was [string] and is [integer]"},
		{"output", `{"$ref":"#/$defs/D","$defs":{"D":{"type":"string"}}}`, `{"type":"string"}`, ""},
	} {
		was, is := toolSchemas{Input: map[string]any{}}, toolSchemas{Input: map[string]any{}}
		for text, schemas := range map[string]*toolSchemas{test.was: &was, test.is: &is} {
			into := &schemas.Input
			if test.side == "output" {
				into = &schemas.Output
			}
			if err := json.Unmarshal([]byte(text), into); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(test.want, strings.Join(breaks(was, is), "; ")); diff != "" {
			t.Errorf("%s from %s to %s (-want +got):\n%s", test.side, test.was, test.is, diff)
		}
	}
	if got := breaks(toolSchemas{Input: map[string]any{}}, toolSchemas{}); len(got) != 1 {
		t.Errorf("a tool that is gone: %v", got)
	}
	notes := "# N\n\n## 0.2.0\n\n### Breaking MCP changes\n\n- `tool_a`: x\n\n### Other\n\n- `tool_b`\n\n## 0.1.0\n\n### Breaking MCP changes\n\nNone.\n"
	if got := breakingChanges(t, notes, "0.2.0"); !strings.Contains(got, "`tool_a`") || strings.Contains(got, "tool_b") || strings.Contains(got, "None") {
		t.Errorf("of 0.2.0 the notes say %q", got)
	}
}
