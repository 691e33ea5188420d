package client_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/transport"
)

// closingServer opens a legacy session on one end of a pair and returns what
// the client said after that.
func closingServer(ctx context.Context, conn transport.Conn) <-chan string {
	said := make(chan string, 100)
	go func() {
		defer close(said)
		for {
			frame, err := conn.Read()
			switch {
			case err != nil:
				return
			case strings.Contains(string(frame), `"initialize"`):
				_ = conn.Write(ctx, []byte(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`))
			case !strings.Contains(string(frame), "notifications/initialized"):
				said <- string(frame)
			}
		}
	}()
	return said
}

// A9.3: the server learns of a request that timed out, also if the session is
// closed as soon as the caller knows.
func TestA93CloseAfterATimeout(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			ours, theirs := transport.Pair()
			said := closingServer(t.Context(), theirs)
			s, err := client.Connect(t.Context(), client.Over(client.LineOf(ours)), client.Options{
				Info: mcp.Implementation{Name: "c", Version: "1"}, Era: client.Legacy,
			})
			if err != nil {
				t.Fatal(err)
			}
			late := new(client.TimeoutError)
			if _, err := s.With(client.CallOptions{Timeout: time.Second}).Call(t.Context(), "slow", nil); !errors.As(err, &late) {
				t.Errorf("the call ends with %v", err)
			}
			if err := s.Close(t.Context()); err != nil {
				t.Error(err)
			}
			var heard []string
			for frame := range said {
				heard = append(heard, frame)
			}
			if len(heard) != 2 || !strings.Contains(heard[1], `"notifications/cancelled"`) || !strings.Contains(heard[1], `"requestId":2`) {
				t.Errorf("the server heard %q", heard)
			}
		})
	}
}

// deaf is a line on which cancellations get stuck until it is closed.
type deaf struct {
	transport.Line
	closed chan struct{}
	freed  chan string // what ended the sending
}

func (d *deaf) Send(ctx context.Context, out transport.Outgoing) error {
	if out.Method != mcp.NotifyCancelled {
		return d.Line.Send(ctx, out)
	}
	select {
	case <-d.closed:
		d.freed <- "the end of the line"
	case <-ctx.Done():
		d.freed <- "patience"
	}
	return transport.ErrClosed
}

func (d *deaf) Close(ctx context.Context) error {
	select {
	case <-d.closed:
	default:
		close(d.closed)
	}
	return d.Line.Close(ctx)
}

// A server that does not listen any more does not keep a session from closing.
func TestA93CloseDoesNotWaitForTheDeaf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := transport.Pair()
		said := closingServer(t.Context(), theirs)
		line := &deaf{client.LineOf(ours), make(chan struct{}), make(chan string, 1)}
		s, err := client.Connect(t.Context(), client.Over(line), client.Options{
			Info: mcp.Implementation{Name: "c", Version: "1"}, Era: client.Legacy,
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := s.Call(ctx, "slow", nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the call ends with %v", err)
		}
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if got := <-line.freed; got != "the end of the line" {
			t.Errorf("what ended the cancellation was %s", got)
		}
		for range said {
		}
	})
}
