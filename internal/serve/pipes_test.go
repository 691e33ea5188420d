package serve_test

import (
	"bufio"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// A client that is gone cancels its calls, and the server ends in order. But
// the runtime ends a process at once, by SIGPIPE, when a write to file 1 or 2
// finds no reader, unless SIGPIPE is caught: no call is cancelled, nothing is
// cleaned up, and children are left behind (STD-5).
func TestSTD5BrokenOutputEndsInOrder(t *testing.T) {
	cmd, _ := childCommand(t, time.Hour)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	stdin, _ := cmd.StdinPipe()
	stdout, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	lines := bufio.NewReader(stdout)
	for _, line := range []string{initialize, call(1, "hang")} {
		_, _ = io.WriteString(stdin, line+"\n")
		if _, err := lines.ReadString('\n'); err != nil { // the result, then the progress
			t.Fatal(err)
		}
	}
	stdout.Close()
	for range 2 {
		_, _ = io.WriteString(stdin, `{"jsonrpc":"2.0","id":"ping","method":"ping"}`+"\n")
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(stderr.String(), "hang was cancelled") {
		t.Errorf("ended with %v, standard error %q", cmd.ProcessState, stderr.String())
	}
}

// A client need not read standard error. One that closes it must not end the
// server with the next line that is logged there.
func TestSTD3ClosedStandardErrorIsHarmless(t *testing.T) {
	cmd, _ := childCommand(t, time.Hour)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = w
	stdin, _ := cmd.StdinPipe()
	stdout, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	w.Close()
	r.Close()
	lines := bufio.NewReader(stdout)
	for _, line := range []string{initialize, call(1, "print"), `{"jsonrpc":"2.0","id":2,"method":"ping"}`} {
		_, _ = io.WriteString(stdin, line+"\n")
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatalf("after %.60s: %v", line, err)
		}
	}
	stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("ended with %v", err)
	}
}
