package server_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/stdio"
)

// shout reads a dialect whose messages are words to echo: OPEN begins, HM means
// nothing. An object is a message as everywhere.
func shout(frame []byte, initialized bool) (jsonrpc.Message, *jsonrpc.Error) {
	no := func(code int, text string) *jsonrpc.Error { return &jsonrpc.Error{Code: code, Message: text} }
	id := jsonrpc.StringID(string(frame))
	switch {
	case bytes.HasPrefix(frame, []byte("{")):
		return jsonrpc.Parse(frame)
	case string(frame) == "OPEN":
		return jsonrpc.Message{ID: id, Method: "initialize", Params: []byte(`{"protocolVersion":"2024-11-05"}`)}, nil
	case string(frame) == "HM":
		return jsonrpc.Message{}, nil
	case !initialized:
		return jsonrpc.Message{ID: id}, no(-1, "OPEN FIRST")
	case frame[0] == '[':
		return jsonrpc.Message{}, no(-2, "ONE AT A TIME")
	}
	o := rawjson.Begin([]byte(`{"name":"echo","arguments":`))
	o.String("text", string(frame))
	return jsonrpc.Message{ID: id, Method: "tools/call", Params: append(o.End(), '}')}, nil
}

func TestDialectReadsItsOwnFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newDesk().server(t, server.Options{
			Revisions: []*mcp.Revision{mcp.V20241105},
			Dialect:   &server.Dialect{Parse: shout, TooLong: &jsonrpc.Error{Code: -4, Message: "TOO LOUD"}},
		})
		k := startTalk(t, srv, stdio.Options{MaxMessage: 100})
		k.send("HELLO")
		k.want("HELLO", "error -1: OPEN FIRST")
		k.send("HM")
		k.send("OPEN")
		if r := k.read(); r.id() != `"OPEN"` || r.Error != nil {
			t.Fatalf("opening: %s", r.raw)
		}
		k.send("HM")
		k.send("HELLO")
		k.want("HELLO", "HELLO")
		k.send(`[]`)
		k.want(nil, "error -2: ONE AT A TIME")
		k.send(`%s`, strings.Repeat("A", 101))
		k.want(nil, "error -4: TOO LOUD")
		k.send(`{"jsonrpc":"2.0","id":7,"method":"ping"}`)
		k.want(7, "{}")
		k.end()
	})
}

// The dialect has the last word on errors: of lines that are no messages, of
// requests that are refused, of handlers, and of the transports of HTTP. An id
// that could not be read is null in all revisions.
func TestDialectTellsErrors(t *testing.T) {
	srv := newDesk().server(t, server.Options{Dialect: &server.Dialect{
		NullID: true,
		Error: func(r *server.Request, err *jsonrpc.Error) *jsonrpc.Error {
			about := "no request"
			if r != nil {
				about = r.Method()
			}
			return &jsonrpc.Error{Code: err.Code, Message: "told", Data: about}
		},
	}})
	client, conn := transport.Pair()
	served := make(chan error, 1)
	go func() { served <- srv.Serve(t.Context(), conn) }()
	for _, test := range []struct{ frame, want string }{
		{`{`, `"id":null,"error":{"code":-32700,"message":"told","data":"no request"}}`},
		{`{"jsonrpc":"2.0","id":1}`, `"id":1,"error":{"code":-32600,"message":"told","data":"no request"}}`},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, `"id":2,"error":{"code":-32600,"message":"told","data":"tools/list"}}`},
		{`{"jsonrpc":"2.0","id":3,"method":"initialize"}`, `"id":3,"error":{"code":-32602,"message":"told","data":"initialize"}}`},
	} {
		if err := client.Write(t.Context(), []byte(test.frame)); err != nil {
			t.Fatal(err)
		}
		if got, err := client.Read(); err != nil || string(got) != `{"jsonrpc":"2.0",`+test.want {
			t.Errorf("%s is answered with %s, %v", test.frame, got, err)
		}
	}
	client.Close(t.Context())
	if err := <-served; err != nil {
		t.Error(err)
	}
	refusal := srv.Refusal(mcp.V20260728, jsonrpc.ID{}, &jsonrpc.Error{Code: -32700})
	if want := `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"told","data":"no request"}}`; string(refusal) != want {
		t.Errorf("over HTTP it is %s", refusal)
	}
}

