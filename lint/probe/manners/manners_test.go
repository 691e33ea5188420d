package manners_test

import (
	"slices"
	"sync"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/linttest"
	"mcpworks/lint/probe/manners"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/rules/rpc"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// Our own server breaks none of the rules about JSON-RPC, and all of them that
// apply are decided (RPC-001 to RPC-028).
func TestEverythingServer(t *testing.T) {
	program := linttest.EverythingServer(t)
	t.Run("stdio", func(t *testing.T) {
		check(t, probed(t, client.Command{Args: []string{program}}, wire.Stdio), rpc.Rules(), "RPC-002", "RPC-024")
	})
	base := linttest.Listen(t, program)
	t.Run("streamable", func(t *testing.T) {
		check(t, probed(t, client.URL(base+"/mcp"), wire.Streamable), rpc.Rules(), "RPC-024")
	})
	t.Run("sse", func(t *testing.T) {
		check(t, probed(t, client.URL(base+"/sse"), wire.SSE), rpc.Rules(), onlyModernOrAsked...)
	})
}

// onlyModernOrAsked are rules about the modern era, and about requests of the
// server.
var onlyModernOrAsked = []string{"RPC-019", "RPC-021", "RPC-022", "RPC-024"}

// probed has the main talks of a server, as far as the plans need them, and
// everything that the plans record.
func probed(t *testing.T, target client.Target, transport string) *lint.Record {
	t.Helper()
	s, err := wire.NewServer(target, wire.Options{Level: lint.Probe})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Finish()
	s.SetTransport(transport)
	for _, modern := range []bool{false, true} {
		if modern && transport == wire.SSE {
			continue
		}
		talk := s.Open(t.Context(), wire.Opening{Phase: step.Main, Modern: modern})
		if modern && !talk.Discover().OK() {
			talk.Rename(step.Era)
			talk.Close()
			continue
		}
		talk.Ask(step.List, mcp.MethodListTools, mcp.MethodListTools, "")
		s.Introduce(talk)
		talk.Close()
	}
	var running sync.WaitGroup
	for _, plan := range manners.Plans(s) {
		running.Go(func() { plan.Run(t.Context(), s) })
	}
	running.Wait()
	return s.Record()
}

// check wants every rule to pass, but for those that are not about the server,
// and no tool to be named in what was sent (D2.63).
func check(t *testing.T, record *lint.Record, rules []*lint.Rule, inapplicable ...string) {
	t.Helper()
	report := lint.Run(record, rules, lint.Options{})
	for _, f := range report.Findings {
		t.Errorf("%v %s %v: %s\n%+v", f.Severity, f.RuleID, f.Subject, f.Message, f.Evidence)
	}
	for _, talk := range record.Talks {
		for _, m := range talk.Messages() {
			if !m.FromServer && m.MethodName() == mcp.MethodCallTool && lint.Member(m.Params, "name") != nil {
				t.Errorf("a tool is called: %s", m.Raw)
			}
		}
	}
	for _, result := range report.Results {
		want := lint.Pass
		if slices.Contains(inapplicable, result.Rule.ID) {
			want = lint.NotApplicable
		}
		if result.Status != want {
			t.Errorf("%s: %v (%s), want %v", result.Rule.ID, result.Status, result.Reason, want)
		}
	}
}
