package contextengine_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/stdio"
	"mcpworks/packs/contextengine"
)

// A talk is a client on in-memory pipes inside a bubble of testing/synctest.
type talk struct {
	t      *testing.T
	out    *io.PipeWriter
	in     *bufio.Reader
	stop   context.CancelFunc
	served chan error
}

func startTalk(t *testing.T, srv *server.Server, err error) *talk {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	in, serverOut := io.Pipe()
	serverIn, out := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	k := &talk{t: t, out: out, in: bufio.NewReader(in), stop: stop, served: make(chan error, 1)}
	go func() {
		k.served <- srv.Serve(ctx, stdio.New(serverIn, serverOut, stdio.Options{MaxMessage: contextengine.MaxMessage}))
	}()
	k.send(strings.TrimSuffix(openLine, "\n"))
	if line := k.read(); !strings.Contains(line, `"id":"open","result"`) {
		t.Fatalf("initialize is answered with %s", line)
	}
	return k
}

func (k *talk) send(line string) {
	k.t.Helper()
	if _, err := io.WriteString(k.out, line+"\n"); err != nil {
		k.t.Fatal(err)
	}
}

func (k *talk) work(id int) {
	k.t.Helper()
	k.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"work"}}`, id))
}

func (k *talk) read() string {
	k.t.Helper()
	line, err := k.in.ReadString('\n')
	if err != nil {
		k.t.Fatalf("read: %v", err)
	}
	return strings.TrimSuffix(line, "\n")
}

func (k *talk) want(line string) {
	k.t.Helper()
	if got := k.read(); got != line {
		k.t.Errorf("answered %s\nwant     %s", got, line)
	}
}

// alive wants the next answer to be that of a ping.
func (k *talk) alive() {
	k.t.Helper()
	k.send(`{"jsonrpc":"2.0","id":"alive","method":"ping"}`)
	k.want(`{"jsonrpc":"2.0","id":"alive","result":{}}`)
}

func (k *talk) end() {
	k.t.Helper()
	k.out.Close()
	if _, err := k.in.ReadString('\n'); err != io.EOF {
		k.t.Errorf("there is more to read: %v", err)
	}
	if err := <-k.served; err != nil {
		k.t.Errorf("serving ended with %v", err)
	}
}

// internalError is the answer to a call that failed inside.
func internalError(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"text":"{\"error\":{\"code\":\"internal_error\",\"message\":\"Internal error\"}}\n","type":"text"}],"isError":true}}`, id)
}

func TestLIM5LIM6TimedOutCallIsAnsweredOnceAndOnTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release, returned := make(chan struct{}), make(chan struct{})
		srv, err := contextengine.NewV0With(contextengine.Config{Root: "x", Timeout: 3 * time.Second}, func(context.Context) ([]byte, error) {
			defer close(returned)
			<-release
			return []byte(`"late"`), nil
		})
		k := startTalk(t, srv, err)
		start := time.Now()
		k.work(1)
		k.want(internalError(1))
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("took %v", took)
		}
		k.alive()
		close(release)
		<-returned // what it says now is discarded
		synctest.Wait()
		k.alive()
		k.end()
	})
}

func TestLIM5DefaultIsThirtySeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, err := contextengine.NewV0With(contextengine.Config{Root: "x"}, func(ctx context.Context) ([]byte, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		k := startTalk(t, srv, err)
		start := time.Now()
		k.work(1)
		k.want(internalError(1))
		if took := time.Since(start); took != 30*time.Second {
			t.Errorf("took %v", took)
		}
		k.end()
	})
}

// Work that has timed out is told so, and real work listens: a resolve of a
// cancelled context reads no further.
func TestLIM7TimedOutWorkStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopped := make(chan error, 1)
		srv, err := contextengine.NewV0With(contextengine.Config{Root: "x", Timeout: time.Second}, func(ctx context.Context) ([]byte, error) {
			<-ctx.Done()
			stopped <- ctx.Err()
			return nil, ctx.Err()
		})
		k := startTalk(t, srv, err)
		k.work(1)
		k.want(internalError(1))
		if err := <-stopped; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the work ended with %v", err)
		}
		k.end()
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := contextengine.Resolve(ctx, newRoot(t)+"/handbook", contextengine.Query{Text: "x", Budget: 9})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("resolving when nobody waits: %v", err)
	}
}