// The id of a refusal is what comes with the error, also where the message has
// no method and so is no request.
func TestDialectRefusesWithTheID(t *testing.T) {
	srv := newDesk().server(t, server.Options{
		Revisions: []*mcp.Revision{mcp.V20241105},
		Dialect: &server.Dialect{Parse: func(frame []byte, _ bool) (jsonrpc.Message, *jsonrpc.Error) {
			return jsonrpc.Message{ID: jsonrpc.IntID(int64(len(frame)))}, &jsonrpc.Error{Code: -5, Message: "no method"}
		}},
	})
	client, conn := transport.Pair()
	served := make(chan error, 1)
	go func() { served <- srv.Serve(t.Context(), conn) }()
	for _, frame := range []string{"", "x", "{}"} {
		if err := client.Write(t.Context(), []byte(frame)); err != nil {
			t.Fatal(err)
		}
		got, err := client.Read()
		if want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-5,"message":"no method"}}`, len(frame)); err != nil || string(got) != want {
			t.Errorf("answer is %s, %v; want %s", got, err, want)
		}
	}
	client.Close(t.Context())
	<-served
}

func TestDialectMayRepeatInitialize(t *testing.T) {
	for _, again := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			srv := newDesk().server(t, server.Options{Dialect: &server.Dialect{Reinitialize: again}})
			k := openTalk(t, srv, mcp.V20241105, `{}`)
			k.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}`)
			r := k.read()
			if refused := r.Error != nil; refused == again {
				t.Errorf("answer to the second initialize: %s", r.raw)
			}
			if again && !strings.Contains(r.raw, `"protocolVersion":"2025-06-18"`) {
				t.Errorf("the second revision does not hold: %s", r.raw)
			}
			k.alive()
			k.end()
		})
	}
}

// An inOrder conversation sends without waiting and collects what is said.
type inOrder struct {
	*talk
	*desk
	heard chan string // ids, in order
}

func startInOrder(t *testing.T, opts server.Options, limits stdio.Options) *inOrder {
	d := newDesk()
	opts.Dialect = &server.Dialect{InOrder: true}
	k := &inOrder{startTalk(t, d.server(t, opts), limits), d, make(chan string, 1000)}
	k.handshake(mcp.V20250618, `{}`)
	return k
}

// listen reads from now on.
func (k *inOrder) listen() {
	go func() {
		for {
			r, err := k.readErr()
			if err != nil {
				close(k.heard)
				return
			}
			k.heard <- strings.Trim(r.id(), `"`)
		}
	}()
}

// says wants exactly these answers by the time all is quiet.
func (k *inOrder) says(ids ...string) {
	k.t.Helper()
	synctest.Wait()
	var got []string
	for len(k.heard) > 0 {
		id, open := <-k.heard
		if !open {
			break
		}
		got = append(got, id)
	}
	if !slices.Equal(got, ids) {
		k.t.Errorf("answered %q, want %q", got, ids)
	}
}

// starts wants exactly these calls to have begun.
func (k *inOrder) starts(names ...string) {
	k.t.Helper()
	if got := k.arrivals(); !slices.Equal(got, names) {
		k.t.Errorf("started %q, want %q", got, names)
	}
}

// ends wants the output to have ended and Serve to return nil.
func (k *inOrder) ends() {
	k.t.Helper()
	synctest.Wait()
	if id, open := <-k.heard; open {
		k.t.Errorf("there is still an answer to %s", id)
	}
	if err := <-k.served; err != nil {
		k.t.Errorf("Serve returned %v", err)
	}
	k.out.Close()
	synctest.Wait()
	if left := serverGoroutines(); left != "" {
		k.t.Errorf("after Serve there is still:\n%s", left)
	}
}

