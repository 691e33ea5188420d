package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/stdio"
)

type panicky struct{}

func (panicky) MarshalJSON() ([]byte, error) { panic("asked to") }

func oneTool(t *testing.T, opts server.Options, run func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error)) *server.Server {
	opts.Tools = []server.Tool{{
		Tool:    mcp.Tool{Name: "one", Description: "One.", InputSchema: json.RawMessage(`{"type":"object"}`)},
		Handler: run,
	}}
	return newDesk().server(t, opts)
}

// What a handler returns can be as wrong as what it does.
func TestERR5HandlerMistakesNeverEndTheProcess(t *testing.T) {
	for name, result := range map[string]*mcp.CallToolResult{
		"nil result":           nil,
		"nil block":            {Content: []mcp.Content{nil}},
		"panicking marshaller": {Structured: panicky{}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := oneTool(t, server.Options{}, func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) { return result, nil })
				k := openTalk(t, srv, mcp.V20251125, `{}`)
				k.call(1, "one", `{}`)
				k.want(1, "error -32603: internal error")
				k.alive()
				k.end()
			})
		})
	}
	for kind, request := range faultyRequests {
		t.Run("nil, nil from "+kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := openTalk(t, faulty(t, nil, func() error { return nil }), mcp.V20250618, `{}`)
				k.send(`{"jsonrpc":"2.0","id":1,%s}`, request)
				k.want(1, "error -32603: internal error")
				k.alive()
				k.end()
			})
		})
	}
	for mistake, err := range map[string]error{
		"nil *jsonrpc.Error": (*jsonrpc.Error)(nil),
		"panicking data":     &jsonrpc.Error{Code: 4711, Message: "no", Data: panicky{}},
	} {
		for kind, request := range faultyRequests {
			t.Run(mistake+" from "+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					k := openTalk(t, faulty(t, nil, func() error { return err }), mcp.V20250618, `{}`)
					k.send(`{"jsonrpc":"2.0","id":1,%s}`, request)
					k.want(1, "error -32603: internal error")
					k.alive()
					k.end()
				})
			})
		}
	}
}

// A call that is cancelled while it waits gives its place to the next.
func TestCAN2CancelledCallFreesItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		k := openTalk(t, d.server(t, server.Options{Limits: server.Limits{Calls: 1, Waiting: 1}}), mcp.V20250618, `{}`)
		k.hold("a", "a")
		d.arrivals()
		for _, name := range []string{"b", "c", "d"} {
			k.hold(name, name)
			if name != "d" {
				k.cancel(name)
			}
		}
		d.release("a")
		k.want("a", "held a")
		d.arrivals()
		d.release("d")
		k.want("d", "held d")
		k.end()
	})
}

// asking is a tool that asks for the roots and says what became of it.
func asking(t *testing.T, limits server.Limits) *server.Server {
	return oneTool(t, server.Options{Limits: limits}, func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
		answers, err := call.Ask(ctx, map[string]mcp.InputRequest{"roots": mcp.ListRoots()})
		if err != nil {
			return nil, err
		}
		return mcp.TextResult(string(answers["roots"])), nil
	})
}

// When as many calls wait as may, reading stops only for a while: the client's
// answer, which a running call waits for, must be read.
func TestAskIsAnsweredWhileTheQueueIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := openTalk(t, asking(t, server.Limits{Calls: 1, Waiting: 1}), mcp.V20250618, `{"roots":{}}`)
		lines := make(chan string, 100) // a client that never waits to send
		go func() {
			for line := range lines {
				k.send("%s", line)
			}
			k.out.Close()
		}()
		for i := range 4 { // one asks, one waits, one has no place
			lines <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"one"}}`, i)
		}
		busy := 0
		for answered := 0; answered < 4; {
			r := k.read()
			switch {
			case r.Method == "roots/list":
				lines <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[]}}`, r.ID)
				continue
			case r.text() == "error -32603: server is busy: too many requests are waiting":
				busy++
			case r.text() != `{"roots":[]}`:
				t.Errorf("got %s", r.raw)
			}
			answered++
		}
		if busy != 2 {
			t.Errorf("%d requests were refused, want the 2 that had no place", busy)
		}
		close(lines)
		k.wantEnd(nil)
	})
}

// CAN-2: for the same reason a call that hangs can still be cancelled.
func TestCAN2CancelWhileTheQueueIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		k := openTalk(t, d.server(t, server.Options{Limits: server.Limits{Calls: 1, Waiting: 1}}), mcp.V20250618, `{}`)
		for _, name := range []string{"a", "b", "c"} {
			k.hold(name, name)
		}
		go k.cancel("a")
		k.want("c", "error -32603: server is busy: too many requests are waiting")
		<-d.cancelled
		k.stop()
		k.inPipe.Close()
		<-k.served
	})
}

