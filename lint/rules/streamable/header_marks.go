package streamable

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

// A mark is one x-mcp-header in a schema.
type mark struct {
	value     []byte // its JSON
	kind      []byte // the type beside it
	pointer   string // of the schema that has it
	property  string // the nearest property around it
	reachable bool   // through properties alone
}

func (m *mark) subject(tool lint.Item) lint.Subject {
	return lint.Subject{Kind: "tool", Name: tool.Name, Part: m.property}
}

// flaws says what is wrong with a mark; seen has the names before it, in small
// letters.
func (m *mark) flaws(seen map[string]bool) (flaws []string) {
	name, isText := lint.Text(m.value)
	switch {
	case !isText:
		flaws = append(flaws, "x-mcp-header is not a string")
	case name == "":
		flaws = append(flaws, "x-mcp-header is empty")
	case !isToken(name):
		flaws = append(flaws, "x-mcp-header has characters that the name of a header cannot have")
	case seen[strings.ToLower(name)]:
		flaws = append(flaws, "the same x-mcp-header is used twice in one schema")
	}
	seen[strings.ToLower(name)] = true
	if !m.reachable {
		flaws = append(flaws, "x-mcp-header stands where properties alone do not lead")
	} else if kind, _ := lint.Text(m.kind); kind != "string" && kind != "integer" && kind != "boolean" {
		flaws = append(flaws, "x-mcp-header is on something else than a string, an integer or a boolean")
	}
	return flaws
}

func isToken(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9') && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return name != ""
}

// Bounds of a walk over a schema (A11.3).
const (
	schemaDepth = 64
	schemaNodes = 10_000
)

// marksOf are the marks in the input schema of a tool.
func marksOf(tool lint.Item) []mark {
	if !bytes.Contains(tool.Raw, []byte("x-mcp-header")) {
		return nil // as nearly all
	}
	w := markWalk{nodes: schemaNodes}
	w.walk(lint.Member(tool.Raw, "inputSchema"), mark{pointer: tool.Pointer + "/inputSchema"}, true, 0)
	return w.found
}

type markWalk struct {
	found []mark
	nodes int
}

// walk visits a schema. At is the place of it; through says that properties
// alone led there.
func (w *markWalk) walk(schema []byte, at mark, through bool, depth int) {
	if w.nodes--; w.nodes < 0 || depth > schemaDepth || rawjson.KindOf(schema) != rawjson.Object {
		return
	}
	for key, value := range rawjson.Members(schema) {
		place := at
		place.pointer += "/" + escape(string(key))
		switch string(key) {
		case "x-mcp-header":
			at.value, at.kind, at.reachable = value, rawjson.Member(schema, "type"), through && depth > 0
			w.found = append(w.found, at)
		case "properties":
			w.named(value, place, through, true, depth)
		case "patternProperties", "$defs", "definitions", "dependentSchemas":
			w.named(value, place, false, false, depth)
		case "const", "enum", "default", "examples", "example", "required":
			// values, not schemas
		default:
			w.unnamed(value, place, depth)
		}
	}
}

// named visits the schemas that are the members of an object.
func (w *markWalk) named(schemas []byte, at mark, through, properties bool, depth int) {
	if rawjson.KindOf(schemas) != rawjson.Object {
		return
	}
	for name, schema := range rawjson.Members(schemas) {
		place := at
		place.pointer += "/" + escape(string(name))
		if properties {
			place.property = string(name)
		}
		w.walk(schema, place, through, depth+1)
	}
}

// unnamed visits the schema, or the schemas of a list, under any other keyword.
func (w *markWalk) unnamed(value []byte, at mark, depth int) {
	if rawjson.KindOf(value) != rawjson.Array {
		w.walk(value, at, false, depth+1)
		return
	}
	n := 0
	for schema := range rawjson.Elements(value) {
		place := at
		place.pointer += "/" + strconv.Itoa(n)
		w.walk(schema, place, false, depth+1)
		n++
	}
}

// escape writes a name as a part of a JSON Pointer.
func escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

// isSecretName says whether a name is like that of a secret: accessToken,
// api_key, PASSWORD. Counts of tokens and keys of a table are none.
func isSecretName(name string) bool {
	words := wordsOf(name)
	for i, word := range words {
		switch word {
		case "password", "passwd", "passphrase", "pwd", "token", "secret", "apikey", "credential", "credentials", "authorization":
			return true
		case "key":
			if i == 0 || !innocentKeys[words[i-1]] {
				return true
			}
		}
		for _, end := range []string{"password", "token", "secret", "apikey"} {
			if strings.HasSuffix(word, end) {
				return true
			}
		}
	}
	return false
}

// innocentKeys are the words that make a key something to look up.
var innocentKeys = map[string]bool{"sort": true, "primary": true, "foreign": true, "partition": true, "cache": true, "object": true, "routing": true, "public": true}

// wordsOf splits camelCase, snake_case and kebab-case, in small letters.
func wordsOf(name string) []string {
	var split strings.Builder
	lower := false
	for _, r := range name {
		if unicode.IsUpper(r) && lower {
			split.WriteByte(' ')
		}
		if lower = unicode.IsLower(r) || unicode.IsDigit(r); lower || unicode.IsUpper(r) {
			split.WriteRune(unicode.ToLower(r))
		} else {
			split.WriteByte(' ')
		}
	}
	return strings.Fields(split.String())
}
