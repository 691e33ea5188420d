// Package eventstream reads server-sent events as the WHATWG HTML standard has
// them, from bytes that nobody vouches for.
//
// It differs from the standard in one thing: text that is not UTF-8 is handed on
// as it is, not repaired. Whoever reads a message wants to know that it was
// broken.
package eventstream

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"math"
	"time"
)

// An Event is one that the stream sent off with an empty line.
type Event struct {
	Type string // "message" unless the stream names another
	Data []byte // its lines, with newlines between them; belongs to the caller
	ID   string // the last one the stream gave, with this event or before
}

// ErrTooLong is the error of an event beyond the limit. It has been read to its
// end, and the next one can be read.
var ErrTooLong = errors.New("event is too long")

const (
	readAhead     = 4 << 10
	keepBuffer    = 64 << 10 // of lines longer than that
	maxEmptyReads = 100      // in a row, before the reader is given up
)

var byteOrderMark = []byte("\ufeff")

// A Reader reads the events of one stream. It is for one goroutine and starts
// none.
type Reader struct {
	in       io.Reader
	maxEvent int
	err      error // of in

	buf        []byte
	start, end int    // of what is in buf
	line       []byte // the beginning of a line that began in an earlier buf
	cut        bool   // the line is longer than what is kept of it
	skipLF     bool   // the last line ended with CR, of CRLF perhaps
	begun      bool   // the first line is over

	data     []byte
	hasData  bool // the data can be empty
	kind     string
	tooLong  bool
	nextID   string // of the event being read, which may yet break off
	id       string
	retry    time.Duration
	hasRetry bool
}

// NewReader returns a reader of the events in in. The data of an event, its type
// and its id are each at most maxEvent bytes long.
func NewReader(in io.Reader, maxEvent int) *Reader {
	return &Reader{in: in, maxEvent: maxEvent, buf: make([]byte, readAhead)}
}

// LastID is the id to come back with: that of the last event, even if the event
// had nothing but the id. Empty stands for none.
func (r *Reader) LastID() string { return r.id }

// Continue tells the reader of a connection what the last id of the one before
// was.
func (r *Reader) Continue(id string) { r.id, r.nextID = id, id }

// Retry is how long the stream wants a client to wait before it comes back, and
// whether it said so.
func (r *Reader) Retry() (wait time.Duration, said bool) { return r.retry, r.hasRetry }

// Next returns the next event. At the end it fails with the error of the
// underlying reader, which is io.EOF for a stream that ended in order; what is
// incomplete then is dropped.
func (r *Reader) Next() (Event, error) {
	for {
		line, ok := r.readLine()
		switch {
		case !ok:
			return Event{}, r.err
		case len(line) > 0:
			r.field(line)
			continue
		}
		r.id = r.nextID
		ev := Event{Type: cmp.Or(r.kind, "message"), Data: r.data, ID: r.id}
		complete, tooLong := r.hasData, r.tooLong
		r.data, r.kind, r.hasData, r.tooLong = nil, "", false, false
		switch {
		case tooLong:
			return Event{}, ErrTooLong
		case complete:
			return ev, nil
		}
	}
}

// readLine returns the next line, without its end, until the next call. Of a
// line that is too long it returns the beginning and sets cut.
func (r *Reader) readLine() (line []byte, ok bool) {
	r.line, r.cut = r.line[:0], false
	if cap(r.line) > keepBuffer {
		r.line = nil
	}
	for {
		if r.start == r.end && !r.fill() {
			return nil, false
		}
		rest := r.buf[r.start:r.end]
		if r.skipLF {
			r.skipLF = false
			if rest[0] == '\n' {
				r.start++
				continue
			}
		}
		n := endOfLine(rest)
		if n < 0 {
			r.keep(rest)
			r.start = r.end
			continue
		}
		r.start += n + 1
		r.skipLF = rest[n] == '\r'
		if line = rest[:n]; len(r.line) > 0 || n > r.room() {
			r.keep(line)
			line = r.line
		}
		if !r.begun {
			r.begun = true
			line = bytes.TrimPrefix(line, byteOrderMark)
		}
		return line, true
	}
}

func endOfLine(text []byte) int {
	n := bytes.IndexByte(text, '\n')
	if n >= 0 {
		text = text[:n]
	}
	if cr := bytes.IndexByte(text, '\r'); cr >= 0 {
		return cr
	}
	return n
}

// fieldRoom is what a line has besides a value: a name, a colon, a space and,
// in front of the first, a byte order mark.
const fieldRoom = 16

func (r *Reader) room() int { return r.maxEvent + fieldRoom - len(r.line) }

// keep appends to the line what there is room for.
func (r *Reader) keep(part []byte) {
	if room := r.room(); len(part) > room {
		part, r.cut = part[:room], true
	}
	r.line = append(r.line, part...)
}

// fill reads more, and fails when there is nothing more to come.
func (r *Reader) fill() bool {
	r.start, r.end = 0, 0
	for empty := 0; r.err == nil && r.end == 0; empty++ {
		if empty == maxEmptyReads {
			r.err = io.ErrNoProgress
			break
		}
		r.end, r.err = r.in.Read(r.buf)
	}
	return r.end > 0
}

// field takes in one line that is not empty.
func (r *Reader) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte{':'})
	value = bytes.TrimPrefix(value, []byte{' '})
	switch string(name) {
	case "data":
		r.addData(value)
	case "event":
		if r.fits(len(value)) {
			r.kind = string(value)
		}
	case "id":
		if r.fits(len(value)) && bytes.IndexByte(value, 0) < 0 {
			r.nextID = string(value)
		}
	case "retry":
		if wait, ok := parseRetry(value); ok && !r.cut && len(value) <= r.maxEvent {
			r.retry, r.hasRetry = wait, true
		}
	}
}

func (r *Reader) addData(value []byte) {
	size := len(r.data) + len(value)
	if r.hasData {
		size++
	}
	if !r.fits(size) || r.tooLong {
		r.data = nil // which nobody will see
		return
	}
	if r.hasData {
		r.data = append(r.data, '\n')
	}
	r.data, r.hasData = append(r.data, value...), true
}

// fits says whether a value can be kept; if not, the event is too long.
func (r *Reader) fits(size int) bool {
	fits := !r.cut && size <= r.maxEvent
	r.tooLong = r.tooLong || !fits
	return fits
}

// parseRetry reads milliseconds; what no time.Duration can hold is the longest
// that it can.
func parseRetry(digits []byte) (time.Duration, bool) {
	const most = math.MaxInt64 / time.Millisecond
	wait := time.Duration(0)
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		wait = min(wait*10+time.Duration(c-'0'), most)
	}
	return wait * time.Millisecond, len(digits) > 0
}
