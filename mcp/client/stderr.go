package client

import (
	"bytes"
	"io"
	"sync"
)

// maxStderrLine is where a line of standard error is broken for the record.
const maxStderrLine = 8 << 10

// A tail keeps the end of what is written to it, and tells of every line.
type tail struct {
	max  int
	tee  io.Writer         // gets everything; may be nil
	line func(line []byte) // is told of each

	mu     sync.Mutex
	kept   []byte // up to twice max
	broken []byte // the beginning of a line
}

// Write never fails: what a server says there is nobody's duty to read.
func (t *tail) Write(p []byte) (int, error) {
	if t.tee != nil {
		_, _ = t.tee.Write(p)
	}
	t.mu.Lock()
	t.kept = append(t.kept, p[max(0, len(p)-t.max):]...)
	if len(t.kept) > 2*t.max {
		t.kept = append(t.kept[:0], t.kept[len(t.kept)-t.max:]...)
	}
	t.mu.Unlock()
	t.split(p)
	return len(p), nil
}

// split finds the lines; only the writer calls it.
func (t *tail) split(p []byte) {
	for len(p) > 0 {
		room := maxStderrLine - len(t.broken)
		end := bytes.IndexByte(p, '\n')
		switch {
		case end >= 0 && end <= room:
			t.broken = append(t.broken, p[:end]...)
			p = p[end+1:]
		case len(p) >= room:
			t.broken = append(t.broken, p[:room]...)
			p = p[room:]
		default:
			t.broken = append(t.broken, p...)
			return
		}
		t.flush()
	}
}

// flush tells of a line, finished or not.
func (t *tail) flush() {
	t.line(bytes.TrimSuffix(t.broken, []byte("\r")))
	t.broken = t.broken[:0]
}

// finish tells of a last line that was not finished.
func (t *tail) finish() {
	if len(t.broken) > 0 {
		t.flush()
	}
}

// String returns what is kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept[max(0, len(t.kept)-t.max):])
}
