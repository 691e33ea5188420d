package oldsse_test

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/probe/oldsse"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/rules/sse"
	"mcpworks/lint/step"
	"mcpworks/mcp/client"
)

// Our own server breaks none of the rules about HTTP+SSE, and all of them are
// decided (SSE-001 to SSE-010).
func TestEverythingServer(t *testing.T) {
	program := filepath.Join(t.TempDir(), "everything-server")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "mcpworks/conformance/everything-server").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	report := lint.Run(probed(t, listening(t, program)+"/sse"), sse.Rules(), lint.Options{})
	for _, f := range report.Findings {
		t.Errorf("%v %s %v: %s\n%+v", f.Severity, f.RuleID, f.Subject, f.Message, f.Evidence)
	}
	for _, result := range report.Results {
		if result.Status != lint.Pass {
			t.Errorf("%s: %v (%s)", result.Rule.ID, result.Status, result.Reason)
		}
	}
}

// probed has a main talk, and everything that the plans record.
func probed(t *testing.T, address string) *lint.Record {
	t.Helper()
	s, err := wire.NewServer(client.URL(address), wire.Options{Level: lint.Probe})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Finish()
	s.SetTransport(wire.SSE)
	main := s.Open(t.Context(), wire.Opening{Phase: step.Main})
	main.Ask(step.Ping, "", "ping", "")
	s.Introduce(main)
	main.Close()
	var running sync.WaitGroup
	for _, plan := range oldsse.Plans(s) {
		running.Go(func() { plan.Run(t.Context(), s) })
	}
	running.Wait()
	return s.Record()
}

// listening starts the server on a port of its own and returns its address.
func listening(t *testing.T, program string) string {
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
	reading.Go(func() {
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
