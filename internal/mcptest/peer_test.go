package mcptest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcpworks/internal/mcptest"
)

// childVariable makes this test binary run serveUpper as a program.
const childVariable = "MCPTEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	fmt.Fprintln(os.Stderr, "child started")
	if err := serveUpper(context.Background(), os.Stdin, os.Stdout); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// serveUpper answers each line in capitals; "fail" ends it with an error,
// "half" writes a line that is not terminated and ends.
func serveUpper(_ context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		switch lines.Text() {
		case "fail":
			return errors.New("asked to fail")
		case "half":
			_, err := io.WriteString(out, "HALF")
			return err
		}
		if _, err := io.WriteString(out, strings.ToUpper(lines.Text())+"\n"); err != nil {
			return err
		}
	}
	return lines.Err()
}

// bothKinds runs a test over a process and over in-memory pipes.
func bothKinds(t *testing.T, test func(t *testing.T, p mcptest.Peer)) {
	t.Run("process", func(t *testing.T) {
		t.Setenv(childVariable, "1")
		test(t, mcptest.Start(t, os.Args[0]))
	})
	t.Run("pipe", func(t *testing.T) { test(t, mcptest.Pipe(t, serveUpper)) })
}

func next(t *testing.T, p mcptest.Peer) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	line, err := p.Next(ctx)
	if err != nil {
		t.Fatalf("Next: %v", err)
	}
	return line
}

func wait(t *testing.T, p mcptest.Peer) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	code, err := p.Wait(ctx)
	if err != nil {
		t.Fatalf("Wait: %v", err)
	}
	return code
}

func TestPeerTalksInLines(t *testing.T) {
	bothKinds(t, func(t *testing.T, p mcptest.Peer) {
		p.Send("one")
		p.SendRaw([]byte("two\nthr"))
		p.SendRaw([]byte("ee\n"))
		for _, want := range []string{"ONE", "TWO", "THREE"} {
			if got := next(t, p); got != want {
				t.Errorf("Next = %q, want %q", got, want)
			}
		}
		p.SendRaw([]byte("four"))
		p.CloseInput()
		if got := next(t, p); got != "FOUR" {
			t.Errorf("after CloseInput Next = %q", got)
		}
		if code := wait(t, p); code != 0 {
			t.Errorf("exit code %d", code)
		}
		if _, err := p.Next(t.Context()); err != io.EOF {
			t.Errorf("at the end Next = %v, want EOF", err)
		}
	})
}

func TestPeerReportsUnterminatedLineAndFailure(t *testing.T) {
	bothKinds(t, func(t *testing.T, p mcptest.Peer) {
		p.Send("half")
		if line, err := p.Next(t.Context()); line != "HALF" || err != io.ErrUnexpectedEOF {
			t.Errorf("Next = %q, %v", line, err)
		}
		if _, err := p.Next(t.Context()); err != io.EOF {
			t.Errorf("Next = %v, want EOF", err)
		}
	})
	bothKinds(t, func(t *testing.T, p mcptest.Peer) {
		p.Send("fail")
		if code := wait(t, p); code != 1 {
			t.Errorf("exit code %d, want 1", code)
		}
		if p.Stderr() == "" {
			t.Error("standard error is empty")
		}
	})
}

func TestPeerNeverBlocksTheTest(t *testing.T) {
	bothKinds(t, func(t *testing.T, p mcptest.Peer) {
		line := strings.Repeat("x", 4000)
		for range 500 { // far more than a pipe holds, in both directions
			p.Send(line)
		}
		for range 500 {
			if got := next(t, p); len(got) != len(line) {
				t.Fatalf("line of %d bytes", len(got))
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if _, err := p.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Next of a quiet server = %v", err)
		}
	})
}

func TestPeerSignals(t *testing.T) {
	t.Run("process", func(t *testing.T) {
		t.Setenv(childVariable, "1")
		p := mcptest.Start(t, os.Args[0])
		p.Send("up")
		next(t, p)
		if err := p.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if code := wait(t, p); code != -1 {
			t.Errorf("exit code %d, want -1", code)
		}
	})
	t.Run("pipe", func(t *testing.T) {
		p := mcptest.Pipe(t, func(ctx context.Context, _ io.Reader, _ io.Writer) error {
			<-ctx.Done()
			return nil
		})
		if err := p.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if code := wait(t, p); code != 0 {
			t.Errorf("exit code %d, want 0", code)
		}
	})
}
