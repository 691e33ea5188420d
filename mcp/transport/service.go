package transport

import (
	"context"
	"errors"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

// A Service is the server end as transports see it that own no connection: over
// HTTP every message comes by itself and its answers have their own way back.
type Service interface {
	// Limits are those of one message.
	Limits() rawjson.Limits
	// Revisions are those served, newest first.
	Revisions() []*mcp.Revision
	// Open starts a session. What no request asked for goes to tell, which
	// must not block for long.
	Open(tell func(msg []byte) error) Session
	// CheckBatch says whether an array of so many messages is a message in a
	// revision; nil stands for none agreed yet.
	CheckBatch(rev *mcp.Revision, messages int) *jsonrpc.Error
	// Refusal is the response to a message that never became a call: because
	// of the session, or because a transport cannot take it. A nil revision
	// stands for none agreed yet.
	Refusal(rev *mcp.Revision, id jsonrpc.ID, err *jsonrpc.Error) []byte
	// HeaderParams lists the arguments of a tool that are mirrored in HTTP
	// headers.
	HeaderParams(tool string) []HeaderParam
}

// A Session is one conversation of a Service.
type Session interface {
	// Handle takes one message and returns when everything about it was given
	// to out. The context is that of the work: ending it cancels the request.
	Handle(ctx context.Context, in Incoming, out Outlet)
	// Revision is the one agreed in the handshake, nil before that.
	Revision() *mcp.Revision
	// Assume stands for a handshake that a transport without sessions never
	// sees.
	Assume(rev *mcp.Revision)
	// Close ends the session: its requests are cancelled, its subscriptions
	// forgotten.
	Close()
}

// An Incoming message, with what the transport knows about it.
type Incoming struct {
	jsonrpc.Message
	Size int // of its frame, in bytes
	// Modern says that the transport knows the request to be of the modern
	// era, whatever its _meta says.
	Modern bool
	// Principal is who sent it, empty where all callers are the same.
	Principal string
	// Admitted is called once the request can be cancelled, or was refused;
	// nil means that nobody cares.
	Admitted func()
	// Verify is asked once the request is known to be sound, before its
	// handler runs; nil means yes.
	Verify func() *jsonrpc.Error
}

// An Outlet takes the messages about one incoming message.
type Outlet interface {
	// Notify sends a message that comes before the answer.
	Notify(ctx context.Context, msg []byte) error
	// Answer sends the last message.
	Answer(ctx context.Context, msg []byte, outcome Outcome) error
}

// A StreamCloser is an Outlet whose client can come back for the rest.
type StreamCloser interface {
	// CloseStream ends the connection but not the request; the client should
	// come back after the given time.
	CloseStream(retry time.Duration)
}

// An Outcome says what an answer is, for transports that show it outside of the
// message.
type Outcome struct {
	// Code is that of the error, 0 for a result.
	Code int
	// Refused says that no handler has seen the request.
	Refused bool
	// Busy says that there are too many requests, and that it may be sent again.
	Busy bool
}

// ErrBusy answers requests that are too many. It is known by its address.
var ErrBusy = &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "server is busy: too many requests are waiting"}

// IsBusy says whether an error is ErrBusy, or has it among its causes. Errors of
// JSON-RPC are otherwise alike if their codes are.
func IsBusy(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if err == error(ErrBusy) {
			return true
		}
	}
	return false
}

// A HeaderParam is an argument that a modern client repeats in the header
// Mcp-Param-Name.
type HeaderParam struct {
	Name string
	Path []string // of members, from the arguments down
}
