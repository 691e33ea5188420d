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

// A lane is one direction of a pair. The writer's end is shut by its own Close,
// after which what is queued can still be read.
type lane struct {
	frames   chan []byte
	shut     chan struct{} // no more writes
	gone     chan struct{} // no more reads
	shutOnce sync.Once
	goneOnce sync.Once
}

func newLane() *lane {
	return &lane{frames: make(chan []byte, pairDepth), shut: make(chan struct{}), gone: make(chan struct{})}
}

type pairConn struct{ in, out *lane }

func (c *pairConn) Read() ([]byte, error) {
	select {
	case frame := <-c.in.frames:
		return frame, nil
	case <-c.in.gone:
		return nil, ErrClosed
	case <-c.in.shut:
		select {
		case frame := <-c.in.frames:
			return frame, nil
		default:
			return nil, io.EOF
		}
	}
}

func (c *pairConn) Write(ctx context.Context, msg []byte) error {
	select {
	case <-c.out.shut:
		return ErrClosed
	case <-c.out.gone:
		return io.ErrClosedPipe
	default:
	}
	select {
	case c.out.frames <- bytes.Clone(msg):
		return nil
	case <-c.out.gone:
		return io.ErrClosedPipe
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *pairConn) Close(context.Context) error {
	c.out.shutOnce.Do(func() { close(c.out.shut) })
	c.in.goneOnce.Do(func() { close(c.in.gone) })
	return nil
}
