package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/stdio"
)

// A talk is a raw client on in-memory pipes, made inside a bubble of
// testing/synctest: what never happens is then reported as a deadlock.
type talk struct {
	t      *testing.T
	out    *io.PipeWriter
	in     *bufio.Reader
	inPipe *io.PipeReader
	stop   context.CancelFunc // of the context of Serve
	served chan error         // what Serve returned
	shared bool               // other connections may go on after this one
}

// startTalk serves a connection on which nothing was said yet.
func startTalk(t *testing.T, srv *server.Server, opts stdio.Options) *talk {
	in, serverOut := io.Pipe()
	serverIn, out := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	k := &talk{t: t, out: out, in: bufio.NewReader(in), inPipe: in, stop: stop, served: make(chan error, 1)}
	go func() { k.served <- srv.Serve(ctx, stdio.New(serverIn, serverOut, opts)) }()
	return k
}

// openTalk does the handshake of a legacy revision too.
func openTalk(t *testing.T, srv *server.Server, rev *mcp.Revision, capabilities string) *talk {
	k := startTalk(t, srv, stdio.Options{})
	k.handshake(rev, capabilities)
	return k
}

func (k *talk) handshake(rev *mcp.Revision, capabilities string) {
	k.t.Helper()
	k.send(`{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"talk","version":"0"}}}`, rev.Version, capabilities)
	if r := k.read(); r.Error != nil || r.id() != `"open"` {
		k.t.Fatalf("handshake: %s", r.raw)
	}
	k.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func (k *talk) send(format string, args ...any) {
	k.t.Helper()
	if _, err := fmt.Fprintf(k.out, format+"\n", args...); err != nil {
		k.t.Errorf("send: %v", err)
	}
}

// call sends a tools/call; arguments is JSON.
func (k *talk) call(id any, tool, arguments string) {
	k.t.Helper()
	text, _ := json.Marshal(id)
	k.send(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, text, tool, arguments)
}

func (k *talk) hold(id any, name string) {
	k.t.Helper()
	k.call(id, "hold", fmt.Sprintf(`{"name":%q}`, name))
}
func (k *talk) echo(id any, text string) {
	k.t.Helper()
	k.call(id, "echo", fmt.Sprintf(`{"text":%q}`, text))
}

func (k *talk) cancel(id any) {
	k.t.Helper()
	text, _ := json.Marshal(id)
	k.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, text)
}

// A reply is any message of the server.
type reply struct {
	raw    string
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
}

func (r reply) id() string { return string(r.ID) }

// text is that of the first block of a tool result, or the error's.
func (r reply) text() string {
	if r.Error != nil {
		return fmt.Sprintf("error %d: %s", r.Error.Code, r.Error.Message)
	}
	var result struct {
		Content []struct{ Text string }
		IsError bool
	}
	_ = json.Unmarshal(r.Result, &result)
	switch {
	case len(result.Content) == 0:
		return string(r.Result)
	case result.IsError:
		return "failed: " + result.Content[0].Text
	}
	return result.Content[0].Text
}

// readErr returns the next message.
func (k *talk) readErr() (reply, error) {
	line, err := k.in.ReadString('\n')
	if err != nil {
		return reply{raw: line}, err
	}
	r := reply{raw: strings.TrimSuffix(line, "\n")}
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		return r, fmt.Errorf("%.200q: %w", line, err)
	}
	return r, nil
}

func (k *talk) read() reply {
	k.t.Helper()
	r, err := k.readErr()
	if err != nil {
		k.t.Fatalf("read: %v", err)
	}
	return r
}

// want reads the answer to a request.
func (k *talk) want(id any, text string) {
	k.t.Helper()
	wantID, _ := json.Marshal(id)
	if r := k.read(); r.id() != string(wantID) || r.text() != text {
		k.t.Errorf("got %.300s\nwant id %s and %q", r.raw, wantID, text)
	}
}

// alive wants an echo to be the very next thing the server says.
func (k *talk) alive() {
	k.t.Helper()
	k.echo("alive", "yes")
	k.want("alive", "yes")
}

// quiet wants the server to have nothing to say.
func (k *talk) quiet() {
	k.t.Helper()
	k.send(`{"jsonrpc":"2.0","id":"quiet","method":"ping"}`)
	k.want("quiet", "{}")
}

// end closes the input and wants nothing more but a good end.
func (k *talk) end() {
	k.t.Helper()
	k.out.Close()
	k.wantEnd(nil)
}

// wantEnd wants the output to end and Serve to return.
func (k *talk) wantEnd(want error) {
	k.t.Helper()
	if r, err := k.readErr(); err != io.EOF {
		k.t.Errorf("instead of the end: %s %v", r.raw, err)
	}
	if err := <-k.served; !errors.Is(err, want) {
		k.t.Errorf("Serve returned %v, want %v", err, want)
	}
	k.out.Close()
	synctest.Wait()
	if left := serverGoroutines(); left != "" && !k.shared {
		k.t.Errorf("after Serve there is still:\n%s", left)
	}
}

