package linttest

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
)

// EverythingServer builds the server of the official suite, which has one of
// everything, and returns its path.
func EverythingServer(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "everything-server")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "mcpworks/conformance/everything-server").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// Listen starts it on a port of its own and returns its address, which is
// followed by /mcp or /sse.
func Listen(t *testing.T, program string) string {
	t.Helper()
	server := exec.Command(program, "--listen", "127.0.0.1:0")
	stderr, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	address := make(chan string, 1)
	var reading sync.WaitGroup
	reading.Go(func() { // to its end, so that the log never fills the pipe
		defer close(address)
		form := regexp.MustCompile(`(http://\S+)/mcp`)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			if found := form.FindStringSubmatch(lines.Text()); found != nil {
				address <- found[1]
			}
		}
	})
	t.Cleanup(func() {
		_ = server.Process.Kill()
		reading.Wait()
		_ = server.Wait()
	})
	base, ok := <-address
	if !ok {
		t.Fatal("the server does not listen")
	}
	return base
}
