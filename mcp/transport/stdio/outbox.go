package stdio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"mcpworks/mcp/transport"
)

// keepBuffer is the largest buffer an idle outbox holds on to.
const keepBuffer = 256 << 10

// An outbox is the one writer of a connection. Messages gather in a buffer
// while the previous buffer is being written, so under load many of them share
// one system call, and a peer that does not read costs twice max bytes, or one
// message that is longer.
type outbox struct {
	out io.Writer
	max int

	mu     sync.Mutex
	queued []byte
	err    error         // final: a failed write, or ErrClosed
	more   chan struct{} // capacity 1: there is something to write, or to notice
	room   chan struct{} // not nil while somebody waits for room; closed when there is
	done   chan struct{} // closed when the goroutine ends
	gone   chan struct{} // closed when a write has failed
}

func newOutbox(out io.Writer, max int) *outbox {
	o := &outbox{
		out: out, max: max,
		more: make(chan struct{}, 1), done: make(chan struct{}), gone: make(chan struct{}),
	}
	go o.run()
	return o
}

// put queues one line. A message alone is always taken, however long it is.
func (o *outbox) put(ctx context.Context, msg []byte) error {
	o.mu.Lock()
	for o.err == nil && len(o.queued) > 0 && len(o.queued)+len(msg) >= o.max {
		if o.room == nil {
			o.room = make(chan struct{})
		}
		room := o.room
		o.mu.Unlock()
		select {
		case <-room:
		case <-ctx.Done():
			return ctx.Err()
		}
		o.mu.Lock()
	}
	defer o.mu.Unlock()
	if o.err != nil {
		return o.err
	}
	o.queued = append(append(o.queued, msg...), '\n')
	o.wake()
	return nil
}

func (o *outbox) wake() {
	select {
	case o.more <- struct{}{}:
	default:
	}
}

// run writes until a write fails or the outbox is closed and empty.
func (o *outbox) run() {
	defer close(o.done)
	var spare []byte
	for range o.more {
		runtime.Gosched() // calls about to finish share this write
		o.mu.Lock()
		for len(o.queued) > 0 {
			batch := o.queued
			o.queued = spare[:0]
			o.makeRoom()
			o.mu.Unlock()
			n, err := o.out.Write(batch)
			o.mu.Lock()
			if err == nil && n < len(batch) {
				err = io.ErrShortWrite
			}
			if err != nil {
				o.err = fmt.Errorf("%w: %w", transport.ErrGone, err)
				close(o.gone)
				o.makeRoom()
				o.mu.Unlock()
				return
			}
			if spare = batch; cap(spare) > keepBuffer {
				spare = nil
			}
		}
		ended := o.err != nil
		o.mu.Unlock()
		if ended {
			return
		}
	}
}

// makeRoom lets all blocked writers look again.
func (o *outbox) makeRoom() {
	if o.room != nil {
		close(o.room)
		o.room = nil
	}
}

// failure is why writing ended, nil if it did so in good order.
func (o *outbox) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if errors.Is(o.err, transport.ErrClosed) {
		return nil
	}
	return o.err
}

// close refuses new messages, waits until the queued ones are written or ctx
// ends, and closes the writer.
func (o *outbox) close(ctx context.Context) error {
	o.mu.Lock()
	if o.err == nil {
		o.err = transport.ErrClosed
		o.makeRoom()
	}
	o.mu.Unlock()
	o.wake()
	var err error
	select {
	case <-o.done:
		err = o.failure()
	case <-ctx.Done():
		err = errors.New("output was not read in time")
	}
	if closer, ok := o.out.(io.Closer); ok {
		err = errors.Join(err, closer.Close())
	}
	return err
}
