package lint

import "mcpworks/mcp/jsonrpc"

// Lines finds the messages in what a server prints, also those over several
// lines (A6.4).
type Lines struct{ joiner jsonrpc.Joiner }

// joinBytes is the most that is joined from several lines.
const joinBytes = 4 << 20

// Add takes a line and returns the text that it completes, or else the line
// itself. count says of how many lines that is made.
func (l *Lines) Add(line []byte) (text []byte, count int) {
	l.joiner.Bytes, l.joiner.Limits = joinBytes, recordLimits
	if role, text, count := l.joiner.Add(line); role == jsonrpc.Complete {
		return text, count
	}
	return line, 1
}
