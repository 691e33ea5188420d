package transport

import (
	"context"
	"errors"
	"strconv"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

// A Line is the client end of a transport, for one conversation. What comes in,
// whatever brought it, is one sequence of messages; what goes out may each have
// a way of its own.
type Line interface {
	// Send delivers one message. For a request over Streamable HTTP it returns
	// when Receive has the answer, or will have it next, and in any case fails
	// when there will be none: see the errors below. On the other transports
	// it returns when the message is on its way, and the end of Receive is the
	// end of all answers. Ending ctx gives the message up.
	Send(ctx context.Context, out Outgoing) error
	// Receive returns the next frame, from any stream; it then belongs to the
	// caller, and is whatever the server sent as a message, or as an array of
	// them. It fails with io.EOF when the server ended the conversation in
	// order, with ErrLost when it broke off, and with ErrClosed after Close. A
	// *FrameError alone is not final: one frame was too long, and the next
	// Receive goes on behind it. It is for one goroutine.
	Receive() ([]byte, error)
	// Assume tells the line which revision was agreed, for transports that
	// show it outside of the message.
	Assume(rev *mcp.Revision)
	// CancelsByContext says whether ending the context of a request's Send is
	// how the server learns that it is cancelled; if not, the client tells it.
	CancelsByContext() bool
	// Close ends the conversation as the transport has it and returns when all
	// that belongs to it has ended, or ctx.
	Close(ctx context.Context) error
}

// An Outgoing message, with what a transport shows outside of it.
type Outgoing struct {
	Frame  []byte // the whole message
	ID     jsonrpc.ID
	Method string // empty for a response
	// Name is the tool or prompt, or the URI of the resource, that a modern
	// request is about; empty if it is about none.
	Name string
	// Params are the values of arguments that are mirrored in headers.
	Params []MirroredParam
}

// IsRequest reports whether the message wants an answer.
func (o *Outgoing) IsRequest() bool { return o.Method != "" && !o.ID.IsZero() }

// A MirroredParam is an argument's value as text, under its header's name.
type MirroredParam struct{ Name, Value string }

// A StatusError is an HTTP answer that refuses a message. It is all there is:
// nothing of it comes through Receive, even if the body is a JSON-RPC error
// with the id of the request, which is for the sender to read. So the status is
// never apart from what it says, as the choice between the eras needs it.
//
// The status can be 200, for a request that was answered with an error that
// names no request.
type StatusError struct {
	Status    int
	Body      []byte // all of it if JSON, else its beginning
	JSON      bool   // the body is a whole JSON document
	Challenge string // of WWW-Authenticate
	// RetryAfter is that header, as it was sent.
	RetryAfter string
	// Location is where a redirect wanted to go that was not followed.
	Location string
}

func (e *StatusError) Error() string { return "HTTP status " + strconv.Itoa(e.Status) }

// A ContentError is an HTTP answer of success that is no message: a web page,
// say, or JSON that answers something else.
type ContentError struct {
	Type string // of Content-Type, as it was sent
	Body []byte // its beginning
}

func (e *ContentError) Error() string {
	if e.Type == "" {
		return "the answer is no message, and has no content type"
	}
	return "the answer is no message, but " + strconv.Quote(e.Type[:min(len(e.Type), 100)])
}

// ErrLost is the error of a request whose answer will not come any more, or of
// a conversation that broke off. A Send that fails with neither this nor one of
// the types above, nor because ctx or the line was ended, has failed before the
// server saw anything.
//
// ErrSessionGone is the error of a conversation that the server has forgotten,
// and stands beside the *StatusError that said so. From then on every Send fails
// with it, those under way too, and Receive has nothing more to give: a new line
// starts again with initialize.
var (
	ErrLost        = errors.New("the connection ended before the answer came")
	ErrSessionGone = errors.New("the server has forgotten the session")
)
