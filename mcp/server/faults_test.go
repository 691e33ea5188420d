package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/stdio"
)

// faulty declares one of everything, each with the same fault.
func faulty(t *testing.T, log *slog.Logger, fault func() error) *server.Server {
	d := newDesk()
	return d.server(t, server.Options{
		Log: log,
		Tools: []server.Tool{{
			Tool:    mcp.Tool{Name: "faulty", Description: "Fails.", InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`)},
			Handler: func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) { return nil, fault() },
		}},
		Resources: []server.Resource{{
			Resource: mcp.Resource{URI: "test:faulty", Name: "faulty"},
			Read:     func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) { return nil, fault() },
		}},
		Templates: []server.ResourceTemplate{{
			ResourceTemplate: mcp.ResourceTemplate{URITemplate: "template:{x}", Name: "faulty"},
			Read:             func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) { return nil, fault() },
		}},
		Prompts: []server.Prompt{{
			Prompt: mcp.Prompt{Name: "faulty"},
			Get:    func(context.Context, *server.PromptCall) (*mcp.GetPromptResult, error) { return nil, fault() },
		}},
		Complete:     func(context.Context, *server.CompleteCall) (*mcp.CompleteResult, error) { return nil, fault() },
		UnknownTool:  func(string) error { return fault() },
		BadArguments: func(string, []server.Violation) (*mcp.CallToolResult, error) { return nil, fault() },
	})
}

// faultyRequests reach every kind of code that a program gives to a server.
var faultyRequests = map[string]string{
	"tool":          `"method":"tools/call","params":{"name":"faulty"}`,
	"unknown tool":  `"method":"tools/call","params":{"name":"nothing"}`,
	"bad arguments": `"method":"tools/call","params":{"name":"faulty","arguments":{"n":"x"}}`,
	"resource":      `"method":"resources/read","params":{"uri":"test:faulty"}`,
	"template":      `"method":"resources/read","params":{"uri":"template:1"}`,
	"prompt":        `"method":"prompts/get","params":{"name":"faulty"}`,
	"completion":    `"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"faulty"},"argument":{"name":"a","value":""}}`,
}

func TestERR5PanicIsAnInternalErrorAndTheSessionSurvives(t *testing.T) {
	for kind, request := range faultyRequests {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log strings.Builder
				srv := faulty(t, slog.New(slog.NewTextHandler(&log, nil)), func() error {
					panic(errors.New("secret-7 spilled"))
				})
				k := openTalk(t, srv, mcp.V20250618, `{}`)
				for i := range 3 {
					k.send(`{"jsonrpc":"2.0","id":%d,%s}`, i, request)
					k.want(i, "error -32603: internal error")
				}
				k.alive()
				k.end()
				if !strings.Contains(log.String(), "secret-7 spilled") || !strings.Contains(log.String(), "faults_test.go") {
					t.Errorf("the log does not say what happened: %s", log.String())
				}
			})
		})
	}
}

func TestERR5PlainErrorsAreNotShown(t *testing.T) {
	for kind, request := range faultyRequests {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := faulty(t, nil, func() error { return errors.New("open /etc/secret-7: denied") })
				k := openTalk(t, srv, mcp.V20250618, `{}`)
				k.send(`{"jsonrpc":"2.0","id":1,%s}`, request)
				r := k.read()
				if strings.Contains(r.raw, "secret-7") || !strings.Contains(r.raw, "internal error") {
					t.Errorf("got %s", r.raw)
				}
				if failed := r.Error == nil; failed != strings.Contains(request, "tools/call") { // TOOL-9
					t.Errorf("got %s", r.raw)
				}
				k.alive()
				k.end()
			})
		})
	}
}

func TestWireErrorsPassAndTheirCausesDoNot(t *testing.T) {
	for kind, request := range faultyRequests {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := faulty(t, nil, func() error {
					wire := &jsonrpc.Error{Code: 4711, Message: "not today", Data: map[string]any{"a": 1}, Cause: errors.New("secret-7")}
					return fmt.Errorf("wrapped secret-7: %w", wire)
				})
				k := openTalk(t, srv, mcp.V20250618, `{}`)
				k.send(`{"jsonrpc":"2.0","id":1,%s}`, request)
				r := k.read()
				if r.text() != "error 4711: not today" || string(r.Error.Data) != `{"a":1}` || strings.Contains(r.raw, "secret-7") {
					t.Errorf("got %s", r.raw)
				}
				k.end()
			})
		})
	}
}

