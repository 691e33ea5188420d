package lint

import (
	"bytes"

	"mcpworks/internal/rawjson"
)

// Lines finds JSON in what a server prints: most lines are one message, some
// are noise, and a few belong together because the server prints its JSON for
// people (A6.4).
type Lines struct {
	partial []byte
	count   int // lines in it
	depth   int // brackets open in it
}

// joinBytes is the most that is joined from several lines.
const joinBytes = 4 << 20

// Add takes a line and returns the text it is, or completes. count says of how
// many lines that is made.
func (l *Lines) Add(line []byte) (text []byte, count int) {
	sound := rawjson.Check(line, recordLimits) == nil
	if sound && (l.partial == nil || rawjson.Member(object(line), "jsonrpc") != nil) || l.partial == nil && !opens(line) {
		l.reset()
		return line, 1
	}
	l.depth += balance(line)
	if len(l.partial)+len(line) >= joinBytes || l.depth < 0 {
		l.reset()
		return line, 1
	}
	l.partial = append(append(l.partial, line...), '\n')
	if l.count++; l.depth > 0 {
		return line, 1
	}
	text, count = bytes.TrimSuffix(l.partial, []byte("\n")), l.count
	l.reset()
	if rawjson.Check(text, recordLimits) != nil {
		return line, 1
	}
	return text, count
}

func (l *Lines) reset() { l.partial, l.count, l.depth = nil, 0, 0 }

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
