package stdio_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/stdio"
)

// A gate is a writer that lets nothing pass until it is opened, and keeps what
// was written.
type gate struct {
	open chan struct{}
	err  error // of every write
	max  int   // of bytes that one write takes; 0 means all

	mu     sync.Mutex
	got    bytes.Buffer
	writes int
	closed bool
}

func newGate() *gate { return &gate{open: make(chan struct{})} }

func (g *gate) Write(p []byte) (int, error) {
	<-g.open
	g.mu.Lock()
	defer g.mu.Unlock()
	g.writes++
	if g.err != nil {
		return 0, g.err
	}
	if g.max > 0 && len(p) > g.max {
		g.got.Write(p[:g.max])
		return g.max, io.ErrShortWrite
	}
	return g.got.Write(p)
}

func (g *gate) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	return nil
}

func silent() io.Reader { return strings.NewReader("") }

func TestMessagesShareWritesUnderLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := newGate()
		conn := stdio.New(silent(), out, stdio.Options{})
		for range 1000 {
			if err := conn.Write(t.Context(), []byte("1")); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		close(out.open)
		if err := conn.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.got.String(), "1\n"); got != 1000 || out.writes != 2 {
			t.Errorf("%d lines in %d writes", got, out.writes)
		}
		if !out.closed {
			t.Error("the writer is not closed")
		}
	})
}

func TestWriteErrorIsFinal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		out := newGate()
		out.err = broken
		conn := stdio.New(silent(), out, stdio.Options{MaxUnsent: 10})
		if err := conn.Write(t.Context(), []byte("1234567")); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // it is being written
		if err := conn.Write(t.Context(), []byte("1234567")); err != nil {
			t.Fatal(err)
		}
		blocked := make(chan error, 1)
		go func() { blocked <- conn.Write(t.Context(), []byte("1234567")) }()
		synctest.Wait()
		close(out.open)
		if err := <-blocked; !errors.Is(err, broken) {
			t.Errorf("the blocked writer got %v", err)
		}
		for range 3 {
			if err := conn.Write(t.Context(), []byte("1")); !errors.Is(err, broken) {
				t.Errorf("Write = %v", err)
			}
		}
		if out.writes != 1 {
			t.Errorf("%d writes after one failed", out.writes-1)
		}
		if err := conn.Close(t.Context()); !errors.Is(err, broken) {
			t.Errorf("Close: %v", err)
		}
	})
}

func TestShortWriteWithAnErrorIsFinal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := newGate()
		out.max = 3
		close(out.open)
		conn := stdio.New(silent(), out, stdio.Options{})
		if err := conn.Write(t.Context(), []byte("12345")); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := conn.Write(t.Context(), []byte("6")); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("Write = %v", err)
		}
		_ = conn.Close(t.Context())
		if got := out.got.String(); got != "123" {
			t.Errorf("written: %q", got)
		}
	})
}

func TestAMessageAloneIsTakenHoweverLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := newGate()
		conn := stdio.New(silent(), out, stdio.Options{MaxUnsent: 8})
		long := strings.Repeat("x", 1<<20)
		if err := conn.Write(t.Context(), []byte(long)); err != nil {
			t.Fatal(err)
		}
		close(out.open)
		if err := conn.Close(t.Context()); err != nil || out.got.String() != long+"\n" {
			t.Errorf("Close: %v, %d bytes written", err, out.got.Len())
		}
	})
}

// The queue takes MaxUnsent bytes, line feeds counted, and not one more.
func TestQueueBoundIsExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := newGate()
		conn := stdio.New(silent(), out, stdio.Options{MaxUnsent: 10})
		put := func(msg string) error {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			return conn.Write(ctx, []byte(msg))
		}
		if err := put("first"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // the queue is empty again
		for _, msg := range []string{"1234", "6789"} {
			if err := put(msg); err != nil {
				t.Fatalf("%q: %v", msg, err)
			}
		}
		if err := put(""); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("one more byte: %v", err)
		}
		close(out.open)
		if err := conn.Close(t.Context()); err != nil || out.got.String() != "first\n1234\n6789\n" {
			t.Errorf("Close: %v, written %q", err, out.got.String())
		}
	})
}

func TestCloseDoesNotWaitForeverForAPeerThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, _ := io.Pipe()
		_, out := io.Pipe()
		conn := stdio.New(in, out, stdio.Options{})
		if err := conn.Write(t.Context(), []byte("1")); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := conn.Close(ctx); err == nil {
			t.Error("Close says that everything was sent")
		}
		if _, err := conn.Read(); err == nil {
			t.Error("Read after Close returns a frame")
		}
		if err := conn.Write(t.Context(), []byte("1")); err == nil {
			t.Error("Write after Close succeeds")
		}
	})
}

func TestClosedConnTakesNothingMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := newGate()
		conn := stdio.New(silent(), out, stdio.Options{})
		_ = conn.Write(t.Context(), []byte("kept"))
		closed := make(chan error, 1)
		go func() { closed <- conn.Close(t.Context()) }()
		synctest.Wait()
		if err := conn.Write(t.Context(), []byte("late")); !errors.Is(err, transport.ErrClosed) {
			t.Errorf("Write = %v", err)
		}
		close(out.open)
		if err := <-closed; err != nil || out.got.String() != "kept\n" {
			t.Errorf("Close: %v, written %q", err, out.got.String())
		}
	})
}

// Writers that wait are let in as room comes, and none is forgotten.
func TestManyBlockedWritersAllGetThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		conn := stdio.New(silent(), out, stdio.Options{MaxUnsent: 64})
		const writers = 200
		var all sync.WaitGroup
		for range writers {
			all.Go(func() {
				if err := conn.Write(t.Context(), []byte("0123456789")); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		go func() {
			all.Wait()
			_ = conn.Close(t.Context())
		}()
		text, err := io.ReadAll(in)
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		whole := !slices.ContainsFunc(lines, func(s string) bool { return s != "0123456789" })
		if err != nil || len(lines) != writers || !whole {
			t.Errorf("%d lines, %v", len(lines), err)
		}
	})
}
