package streamable

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcpworks/lint"
	"mcpworks/mcp/transport/eventstream"
)

// HTTP-037: the strict parser sees the same events as the one of the clients,
// whatever the bytes are.
func TestParsersAgree(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"data", "data:", "data: ", "event: message", "event:x", "id: 7", "id", "retry: 10", "retry: x", ": comment", "other: y",
		"\n", "\r", "\r\n", "\n\n", "{}", "\ufeff", "\x00", " ", "é", "\xff",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces"), ""))
		var strict, lenient []string
		events, _ := parseEvents(text)
		id := ""
		for _, e := range events {
			if e.hasID {
				id = e.id
			}
			if e.hasData {
				strict = append(strict, fmt.Sprintf("%q %q %q", kindOf(e), e.data, id))
			}
		}
		reader := eventstream.NewReader(bytes.NewReader(text), len(text)+1)
		for {
			e, err := reader.Next()
			if err != nil {
				break
			}
			lenient = append(lenient, fmt.Sprintf("%q %q %q", e.Type, e.Data, e.ID))
		}
		if fmt.Sprint(strict) != fmt.Sprint(lenient) {
			t.Fatalf("of %q\n%s\nand\n%s", text, strict, lenient)
		}
	})
}

func kindOf(e event) string {
	if e.kind == "" {
		return "message"
	}
	return e.kind
}

// HTTP-047, D2.66: a schema without end is left in time.
func TestMarksOfHostileSchemas(t *testing.T) {
	deep := strings.Repeat(`{"properties":{"p":`, 500) + `{"type":"string","x-mcp-header":"Deep"}` + strings.Repeat(`}}`, 500)
	wide := `{"anyOf":[` + strings.Repeat(`{"type":"string"},`, 2*schemaNodes) + `{"x-mcp-header":"Wide"}]}`
	for name, schema := range map[string]string{"deep": deep, "wide": wide} {
		tool := lint.Item{Raw: []byte(`{"name":"t","inputSchema":` + schema + `}`), Pointer: "/tools/0"}
		if found := marksOf(tool); len(found) != 0 {
			t.Errorf("%s: the walk went beyond its bounds", name)
		}
	}
	near := lint.Item{Raw: []byte(`{"inputSchema":{"properties":{"a/b":{"type":"string","x-mcp-header":"Near"}}}}`), Pointer: "/tools/0"}
	if found := marksOf(near); len(found) != 1 || found[0].pointer != "/tools/0/inputSchema/properties/a~1b" || found[0].property != "a/b" {
		t.Errorf("%+v", found)
	}
}
