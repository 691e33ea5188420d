package client

import (
	"bytes"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp/jsonrpc"
)

// A joiner finds the JSON in what a server prints: most lines are one message,
// some are noise, and a few belong together because the server prints its JSON
// for people.
type joiner struct {
	limits  Limits
	partial []byte // lines of a value that is not complete
	depth   int    // of brackets open in it
}

// add takes one line and returns the JSON text it is or completes. If there is
// none, note says why.
func (j *joiner) add(line []byte) (text []byte, note string) {
	err := jsonrpc.Check(line, j.limits.json())
	isMessage := err == nil && rawjson.Member(line, "jsonrpc") != nil
	switch {
	case isMessage, err == nil && j.partial == nil:
		j.reset()
		return line, ""
	case j.partial == nil && !opens(line):
		return nil, "not JSON"
	}
	return j.join(line)
}

func (j *joiner) join(line []byte) (text []byte, note string) {
	j.depth += balance(line)
	if len(j.partial)+len(line) >= j.limits.Message || j.depth < 0 {
		j.reset()
		return nil, "not JSON"
	}
	j.partial = append(append(j.partial, line...), '\n')
	if j.depth > 0 {
		return nil, "part of a message"
	}
	text = j.partial
	j.reset()
	if jsonrpc.Check(text, j.limits.json()) != nil {
		return nil, "not JSON"
	}
	return text, "a message over several lines"
}

func (j *joiner) reset() { j.partial, j.depth = nil, 0 }

func opens(line []byte) bool {
	return bytes.HasPrefix(line, []byte("{")) || bytes.HasPrefix(line, []byte("["))
}

// balance counts the brackets that a line opens and does not close. A string
// of JSON ends where its line does.
func balance(line []byte) (depth int) {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case !quoted && (c == '{' || c == '['):
			depth++
		case !quoted && (c == '}' || c == ']'):
			depth--
		}
	}
	return depth
}