func TestTOOL9FailuresOfTools(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"failure": {&server.Failure{Text: "no such city", Cause: errors.New("secret-7")}, "failed: no such city"},
		"failure of another service": {
			&server.Failure{Text: "not now", Cause: fmt.Errorf("call: %w", &jsonrpc.Error{Code: -32000, Message: "secret-7"})}, "failed: not now",
		},
		"wrapped failure": {fmt.Errorf("secret-7: %w", &server.Failure{Text: "no"}), "failed: no"},
		"deadline":        {fmt.Errorf("secret-7: %w", context.DeadlineExceeded), "failed: the tool faulty failed: it took too long"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := openTalk(t, faulty(t, nil, func() error { return test.err }), mcp.V20250618, `{}`)
				k.call(1, "faulty", `{}`)
				k.want(1, test.want)
				k.end()
			})
		})
	}
}

func TestRES4NothingToReadIsNotFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := openTalk(t, faulty(t, nil, func() error { return server.ErrNotFound }), mcp.V20250618, `{}`)
		k.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"template:1"}}`)
		if r := k.read(); r.text() != "error -32002: resource not found" || string(r.Error.Data) != `{"uri":"template:1"}` {
			t.Errorf("got %s", r.raw)
		}
		k.end()
	})
}

// shutdowns are the two ways to ask a server to stop.
var shutdowns = map[string]func(*talk){
	"STD5 end of input": func(k *talk) { k.out.Close() },
	"context":           func(k *talk) { k.stop() },
}

func eachShutdown(t *testing.T, test func(t *testing.T, shut func(*talk))) {
	for name, shut := range shutdowns {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(t, shut) })
		})
	}
}

func TestCallsInFlightAreAnsweredBeforeTheEnd(t *testing.T) {
	eachShutdown(t, func(t *testing.T, shut func(*talk)) {
		d := newDesk()
		k := openTalk(t, d.server(t, server.Options{Limits: server.Limits{Calls: 2}}), mcp.V20250618, `{}`)
		for i := range 5 { // two run, three wait
			k.hold(i, fmt.Sprint(i))
		}
		d.arrivals()
		shut(k)
		synctest.Wait()
		for i := range 5 {
			d.release(fmt.Sprint(i))
			k.want(i, fmt.Sprint("held ", i))
			d.arrivals()
		}
		k.wantEnd(nil)
	})
}

func TestIdleServerEndsAtOnce(t *testing.T) {
	eachShutdown(t, func(t *testing.T, shut func(*talk)) {
		began := time.Now()
		k := openTalk(t, newDesk().server(t, server.Options{}), mcp.V20250618, `{}`)
		k.alive()
		shut(k)
		k.wantEnd(nil)
		if took := time.Since(began); took != 0 { // of the bubble's clock
			t.Errorf("took %v", took)
		}
	})
}

func TestCallsAreCancelledAfterDrain(t *testing.T) {
	for drain, want := range map[time.Duration]time.Duration{0: 3 * time.Second, time.Minute: time.Minute, -1: 0} {
		t.Run(drain.String(), func(t *testing.T) {
			eachShutdown(t, func(t *testing.T, shut func(*talk)) {
				d := newDesk()
				k := openTalk(t, d.server(t, server.Options{Drain: drain}), mcp.V20250618, `{}`)
				k.hold(1, "a")
				d.arrivals()
				began := time.Now()
				shut(k)
				<-d.cancelled
				if took := time.Since(began); took != want {
					t.Errorf("cancelled after %v, want %v", took, want)
				}
				if r, err := k.readErr(); err == nil && r.id() != "1" {
					t.Errorf("got %s", r.raw)
				} else if err == nil {
					k.wantEnd(nil)
					return
				}
				if err := <-k.served; err != nil {
					t.Errorf("Serve returned %v", err)
				}
			})
		})
	}
}

// STD-5 gives five seconds, and nobody may be able to take more.
func TestSTD5EndsWithinFiveSecondsWhateverHandlersDo(t *testing.T) {
	eachShutdown(t, func(t *testing.T, shut func(*talk)) {
		d := newDesk()
		k := openTalk(t, d.server(t, server.Options{}), mcp.V20250618, `{}`)
		k.call(1, "stubborn", `{"name":"s"}`)
		d.arrivals()
		began := time.Now()
		shut(k)
		if r, err := k.readErr(); err != io.EOF {
			t.Errorf("got %s %v", r.raw, err)
		}
		if err := <-k.served; err != nil {
			t.Errorf("Serve returned %v", err)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
		d.release("s") // so that the bubble can end
		k.out.Close()
	})
}

func TestSTD5EndsWithinFiveSecondsForAClientThatDoesNotRead(t *testing.T) {
	eachShutdown(t, func(t *testing.T, shut func(*talk)) {
		d := newDesk()
		k := startTalk(t, d.server(t, server.Options{}), stdio.Options{MaxUnsent: 1 << 10})
		k.handshake(mcp.V20250618, `{}`)
		for i := range 10 {
			k.echo(i, strings.Repeat("x", 1<<10))
		}
		synctest.Wait()
		began := time.Now()
		shut(k)
		if err := <-k.served; err != nil {
			t.Errorf("Serve returned %v", err)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
		k.out.Close()
		synctest.Wait()
		if left := serverGoroutines(); left != "" {
			t.Errorf("after Serve there is still:\n%s", left)
		}
	})
}

func TestRequestsDuringDrainAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		k := openTalk(t, d.server(t, server.Options{}), mcp.V20250618, `{}`)
		k.hold(1, "a")
		d.arrivals()
		k.stop()
		synctest.Wait()
		k.echo(2, "late")
		k.want(2, "error -32603: server is shutting down")
		k.send(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
		k.want(3, "error -32603: server is shutting down")
		k.send(`garbage`)
		k.want(nil, "error -32700: Parse error")
		k.cancel(1) // can still be cancelled
		<-d.cancelled
		k.wantEnd(nil)
	})
}

func TestClientGoneCancelsItsCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		k := openTalk(t, d.server(t, server.Options{Drain: time.Hour}), mcp.V20250618, `{}`)
		k.hold(1, "a")
		k.hold(2, "b")
		d.arrivals()
		gone := errors.New("gone")
		k.inPipe.CloseWithError(gone) // its output; the input stays open
		k.echo(3, "nobody reads this")
		synctest.Wait()
		<-d.cancelled
		<-d.cancelled
		if err := <-k.served; !errors.Is(err, transport.ErrGone) {
			t.Errorf("Serve returned %v", err)
		}
		synctest.Wait()
		if left := serverGoroutines(); left != "" {
			t.Errorf("after Serve there is still:\n%s", left)
		}
	})
}

func TestReadErrorEndsServe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := openTalk(t, newDesk().server(t, server.Options{}), mcp.V20250618, `{}`)
		k.alive()
		broken := errors.New("broken")
		k.out.CloseWithError(broken)
		k.wantEnd(broken)
	})
}

func TestHandlersSeeTheirRequest(t *testing.T) {
	type key struct{}
	synctest.Test(t, func(t *testing.T) {
		var values []any
		srv := newDesk().server(t, server.Options{Tools: []server.Tool{{
			Tool: mcp.Tool{Name: "look", Description: "Looks.", InputSchema: json.RawMessage(`{"type":"object"}`)},
			Handler: func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				values = append(values, ctx.Value(key{}), ctx.Err(), call.ID().String(), call.Revision().Version, string(call.ClientInfo()))
				return mcp.TextResult("ok"), nil
			},
		}}})
		in, serverOut := io.Pipe()
		serverIn, out := io.Pipe()
		ctx := context.WithValue(t.Context(), key{}, "value")
		k := &talk{t: t, out: out, inPipe: in, served: make(chan error, 1)}
		k.in = bufio.NewReader(in)
		go func() { k.served <- srv.Serve(ctx, stdio.New(serverIn, serverOut, stdio.Options{})) }()
		k.handshake(mcp.V20250618, `{}`)
		k.call("x", "look", `{}`)
		k.want("x", "ok")
		k.end()
		want := []any{"value", nil, `"x"`, "2025-06-18", `{"name":"talk","version":"0"}`}
		if fmt.Sprint(values) != fmt.Sprint(want) {
			t.Errorf("the handler saw %v, want %v", values, want)
		}
	})
}
