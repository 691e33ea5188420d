package jsonrpc

import (
	"bytes"

	"mcpworks/internal/rawjson"
)

// A Joiner finds the JSON in what a server prints: most lines are one text, some
// are noise, and a few belong together because the server prints its JSON for
// people.
type Joiner struct {
	Bytes  int // the most that is joined
	Limits rawjson.Limits

	partial []byte // lines of a value that is not complete
	lines   int    // in it
	depth   int    // of brackets open in it
}

// A Role is what a line is to those before it.
type Role int

const (
	Noise    Role = iota // not JSON, also not with the lines before it
	Part                 // of a text that is not complete
	Whole                // a text of its own
	Complete             // the end of a text
)

// Add takes a line. If it is a text or completes one, that is returned with the
// number of its lines.
func (j *Joiner) Add(line []byte) (role Role, text []byte, lines int) {
	sound := rawjson.Check(line, j.Limits) == nil
	switch {
	case sound && (j.partial == nil || rawjson.Member(line, "jsonrpc") != nil):
		j.reset()
		return Whole, line, 1
	case j.partial == nil && !opens(line):
		return Noise, nil, 0
	}
	return j.join(line)
}

func (j *Joiner) join(line []byte) (role Role, text []byte, lines int) {
	j.depth += balance(line)
	if len(j.partial)+len(line) >= j.Bytes || j.depth < 0 {
		j.reset()
		return Noise, nil, 0
	}
	j.partial = append(append(j.partial, line...), '\n')
	if j.lines++; j.depth > 0 {
		return Part, nil, 0
	}
	text, lines = bytes.TrimSuffix(j.partial, []byte("\n")), j.lines
	j.reset()
	if rawjson.Check(text, j.Limits) != nil {
		return Noise, nil, 0
	}
	return Complete, text, lines
}

func (j *Joiner) reset() { j.partial, j.lines, j.depth = nil, 0, 0 }

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
