package overhttp_test

import (
	"strings"
	"sync"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/linttest"
	"mcpworks/lint/probe/overhttp"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/rules/streamable"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// Our own server breaks none of the rules about Streamable HTTP, and all of them
// that are about it are decided (HTTP-001 to HTTP-053, D2.62).
func TestEverythingServer(t *testing.T) {
	record := probed(t, everythingServer(t))
	report := lint.Run(record, streamable.Rules(), lint.Options{})
	for _, f := range report.Findings {
		t.Errorf("%v %s %v: %s\n%+v", f.Severity, f.RuleID, f.Subject, f.Message, f.Evidence)
	}
	inapplicable := map[string]string{
		"HTTP-023": "the server is on this machine",
		"HTTP-024": "the server is on this machine",
		"HTTP-028": "no request was answered by an event stream",
		"HTTP-029": "no request was answered by an event stream",
		"HTTP-032": "the server's events have no ids",
		"HTTP-033": "no request was answered by an event stream",
		"HTTP-034": "no request was answered by an event stream",
		"HTTP-035": "the server's events have no ids",
		"HTTP-038": "no response was an event stream",
		"HTTP-050": "the server speaks legacy revisions too",
	}
	for _, result := range report.Results {
		id := result.Rule.ID
		switch reason, ok := inapplicable[id]; {
		case id == "HTTP-049":
			if result.Status != lint.Skipped {
				t.Errorf("%s: %v (%s)", id, result.Status, result.Reason)
			}
		case ok:
			if result.Status != lint.NotApplicable || result.Reason != reason {
				t.Errorf("%s: %v (%s)", id, result.Status, result.Reason)
			}
		case result.Status != lint.Pass:
			t.Errorf("%s: %v (%s)", id, result.Status, result.Reason)
		}
	}
}

// D2.63: nothing that a tool could take for a call is sent.
func TestNoToolIsCalled(t *testing.T) {
	record := probed(t, everythingServer(t))
	calls := 0
	for _, talk := range record.Talks {
		for _, m := range talk.Messages() {
			if m.FromServer || m.MethodName() != mcp.MethodCallTool {
				continue
			}
			calls++
			if name, _ := lint.Text(lint.Member(m.Params, "name")); !strings.HasPrefix(name, "mcplint-no-") {
				t.Errorf("%s was called", name)
			}
		}
	}
	if calls == 0 {
		t.Error("Mcp-Name was not probed")
	}
}

// probed is a record with the main talks and everything that this package does.
func probed(t *testing.T, target string) *lint.Record {
	t.Helper()
	s, err := wire.NewServer(client.URL(target), wire.Options{Level: lint.Probe})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Finish()
	for _, modern := range []bool{false, true} {
		main := s.Open(t.Context(), wire.Opening{Phase: step.Main, Modern: modern})
		if main.Failed() || modern && !main.Discover().OK() {
			main.Rename(step.Era)
			main.Close()
			continue
		}
		main.Ask(step.List, mcp.MethodListTools, mcp.MethodListTools, "")
		s.Introduce(main)
		main.Close()
	}
	var running sync.WaitGroup
	for _, plan := range overhttp.Plans(s) {
		running.Go(func() { plan.Run(t.Context(), s) })
	}
	running.Wait()
	return s.Record()
}

// everythingServer starts the fixture of the conformance suite and returns its
// address.
func everythingServer(t *testing.T) string {
	t.Helper()
	return linttest.Listen(t, linttest.EverythingServer(t)) + "/mcp"
}
