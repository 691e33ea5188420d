package transport

import (
	"bytes"
	"context"
	"sync"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

// Ask sends one request to a service, in a session of its own in the given
// revision, and returns the response; nil if ctx ended before it came. It is for
// programs that use a service themselves.
func Ask(ctx context.Context, service Service, rev *mcp.Revision, in Incoming) []byte {
	session := service.Open(func([]byte) error { return nil })
	defer session.Close()
	session.Assume(rev)
	in.ID = jsonrpc.IntID(1)
	out := &answer{}
	session.Handle(ctx, in, out)
	out.mu.Lock()
	defer out.mu.Unlock()
	return out.msg
}

// An answer is an outlet that keeps the answer and drops the rest.
type answer struct {
	mu  sync.Mutex
	msg []byte
}

func (a *answer) Notify(context.Context, []byte) error { return nil }

func (a *answer) Answer(_ context.Context, msg []byte, _ Outcome) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.msg = bytes.Clone(msg)
	return nil
}