// Calls that hang where nothing can be cancelled do not pile up: when there are
// many, further ones wait for them, as long as they may.
func TestLIM7AbandonedCallsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		running := 0
		srv, err := contextengine.NewV0With(contextengine.Config{Root: "x", Timeout: time.Second}, func(context.Context) ([]byte, error) {
			running++
			<-release
			return nil, nil
		})
		k := startTalk(t, srv, err)
		for id := range contextengine.MaxCalls + 10 {
			k.work(id)
			k.want(internalError(id))
			synctest.Wait()
		}
		if running != contextengine.MaxCalls {
			t.Errorf("%d calls hang, want %d", running, contextengine.MaxCalls)
		}
		close(release)
		synctest.Wait()
		k.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work"}}`)
		k.want(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"text":"","type":"text"}]}}`)
		k.end()
	})
}

func TestLIM8TimeoutDoesNotChangeAnswers(t *testing.T) {
	root := newRoot(t)
	const arguments = `{"cache":"handbook","query":"guide.","budget":4000}`
	want, failed := frozen(t, contextengine.Config{Root: root}, "context.resolve", arguments)
	if failed {
		t.Fatalf("resolving failed: %s", want)
	}
	for _, timeout := range []time.Duration{time.Minute, time.Hour, 1<<63 - 1} {
		got, _ := frozen(t, contextengine.Config{Root: root, Timeout: timeout}, "context.resolve", arguments)
		if got != want {
			t.Errorf("with %v: %s", timeout, got)
		}
	}
}

func TestERR7PanicInAToolIsAnInternalError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		cfg := contextengine.Config{Root: "x", Log: slog.New(slog.NewTextHandler(&log, nil))}
		srv, err := contextengine.NewV0With(cfg, func(context.Context) ([]byte, error) { panic("a defect") })
		k := startTalk(t, srv, err)
		k.work(1)
		k.want(internalError(1))
		k.alive()
		k.end()
		if !strings.Contains(log.String(), "a defect") || !strings.Contains(log.String(), "timeout_test.go") {
			t.Errorf("the log is %s", log.String())
		}
	})
}

func TestRPC17PanicOutsideAToolIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		srv, err := contextengine.BreakV0(contextengine.Config{Root: "x", Log: slog.New(slog.NewTextHandler(&log, nil))})
		k := startTalk(t, srv, err)
		k.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		k.want(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}`)
		k.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
		k.want(strings.TrimSuffix(toolsLine, "\n"))
		k.end()
		if !strings.Contains(log.String(), "broken") {
			t.Errorf("the log is %s", log.String())
		}
	})
}

// Requests are handled one after another: what is quick waits for what is slow.
func TestRPC4NothingOvertakesASlowCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		srv, err := contextengine.NewV0With(contextengine.Config{Root: "x"}, func(context.Context) ([]byte, error) {
			<-release
			return []byte(`1`), nil
		})
		k := startTalk(t, srv, err)
		go func() {
			k.work(1)
			k.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
			k.send(`nonsense`)
			k.work(3)
			k.send(`{"jsonrpc":"2.0","id":4,"method":"nothing"}`)
		}()
		heard := make(chan string, 10)
		go func() {
			for range 5 {
				heard <- k.read()
			}
		}()
		synctest.Wait()
		if len(heard) > 0 {
			t.Errorf("before the slow call there is %s", <-heard)
		}
		close(release)
		for _, want := range []string{
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"text":"1","type":"text"}]}}`,
			`{"jsonrpc":"2.0","id":2,"result":{}}`,
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
			`{"jsonrpc":"2.0","id":3,"result":{"content":[{"text":"1","type":"text"}]}}`,
			`{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"Method not found: nothing"}}`,
		} {
			if got := <-heard; got != want {
				t.Errorf("answered %s\nwant     %s", got, want)
			}
		}
		k.end()
	})
}

// A signal lets the call in hand finish.
func TestStopDuringACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		srv, err := contextengine.NewV0With(contextengine.Config{Root: "x"}, func(context.Context) ([]byte, error) {
			<-release
			return []byte(`1`), nil
		})
		k := startTalk(t, srv, err)
		k.work(1)
		synctest.Wait()
		k.stop()
		synctest.Wait()
		close(release)
		k.want(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"text":"1","type":"text"}]}}`)
		k.end()
	})
}

// What a client no longer wants is not done, and no fault of ours.
func TestCancelledCallIsNoFault(t *testing.T) {
	var log bytes.Buffer
	cfg := contextengine.Config{Root: newRoot(t), Log: slog.New(slog.NewTextHandler(&log, nil))}
	srv, err := contextengine.NewV0With(cfg, func(ctx context.Context) ([]byte, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	synctest.Test(t, func(t *testing.T) {
		k := startTalk(t, srv, err)
		k.work(1)
		synctest.Wait()
		k.stop()
		k.want(internalError(1)) // after the time that calls have at the end
		k.end()
	})
	if log.Len() > 0 {
		t.Errorf("the log is %s", log.String())
	}
}
