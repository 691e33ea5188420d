package transport

import (
	"bytes"
	"context"
	"io"
	"sync"
)

// pairDepth is how many messages one direction of a pair holds.
const pairDepth = 16

// Pair returns the two ends of a connection in memory. What one end writes the
// other reads; a full direction blocks its writer like any slow peer.
func Pair() (Conn, Conn) {
	toA, toB := newLane(), newLane()
	return &pairConn{in: toA, out: toB}, &pairConn{in: toB, out: toA}
}

type pairConn struct{ in, out *lane }

func (c *pairConn) Read() ([]byte, error) { return c.in.read() }

func (c *pairConn) Write(ctx context.Context, msg []byte) error {
	return c.out.write(ctx, bytes.Clone(msg))
}

func (c *pairConn) Gone() <-chan struct{} { return c.out.gone }

func (c *pairConn) Close(context.Context) error {
	c.out.shut()
	c.in.leave()
	return nil
}

// A lane is one direction of a pair.
type lane struct {
	gone chan struct{} // closed when the reader is

	mu      sync.Mutex
	frames  [][]byte
	over    bool          // the writer is done; what is queued can still be read
	left    bool          // the reader is gone
	changed chan struct{} // closed and replaced at every change
}

func newLane() *lane { return &lane{gone: make(chan struct{}), changed: make(chan struct{})} }

func (l *lane) change() {
	close(l.changed)
	l.changed = make(chan struct{})
}

func (l *lane) read() ([]byte, error) {
	for {
		l.mu.Lock()
		changed := l.changed
		switch {
		case l.left:
			l.mu.Unlock()
			return nil, ErrClosed
		case len(l.frames) > 0:
			frame := l.frames[0]
			l.frames = l.frames[1:]
			l.change()
			l.mu.Unlock()
			return frame, nil
		case l.over:
			l.mu.Unlock()
			return nil, io.EOF
		}
		l.mu.Unlock()
		<-changed
	}
}

func (l *lane) write(ctx context.Context, frame []byte) error {
	for {
		l.mu.Lock()
		changed := l.changed
		switch {
		case l.over:
			l.mu.Unlock()
			return ErrClosed
		case l.left:
			l.mu.Unlock()
			return ErrGone
		case len(l.frames) < pairDepth:
			l.frames = append(l.frames, frame)
			l.change()
			l.mu.Unlock()
			return nil
		}
		l.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// shut ends the writing.
func (l *lane) shut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	l.change()
}

// leave ends the reading.
func (l *lane) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.left {
		l.left = true
		close(l.gone)
		l.change()
	}
}