// serverGoroutines returns the stacks in which code of the server or of a
// transport is.
func serverGoroutines() string {
	buf := make([]byte, 1<<20)
	var left []string
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(stack, "mcpworks/mcp/server.") || strings.Contains(stack, "mcpworks/mcp/transport") {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}

// A desk holds calls until the test lets them go.
type desk struct {
	started   chan string // names of held calls, in order
	cancelled chan string

	mu      sync.Mutex
	waiting map[string]chan struct{}
	running int
	most    int // that ran at once
}

func newDesk() *desk {
	return &desk{started: make(chan string, 1000), cancelled: make(chan string, 1000), waiting: map[string]chan struct{}{}}
}

func (d *desk) enter(name string) <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running++
	d.most = max(d.most, d.running)
	let := make(chan struct{})
	d.waiting[name] = let
	d.started <- name
	return let
}

func (d *desk) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running--
}

// release lets a call go that has started.
func (d *desk) release(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.waiting[name])
	delete(d.waiting, name)
}

// arrivals returns who has started since the last time, once all is quiet.
func (d *desk) arrivals() (names []string) {
	synctest.Wait()
	for {
		select {
		case name := <-d.started:
			names = append(names, name)
		default:
			return names
		}
	}
}

// tools are echo, hold, which answers when released or cancelled, and
// stubborn, which does not care to be cancelled.
func (d *desk) tools() []server.Tool {
	name := json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)
	return []server.Tool{
		{
			Tool: mcp.Tool{Name: "echo", Description: "Echoes.", InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)},
			Handler: func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				return mcp.TextResult(call.Arguments["text"].(string)), nil
			},
		},
		{
			Tool: mcp.Tool{Name: "hold", Description: "Waits.", InputSchema: name},
			Handler: func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				name := call.Arguments["name"].(string)
				defer d.leave()
				select {
				case <-d.enter(name):
					return mcp.TextResult("held " + name), nil
				case <-ctx.Done():
					d.cancelled <- name
					return nil, ctx.Err()
				}
			},
		},
		{
			Tool: mcp.Tool{Name: "stubborn", Description: "Waits.", InputSchema: name},
			Handler: func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				name := call.Arguments["name"].(string)
				defer d.leave()
				<-d.enter(name)
				return mcp.TextResult("held " + name), ctx.Err()
			},
		},
	}
}

func (d *desk) server(t *testing.T, opts server.Options) *server.Server {
	t.Helper()
	opts.Info = mcp.Implementation{Name: "desk", Version: "0"}
	opts.Tools = append(d.tools(), opts.Tools...)
	srv, err := server.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return srv
}

func TestSlowCallDoesNotDelayFastOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		k := openTalk(t, d.server(t, server.Options{}), mcp.V20250618, `{}`)
		k.hold(1, "slow")
		for i := range 100 {
			k.echo(2+i, "fast")
			k.want(2+i, "fast")
		}
		d.arrivals()
		d.release("slow")
		k.want(1, "held slow")
		k.end()
	})
}

func TestLimitOfCallsIsExactAndWaitingCallsStartInOrder(t *testing.T) {
	for _, limit := range []int{1, 2, 7} {
		synctest.Test(t, func(t *testing.T) {
			d := newDesk()
			k := openTalk(t, d.server(t, server.Options{Limits: server.Limits{Calls: limit}}), mcp.V20250618, `{}`)
			const calls = 30
			var all []string
			for i := range calls {
				all = append(all, fmt.Sprint("c", i))
				k.hold(i, all[i])
			}
			got := d.arrivals()
			slices.Sort(got[:limit]) // the first ones start together
			if len(got) != limit {
				t.Fatalf("%d calls run, want %d", len(got), limit)
			}
			for i := range calls {
				d.release(all[i])
				k.want(i, "held "+all[i])
				if next := d.arrivals(); len(next) > 1 || i+limit < calls && next[0] != all[i+limit] {
					t.Errorf("after %s started %q", all[i], next)
				}
			}
			if d.most != limit {
				t.Errorf("%d calls ran at once, want %d", d.most, limit)
			}
			k.end()
		})
	}
}

func TestOneCallAtATimeKeepsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := openTalk(t, newDesk().server(t, server.Options{Limits: server.Limits{Calls: 1}}), mcp.V20250618, `{}`)
		const calls = 2000
		go func() {
			for i := range calls {
				k.echo(i, fmt.Sprint(i))
			}
		}()
		for i := range calls {
			k.want(i, fmt.Sprint(i))
		}
		k.end()
	})
}

func TestPING1AnsweredWhileAllCallsAreBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		k := openTalk(t, d.server(t, server.Options{Limits: server.Limits{Calls: 2, Waiting: 4}}), mcp.V20250618, `{}`)
		for i := range 6 { // two run, four wait
			k.hold(i, fmt.Sprint(i))
		}
		k.quiet()
		k.send(`{"jsonrpc":"2.0","id":"list","method":"tools/list"}`)
		if r := k.read(); r.id() != `"list"` || r.Error != nil {
			t.Errorf("got %.200s", r.raw)
		}
		d.arrivals()
		for i := range 6 {
			d.release(fmt.Sprint(i))
			k.want(i, "held "+fmt.Sprint(i))
			d.arrivals()
		}
		k.end()
	})
}

func TestCAN2CancelledCallStopsAndIsNotAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		k := openTalk(t, d.server(t, server.Options{}), mcp.V20250618, `{}`)
		k.hold("x", "first")
		d.arrivals()
		k.cancel("x")
		if name := <-d.cancelled; name != "first" {
			t.Errorf("%s was cancelled", name)
		}
		k.quiet()
		k.cancel("x") // late, unknown and malformed ones are ignored
		k.cancel("never")
		k.cancel(1.5)
		k.cancel(nil)
		k.send(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
		k.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`)
		k.hold("x", "second") // the id is free again
		d.arrivals()
		k.quiet()
		d.release("second")
		k.want("x", "held second")
		k.alive()
		k.end()
	})
}

func TestCAN2CancelledStubbornCallIsNotAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		k := openTalk(t, d.server(t, server.Options{}), mcp.V20250618, `{}`)
		k.call(1, "stubborn", `{"name":"s"}`)
		d.arrivals()
		k.cancel(1)
		k.quiet()
		d.release("s")
		synctest.Wait()
		k.alive()
		k.end()
	})
}

func TestCAN2CancelledWaitingCallNeverStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		k := openTalk(t, d.server(t, server.Options{Limits: server.Limits{Calls: 1}}), mcp.V20250618, `{}`)
		k.hold("a", "a")
		k.hold("b", "b")
		k.hold("c", "c")
		k.cancel("b")
		k.hold("b", "b again") // its id is free at once
		if got := d.arrivals(); !slices.Equal(got, []string{"a"}) {
			t.Fatalf("started %q", got)
		}
		for _, name := range []string{"a", "c", "b again"} {
			d.release(name)
			k.want(name[:1], "held "+name)
			synctest.Wait()
		}
		if got := d.arrivals(); !slices.Equal(got, []string{"c", "b again"}) {
			t.Errorf("started %q", got)
		}
		k.end()
	})
}

func TestBASE4DuplicateIDIsRefusedAndTheFirstUnaffected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		k := openTalk(t, d.server(t, server.Options{Limits: server.Limits{Calls: 1}}), mcp.V20250618, `{}`)
		const refused = "error -32600: Invalid Request: a request with this id is still in flight"
		k.hold(1, "running")
		k.hold("1", "waiting") // another id
		d.arrivals()
		k.echo(1, "dup")
		k.want(1, refused)
		k.echo("1", "dup")
		k.want("1", refused)
		k.send(`{"jsonrpc":"2.0","id":"\u0031","method":"ping"}`) // the same id, spelled otherwise
		k.want("1", refused)
		d.release("running")
		k.want(1, "held running")
		d.arrivals()
		d.release("waiting")
		k.want("1", "held waiting")
		k.echo(1, "again")
		k.want(1, "again")
		k.end()
	})
}

// A client that sends and never reads fills the queues and is then made to
// wait: what it costs does not depend on what it would like to send.
func TestUnreadClientIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const (
			calls, size = 20_000, 500
			maxUnsent   = 256 << 10
			limitCalls  = 16
			waiting     = 32
		)
		var handled atomic.Int64
		srv := newDesk().server(t, server.Options{
			Limits: server.Limits{Calls: limitCalls, Waiting: waiting},
			Tools: []server.Tool{{
				Tool: mcp.Tool{Name: "big", Description: "Answers much.", InputSchema: json.RawMessage(`{"type":"object"}`)},
				Handler: func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
					handled.Add(1)
					return mcp.TextResult(strings.Repeat("x", size)), nil
				},
			}},
		})
		k := startTalk(t, srv, stdio.Options{MaxUnsent: maxUnsent})
		k.handshake(mcp.V20250618, `{}`)
		synctest.Wait()
		goroutines := runtime.NumGoroutine()
		var sent atomic.Int64
		all := make(chan struct{})
		go func() {
			defer close(all)
			for i := range calls {
				k.call(i, "big", `{}`)
				sent.Add(1)
			}
		}()
		synctest.Wait()
		// Answers fill the buffer being written and the one being filled;
		// each running call waits with one; the read buffer holds 64 KiB.
		most := int64(2*maxUnsent/size + limitCalls + waiting + (64<<10)/90 + 10)
		if got := sent.Load(); got > most {
			t.Errorf("%d calls were taken, want at most %d", got, most)
		}
		if got := handled.Load(); got > int64(2*maxUnsent/size+limitCalls) {
			t.Errorf("%d calls were handled", got)
		}
		if more := runtime.NumGoroutine() - goroutines; more > limitCalls+1 {
			t.Errorf("%d more goroutines", more)
		}

		// From here on it reads, and nothing that was taken is lost.
		answered := make([]int, calls)
		for range calls {
			r := k.read()
			var id int
			if err := json.Unmarshal(r.ID, &id); err != nil || r.Error != nil {
				t.Fatalf("got %.200s", r.raw)
			}
			answered[id]++
		}
		<-all
		if i := slices.IndexFunc(answered, func(n int) bool { return n != 1 }); i >= 0 {
			t.Errorf("call %d was answered %d times", i, answered[i])
		}
		k.alive()
		k.end()
	})
}

func TestBytesOfWaitingCallsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		const bound, size = 100 << 10, 10 << 10
		k := openTalk(t, d.server(t, server.Options{Limits: server.Limits{Calls: 1, WaitingBytes: bound}}), mcp.V20250618, `{}`)
		k.hold(0, "first")
		d.arrivals()
		var sent atomic.Int64
		const calls = 100
		go func() {
			for i := range calls {
				k.echo(1+i, strings.Repeat("x", size))
				sent.Add(1)
			}
		}()
		synctest.Wait()
		most := int64(bound/size + 2 + (64<<10)/size + 1) // waiting, in hand, read ahead
		if got := sent.Load(); got > most {
			t.Errorf("%d calls of %d bytes were taken, want at most %d", got, size, most)
		}
		d.release("first")
		k.want(0, "held first")
		for i := range calls {
			k.want(1+i, strings.Repeat("x", size))
		}
		k.end()
	})
}

func TestTwoSessionsAreIndependent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		srv := d.server(t, server.Options{Limits: server.Limits{Calls: 1}, Logging: true})
		a := openTalk(t, srv, mcp.V20241105, `{}`)
		b := openTalk(t, srv, mcp.V20251125, `{"roots":{}}`)
		fresh := startTalk(t, srv, stdio.Options{})
		a.shared, b.shared = true, true
		a.hold(1, "a")
		b.hold(1, "b") // the same id, and a slot of its own
		if got := d.arrivals(); len(got) != 2 {
			t.Fatalf("started %q", got)
		}
		a.cancel(1)
		if name := <-d.cancelled; name != "a" {
			t.Errorf("%s was cancelled", name)
		}
		fresh.echo(1, "early")
		fresh.want(1, "error -32600: Server not initialized")
		a.send(`not json`)
		a.want(nil, "error -32700: Parse error")
		a.end()
		d.release("b")
		b.want(1, "held b")
		b.alive()
		b.end()
		fresh.end()
	})
}

// Lists change and resources are updated while sessions come and go.
func TestChangesRaceWithSessions(t *testing.T) {
	d := newDesk()
	resource := server.Resource{
		Resource: mcp.Resource{URI: "test:r", Name: "r"},
		Read: func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: "test:r", Text: "r"}}}, nil
		},
	}
	srv := d.server(t, server.Options{ListChanged: true, Subscribe: true, Resources: []server.Resource{resource}})
	stop := make(chan struct{})
	var changes, sessions sync.WaitGroup
	for range 2 {
		changes.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := errors.Join(srv.SetTools(d.tools()...), srv.SetResources(resource)); err != nil {
					t.Error(err)
				}
				srv.ResourceUpdated("test:r")
				runtime.Gosched()
			}
		})
	}
	modern := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for range 4 {
		sessions.Go(func() {
			for range 25 {
				client, conn := transport.Pair()
				served := make(chan error, 1)
				go func() { served <- srv.Serve(t.Context(), conn) }()
				for _, line := range []string{
					`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}`,
					`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
					`{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"test:r"}}`,
					`{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["test:r"]},` + modern + `}}`,
					`{"jsonrpc":"2.0","id":4,"method":"tools/list"}`,
					`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`,
					`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}`,
				} {
					if err := client.Write(t.Context(), []byte(line)); err != nil {
						t.Error(err)
					}
				}
				for {
					frame, err := client.Read()
					if err != nil {
						t.Errorf("read: %v", err)
						break
					}
					var r reply
					if err := json.Unmarshal(frame, &r); err != nil || r.Error != nil {
						t.Errorf("got %.200s", frame)
					}
					if r.id() == "5" {
						break
					}
				}
				_ = client.Close(t.Context())
				<-served // a write may have failed, or not
			}
		})
	}
	sessions.Wait()
	close(stop)
	changes.Wait()
}
