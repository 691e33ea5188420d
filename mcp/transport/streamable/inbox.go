package streamable

import (
	"context"
	"sync"

	"mcpworks/mcp/transport"
)

// messageCost is what a waiting message takes besides its text.
const messageCost = 64

// An inbox is the messages that wait to be received, whatever stream brought
// them. Streams wait while it is full.
type inbox struct {
	max int

	mu     sync.Mutex
	frames [][]byte
	size   int
	closed bool
	more   sync.Cond
	room   chan struct{} // not nil while somebody waits for room; closed when there is
}

func newInbox(max int) *inbox {
	b := &inbox{max: max}
	b.more.L = &b.mu
	return b
}

// put adds a message, which is the inbox's from then on. A message alone is
// always taken.
func (b *inbox) put(ctx context.Context, frame []byte) error {
	b.mu.Lock()
	for !b.closed && b.size > 0 && b.size+len(frame)+messageCost > b.max {
		if b.room == nil {
			b.room = make(chan struct{})
		}
		room := b.room
		b.mu.Unlock()
		select {
		case <-room:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		b.mu.Lock()
	}
	defer b.mu.Unlock()
	if b.closed {
		return transport.ErrClosed
	}
	b.frames = append(b.frames, frame)
	b.size += len(frame) + messageCost
	b.more.Signal()
	return nil
}

// take waits for the next message.
func (b *inbox) take() ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.frames) == 0 {
		if b.closed {
			return nil, transport.ErrClosed
		}
		b.more.Wait()
	}
	frame := b.frames[0]
	b.frames[0] = nil
	b.frames = b.frames[1:]
	b.size -= len(frame) + messageCost
	b.makeRoom()
	return frame, nil
}

func (b *inbox) makeRoom() {
	if b.room != nil {
		close(b.room)
		b.room = nil
	}
}

// close drops all messages and takes no more.
func (b *inbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed, b.frames = true, nil
	b.makeRoom()
	b.more.Broadcast()
}
