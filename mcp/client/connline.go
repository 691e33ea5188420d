package client

import (
	"context"
	"sync"

	"mcpworks/mcp"
	"mcpworks/mcp/transport"
)

// LineOf makes the client end of a transport of a connection, whatever
// connection that is.
func LineOf(conn transport.Conn) transport.Line { return &connLine{conn: conn} }

type connLine struct {
	conn transport.Conn
	once sync.Once
	err  error // of Close
}

func (l *connLine) Send(ctx context.Context, out transport.Outgoing) error {
	return l.conn.Write(ctx, out.Frame)
}

func (l *connLine) Receive() ([]byte, error) { return l.conn.Read() }

func (l *connLine) Assume(*mcp.Revision) {}

func (l *connLine) CancelsByContext() bool { return false }

// SendRaw implements RawSender as far as a connection can: what it is given
// becomes a frame.
func (l *connLine) SendRaw(ctx context.Context, b []byte) error { return l.conn.Write(ctx, b) }

func (l *connLine) Close(ctx context.Context) error {
	l.once.Do(func() { l.err = l.conn.Close(ctx) })
	return l.err
}
