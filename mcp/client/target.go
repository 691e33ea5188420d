package client

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"mcpworks/mcp/transport"
)

// A Target says where a server is: a Command to start, a URL to dial, a DialFunc
// of the caller's own, or, with Over, a line that is open already.
type Target interface {
	// dial opens a line.
	dial(ctx context.Context, way Way, opts *Options, rec *recording) (transport.Line, error)
	// again says whether dial can be called again.
	again() bool
}

// Dial opens a line to a target without saying anything on it. It is for those
// who want to be rude; a Command becomes a *Process. What is said on the line is
// theirs to record.
func Dial(ctx context.Context, target Target, opts Options) (transport.Line, error) {
	if err := opts.setDefaults(); err != nil {
		return nil, err
	}
	return target.dial(ctx, opts.Way, &opts, newRecording(target, &opts))
}

// Over is the target of a line, which the session then owns.
func Over(line transport.Line) Target { return &lineTarget{line: line} }

type lineTarget struct {
	line transport.Line
	used sync.Once
}

func (t *lineTarget) dial(context.Context, Way, *Options, *recording) (line transport.Line, err error) {
	err = errors.New("the line was used before")
	t.used.Do(func() { line, err = t.line, nil })
	return line, err
}

func (*lineTarget) again() bool { return false }

// A DialFunc opens a line to a server, each time a new one. The context is for
// opening it.
type DialFunc func(ctx context.Context) (transport.Line, error)

func (f DialFunc) dial(ctx context.Context, _ Way, _ *Options, _ *recording) (transport.Line, error) {
	return f(ctx)
}

func (DialFunc) again() bool { return true }

// dial opens a line and begins to read from it.
func (c *core) dial(ctx context.Context, way Way) (*link, error) {
	line, err := c.target.dial(ctx, way, &c.opts, c.rec)
	if err != nil {
		return nil, err
	}
	return c.start(ctx, line)
}

// A RawSender is a line that takes bytes that are no message.
type RawSender interface {
	// SendRaw writes bytes as they are, between messages.
	SendRaw(ctx context.Context, b []byte) error
}

// A ConnectError says why a session could not be opened.
type ConnectError struct {
	Attempts []Attempt // all that was tried, in order
	Err      error     // the one that counts
}

func (e *ConnectError) Error() string { return fmt.Sprintf("connecting: %v", e.Err) }

// Unwrap returns the error that counts.
func (e *ConnectError) Unwrap() error { return e.Err }

// An Attempt is one try to open a session.
type Attempt struct {
	Way    string // stdio, streamable, sse or line
	Method string // server/discover or initialize, or a list that shows the era; empty for opening the line
	Err    error  // nil if it worked
}
