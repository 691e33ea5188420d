package server

import (
	"context"

	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// A Dialect is a wire contract of its own, older or stricter than the
// protocol's. It is for connections; over HTTP, how messages are read and
// ordered is not its matter. What is left zero stays as the protocol has it.
type Dialect struct {
	// Parse reads a frame in place of jsonrpc.Check and jsonrpc.Parse. Arrays
	// are its own matter, too. It may change what the client said, and refuse
	// it: the error is then sent with the id of the message that comes with it.
	// A zero message without an error is dropped. initialized says whether an
	// initialize request was answered before.
	Parse func(frame []byte, initialized bool) (jsonrpc.Message, *jsonrpc.Error)
	// TooLong answers a frame beyond the transport's limit.
	TooLong *jsonrpc.Error
	// Closing answers a request that comes when the server is about to end.
	Closing *jsonrpc.Error
	// InOrder answers each request before the next is read, even if the client
	// takes its time to read the answer. Handlers can then neither be cancelled
	// by the client nor ask it.
	InOrder bool
	// Reinitialize lets a client repeat initialize.
	Reinitialize bool
	// Error has the last word on every error that is sent, over HTTP too. The
	// request is nil where a message never became one, and has no revision
	// where that was not found out. It leaves the code as it is, and must not
	// change what it is given.
	Error func(*Request, *jsonrpc.Error) *jsonrpc.Error
	// NullID writes null for an id that could not be read, in revisions too
	// that leave it out.
	NullID bool
}

// tell is an error as the dialect says it.
func (d *Dialect) tell(r *Request, err *jsonrpc.Error) *jsonrpc.Error {
	if d.Error == nil {
		return err
	}
	return d.Error(r, err)
}

// speak prepares a connection for the dialect of its server.
func (c *connection) speak() {
	c.out, c.start = lateOutlet{c}, c.startLater
	if c.srv.dialect.InOrder {
		c.out, c.start = c, answerHere
	}
}

// answerHere answers a request in the goroutine that brought it.
func answerHere(ctx context.Context, r *Request) error {
	r.answer(ctx)
	return nil
}

// take goes on with a message that was read, or could not be.
func (c *connection) take(ctx context.Context, m jsonrpc.Message, size int, err *jsonrpc.Error) {
	if err != nil {
		c.refuse(ctx, m.ID, err, c.out)
		return
	}
	c.Handle(ctx, transport.Incoming{Message: m, Size: size}, c.out)
}

// refuseLong answers a frame that never arrived.
func (c *connection) refuseLong(ctx context.Context, tooLong *transport.FrameError) {
	err := c.srv.dialect.TooLong
	if err == nil {
		err = invalidRequest(tooLong.Error())
	}
	c.refuse(ctx, jsonrpc.ID{}, err, c.out)
}