func TestInOrderSlowAndQuickAreAnsweredAsTheyCame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := startInOrder(t, server.Options{}, stdio.Options{})
		k.listen()
		go func() {
			k.hold("a", "a")
			k.send(`{"jsonrpc":"2.0","id":"ping","method":"ping"}`)
			k.send(`not JSON`)
			k.echo("b", "b")
			k.hold("c", "c")
			k.send(`{"jsonrpc":"2.0","id":"unknown","method":"unknown"}`)
			k.send(`{"jsonrpc":"2.0","id":"list","method":"tools/list"}`)
			k.hold("d", "d")
			k.echo("e", "e")
			k.talk.out.Close()
		}()
		k.starts("a")
		k.says()
		k.release("a")
		k.starts("c")
		k.says("a", "ping", "null", "b")
		k.release("c")
		k.starts("d")
		k.says("c", "unknown", "list")
		k.release("d")
		k.says("d", "e")
		k.ends()
		if k.most != 1 {
			t.Errorf("%d calls ran at once", k.most)
		}
	})
}

// Nothing overtakes an answer that a client is slow to read, and nothing is
// lost.
func TestInOrderClientThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := startInOrder(t, server.Options{}, stdio.Options{MaxUnsent: 1000})
		const messages = 900
		var want []string
		for i := range messages {
			want = append(want, fmt.Sprint(i))
		}
		go func() {
			for i := range messages {
				if i%3 == 0 {
					k.echo(i, strings.Repeat("x", 300))
				} else {
					k.send(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i)
				}
			}
			k.talk.out.Close()
		}()
		synctest.Wait() // the server waits, too
		k.listen()
		k.says(want...)
		k.ends()
	})
}

// A client that never reads cannot keep the server from ending.
func TestInOrderStopsForClientThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := startInOrder(t, server.Options{DrainOnStop: 5 * time.Second}, stdio.Options{MaxUnsent: 100})
		go func() {
			for i := range 100 {
				k.echo(i, strings.Repeat("x", 300))
			}
		}()
		synctest.Wait()
		start := time.Now()
		k.stop()
		if err := <-k.served; err != nil {
			t.Errorf("Serve returned %v", err)
		}
		if took := time.Since(start); took > 6*time.Second {
			t.Errorf("took %v", took)
		}
		k.inPipe.Close()
		k.talk.out.Close()
		synctest.Wait()
	})
}

func TestInOrderClientThatIsGoneCancelsItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := startInOrder(t, server.Options{}, stdio.Options{})
		go func() {
			k.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
			k.hold("a", "a")
		}()
		k.starts("a")
		k.inPipe.Close()
		if name := <-k.cancelled; name != "a" {
			t.Errorf("%s was cancelled", name)
		}
		if err := <-k.served; err == nil {
			t.Error("Serve returned nil, though an answer was lost")
		}
		k.talk.out.Close()
		synctest.Wait()
	})
}

// A stop lets the call in hand finish; what comes behind it is refused, or not
// heard at all.
func TestInOrderStopDuringACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := startInOrder(t, server.Options{DrainOnStop: 5 * time.Second}, stdio.Options{})
		k.hold("a", "a")
		k.starts("a")
		k.stop()
		go func() { // until nobody reads it any more
			for id := 0; ; id++ {
				if _, err := fmt.Fprintf(k.talk.out, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"hold","arguments":{"name":"b"}}}`+"\n", id); err != nil {
					return
				}
			}
		}()
		synctest.Wait()
		k.release("a")
		k.want("a", "held a")
		for {
			r, err := k.readErr()
			if err != nil {
				break
			}
			if r.text() != "error -32603: server is shutting down" {
				t.Errorf("after the stop: %s", r.raw)
			}
		}
		if err := <-k.served; err != nil {
			t.Errorf("Serve returned %v", err)
		}
		k.starts()
		k.talk.out.Close()
	})
}

// A call that takes longer than a stop allows is cancelled and answered.
func TestInOrderStopCancelsALongCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := startInOrder(t, server.Options{DrainOnStop: 5 * time.Second}, stdio.Options{})
		k.hold("a", "a")
		k.starts("a")
		start := time.Now()
		k.stop()
		k.want("a", "failed: the tool hold failed: internal error")
		if took := time.Since(start); took != 5*time.Second {
			t.Errorf("took %v", took)
		}
		k.wantEnd(nil)
	})
}

func TestInOrderStopBetweenCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := startInOrder(t, server.Options{}, stdio.Options{})
		k.alive()
		k.stop()
		k.wantEnd(nil)
	})
}