// A vanished client cancels its calls, but a write fails in the
// outbox's goroutine and is noticed by the next Write only, which may never come.
func TestClientGoneIsNoticedAtTheFirstFailedWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		k := openTalk(t, d.server(t, server.Options{Drain: time.Hour}), mcp.V20250618, `{}`)
		k.hold(1, "a")
		d.arrivals()
		gone := errors.New("gone")
		k.inPipe.CloseWithError(gone)
		k.echo(3, "nobody reads this")
		synctest.Wait()
		select {
		case <-d.cancelled:
		default:
			t.Error("the call goes on")
			d.release("a")
		}
		k.out.Close()
		<-k.served
	})
}

// BASE-1, PROG-1: 0/0 is an easy mistake in a handler, and the line that comes
// of it is not JSON.
func TestPROG1ProgressIsANumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := oneTool(t, server.Options{}, func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			for _, n := range []float64{math.NaN(), math.Inf(-1), math.Inf(1)} {
				call.Progress(ctx, n, n, "")
			}
			return mcp.TextResult("done"), nil
		})
		k := openTalk(t, srv, mcp.V20250618, `{}`)
		k.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"one","_meta":{"progressToken":1}}}`)
		for {
			r, err := k.readErr()
			if err != nil {
				t.Error(err)
				continue
			}
			if r.id() == "1" {
				break
			}
		}
		k.end()
	})
}

// STD-1: questions are written as they are given, line breaks included.
func TestSTD1AskWithAPrettySchema(t *testing.T) {
	for _, rev := range []*mcp.Revision{mcp.V20250618, mcp.V20260728} {
		t.Run(rev.Version, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := oneTool(t, server.Options{}, func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
					_, err := call.Ask(ctx, map[string]mcp.InputRequest{"q": mcp.ElicitForm("m", json.RawMessage("{\n  \"type\": \"object\"\n}"))})
					return mcp.TextResult("done"), err
				})
				k := startTalk(t, srv, stdio.Options{})
				meta := ""
				if rev.Modern {
					meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
				} else {
					k.handshake(rev, `{"elicitation":{}}`)
				}
				k.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"one"%s}}`, meta)
				if _, err := k.readErr(); err != nil {
					t.Error(err)
				}
				k.stop()
				k.inPipe.Close()
				<-k.served
			})
		})
	}
}

// TOOL-1, LIFE-7: a server without prompts in its options does not declare
// them, yet SetPrompts is taken and announced.
func TestLIFE7UndeclaredListsAreNotAnnounced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newDesk().server(t, server.Options{ListChanged: true})
		k := openTalk(t, srv, mcp.V20250618, `{}`)
		k.quiet()
		err := srv.SetPrompts(server.Prompt{Prompt: mcp.Prompt{Name: "p"}, Get: func(context.Context, *server.PromptCall) (*mcp.GetPromptResult, error) {
			return nil, errors.New("never")
		}})
		time.Sleep(time.Second) // of the bubble
		k.send(`{"jsonrpc":"2.0","id":"quiet","method":"ping"}`)
		if r := k.read(); err == nil && r.Method != "" {
			t.Errorf("announced: %s", r.raw)
		}
		k.stop()
		k.inPipe.Close()
		<-k.served
	})
}

// LIFE-7: 2025-06-18 has no URL mode, whatever a client declares.
func TestLIFE7URLElicitationIsOf2025November(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := oneTool(t, server.Options{}, func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			_, err := call.Ask(ctx, map[string]mcp.InputRequest{"q": mcp.ElicitURL("m", "https://example.com/", "1")})
			return mcp.TextResult("done"), err
		})
		k := openTalk(t, srv, mcp.V20250618, `{"elicitation":{"url":{}}}`)
		k.call(1, "one", `{}`)
		if r := k.read(); r.Method != "" || !strings.HasPrefix(r.text(), "failed: ") {
			t.Errorf("got %s", r.raw)
		}
		k.stop()
		k.inPipe.Close()
		<-k.served
	})
}

// CAN-2: a call that was cancelled asks nobody anything any more.
func TestCAN2CancelledCallDoesNotAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := oneTool(t, server.Options{}, func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			<-ctx.Done()
			_, err := call.Ask(ctx, map[string]mcp.InputRequest{"roots": mcp.ListRoots()})
			return nil, err
		})
		k := openTalk(t, srv, mcp.V20250618, `{"roots":{}}`)
		k.call(1, "one", `{}`)
		k.cancel(1)
		synctest.Wait()
		k.send(`{"jsonrpc":"2.0","id":"quiet","method":"ping"}`)
		if r := k.read(); r.id() != `"quiet"` {
			t.Errorf("got %s", r.raw)
		}
		k.stop()
		k.inPipe.Close()
		<-k.served
	})
}

// ERA-1: only the version key makes a request modern; initialize without it is
// legacy, whatever else its _meta has.
func TestERA1InitializeWithoutVersionKeyIsLegacy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := startTalk(t, newDesk().server(t, server.Options{}), stdio.Options{})
		k.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"0"},"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"c","version":"0"}}}}`)
		if r := k.read(); r.Error != nil {
			t.Errorf("got %s", r.raw)
		}
		k.end()
	})
}
