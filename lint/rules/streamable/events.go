package streamable

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// An event is what stands between two empty lines of a stream, as it is written.
// A client's parser skips what it does not understand; this one remembers.
type event struct {
	raw      []byte
	kind     string
	data     []byte
	hasData  bool
	id       string
	hasID    bool
	hasRetry bool
	odd      []string // what a client would skip or stumble over
}

// parseEvents reads a stream. What follows the last empty line is no event, and
// returned apart.
func parseEvents(text []byte) (events []event, rest []byte) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	var block event
	begin, fields := 0, 0
	for at := 0; at < len(text); {
		end, next := lineEnd(text, at)
		if end < 0 {
			break
		}
		switch line := text[at:end]; {
		case len(line) == 0:
			if block.raw = text[begin:at]; fields > 0 {
				events = append(events, block)
			}
			block, begin, fields = event{}, next, 0
		case line[0] != ':':
			fields++
			block.take(line)
		}
		at = next
	}
	if rest = text[begin:]; fields == 0 && !hasField(rest) {
		rest = nil
	}
	return events, rest
}

// lineEnd finds the end of a line and the beginning of the next; end is negative
// if the text ends first.
func lineEnd(text []byte, at int) (end, next int) {
	n := bytes.IndexAny(text[at:], "\r\n")
	if n < 0 {
		return -1, -1
	}
	end = at + n
	if text[end] == '\r' && end+1 < len(text) && text[end+1] == '\n' {
		return end, end + 2
	}
	return end, end + 1
}

// hasField says whether the end of a stream is more than comments and a mark.
func hasField(rest []byte) bool {
	for line := range bytes.FieldsFuncSeq(rest, func(r rune) bool { return r == '\r' || r == '\n' }) {
		if line[0] != ':' {
			return true
		}
	}
	return false
}

func (e *event) take(line []byte) {
	name, value, _ := bytes.Cut(line, []byte{':'})
	value = bytes.TrimPrefix(value, []byte{' '})
	switch string(name) {
	case "data":
		if e.hasData {
			e.data = append(e.data, '\n')
		}
		e.data, e.hasData = append(e.data, value...), true
	case "event":
		e.kind = string(value)
	case "id":
		if bytes.IndexByte(value, 0) >= 0 {
			e.odd = append(e.odd, "an event's id contains a null character")
			break
		}
		e.id, e.hasID = string(value), true
	case "retry":
		if e.hasRetry = isDigits(value); !e.hasRetry {
			e.odd = append(e.odd, "the value of retry is not a number of milliseconds")
		}
	default:
		e.odd = append(e.odd, "an event has a field that does not exist")
	}
}

func isDigits(text []byte) bool {
	return len(text) > 0 && len(bytes.Trim(text, "0123456789")) == 0
}

// empty says that the event carries no message, as one that only has an id to
// come back with.
func (e *event) empty() bool { return len(bytes.TrimSpace(e.data)) == 0 }

// values counts the JSON texts in the data, up to two; 0 means that it is none.
func (e *event) values() (n int) {
	decoder := json.NewDecoder(bytes.NewReader(e.data))
	for n < 2 {
		var value json.RawMessage
		if err := decoder.Decode(&value); errors.Is(err, io.EOF) {
			return n
		} else if err != nil {
			return 0
		}
		n++
	}
	return n
}
