package calls

import (
	"net/http"
	"strconv"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// A mark says that an argument is in a header as well (x-mcp-header).
type mark struct {
	header string
	path   []string
	schema []byte
}

// maxNesting is how deep marks are looked for.
const maxNesting = 8

// marksOf finds those marks of a schema that a client can follow: tokens, on
// arguments that properties alone lead to.
func marksOf(schema []byte) []mark { return findMarks(schema, nil) }

func findMarks(schema []byte, path []string) (marks []mark) {
	properties := lint.Member(schema, "properties")
	if rawjson.KindOf(properties) != rawjson.Object || len(path) == maxNesting {
		return nil
	}
	for name, property := range rawjson.Members(properties) {
		inner := append(path[:len(path):len(path)], string(name))
		if header, ok := lint.Text(lint.Member(property, "x-mcp-header")); ok && isToken(header) {
			marks = append(marks, mark{header, inner, property})
		}
		marks = append(marks, findMarks(property, inner)...)
	}
	return marks
}

func isToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// in is the value of the argument; nil if it is not there.
func (m *mark) in(arguments []byte) []byte { return lint.Member(arguments, m.path...) }

// plain is a string, an integer or a boolean as text.
func plain(value []byte) (text string, ok bool) {
	switch {
	case rawjson.KindOf(value) == rawjson.StringKind:
		return rawjson.String(value)
	case rawjson.KindOf(value) == rawjson.Bool, rawjson.IsInteger(value):
		return string(value), true
	}
	return "", false
}

// mismatch calls a tool with a header that does not say what the argument says.
// Of the marks at the top level the first is taken whose argument can be made.
func (c *caller) mismatch(t *tool) {
	for _, m := range t.marks {
		value, ok := generate(m.schema)
		if len(m.path) > 1 || !ok {
			continue
		}
		other, ok := differing([]byte(value))
		if !ok {
			continue
		}
		arguments := replaced([]byte(t.arguments), map[string]string{m.path[0]: value})
		header := c.mirrored(t, arguments)
		header.Set("Mcp-Param-"+m.header, other)
		_, frame := c.Request(mcp.MethodCallTool, c.params(t, arguments, ""))
		c.HTTP(step.HTTPParamHeader, t.name, wire.Request{Method: http.MethodPost, Header: header, Body: frame})
		return
	}
}

// differing is a header of the same type with another value.
func differing(value []byte) (text string, ok bool) {
	text, ok = plain(value)
	switch {
	case text == "true":
		return "false", ok
	case text == "false":
		return "true", ok
	case rawjson.IsInteger(value):
		n, err := strconv.ParseInt(text, 10, 32)
		return strconv.FormatInt(n+1, 10), err == nil
	}
	return "mcplint-other", ok
}
