// Package transport carries whole JSON-RPC messages between two peers.
package transport

import (
	"context"
	"errors"
	"fmt"
)

// A Conn is one end of a connection. Read is for one goroutine, Write and
// Close are for any number of them.
type Conn interface {
	// Read returns the next frame, which then belongs to the caller. io.EOF
	// says that the peer is done. A *FrameError says that one frame could not
	// be delivered and that the next Read goes on behind it; any other error
	// is final.
	Read() ([]byte, error)

	// Write queues one message; msg can be used again as soon as it returns.
	// It blocks while too many bytes wait for a slow peer, until there is room
	// or ctx ends. An error other than ctx's is final for writing.
	Write(ctx context.Context, msg []byte) error

	// Gone is closed when nothing can be written any more because the peer is
	// not there.
	Gone() <-chan struct{}

	// Close stops the connection: queued messages are still sent until ctx
	// ends, then both directions are shut and a blocked Read returns, unless
	// it is stuck in an operating system call that cannot be interrupted.
	Close(ctx context.Context) error
}

// ErrClosed is the error of using a connection after Close, ErrGone that of
// writing to a peer who is not there.
var (
	ErrClosed = errors.New("connection closed")
	ErrGone   = errors.New("peer is gone")
)

// A FrameError is a frame that was thrown away because it was too long.
type FrameError struct {
	Limit int // in bytes
}

func (e *FrameError) Error() string {
	return fmt.Sprintf("message is longer than %d bytes", e.Limit)
}
