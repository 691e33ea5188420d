package oldsse_test

import (
	"sync"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/linttest"
	"mcpworks/lint/probe/oldsse"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/rules/sse"
	"mcpworks/lint/step"
	"mcpworks/mcp/client"
)

// Our own server breaks none of the rules about HTTP+SSE, and all of them are
// decided (SSE-001 to SSE-010).
func TestEverythingServer(t *testing.T) {
	program := linttest.EverythingServer(t)
	report := lint.Run(probed(t, linttest.Listen(t, program)+"/sse"), sse.Rules(), lint.Options{})
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
