package lifecycle_test

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpworks/lint"
	"mcpworks/lint/linttest"
	script "mcpworks/lint/probe/lifecycle"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/rules/lifecycle"
	"mcpworks/lint/rules/stdio"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// Our own server breaks none of the rules about the lifecycle and about
// processes, and all that apply to it are decided (LIFE-001 to LIFE-026, STD-001
// to STD-013).
func TestEverythingServer(t *testing.T) {
	program := linttest.EverythingServer(t)
	// It declares all capabilities, gives no instructions and no web site, is no
	// package, and has nothing to log here.
	exceptions := map[string]lint.Status{
		"LIFE-010": lint.NotApplicable, "LIFE-019": lint.NotApplicable, "LIFE-020": lint.NotApplicable, "LIFE-021": lint.NotApplicable,
		"LIFE-026": lint.NotVerified,
		"STD-013":  lint.Skipped, // no tool is called at this level
	}
	t.Run("stdio", func(t *testing.T) {
		wantPass(t, probed(t, client.Command{Args: []string{program}}, wire.Stdio), append(lifecycle.Rules(), stdio.Rules()...), exceptions)
	})
	base := linttest.Listen(t, program)
	t.Run("streamable", func(t *testing.T) {
		wantPass(t, probed(t, client.URL(base+"/mcp"), wire.Streamable), lifecycle.Rules(), exceptions)
	})
	t.Run("sse", func(t *testing.T) {
		wantPass(t, probed(t, client.URL(base+"/sse"), wire.SSE), lifecycle.Rules(), exceptions)
	})
}

func wantPass(t *testing.T, record *lint.Record, rules []*lint.Rule, exceptions map[string]lint.Status) {
	t.Helper()
	report := lint.Run(record, rules, lint.Options{})
	for _, f := range report.Findings {
		t.Errorf("%v %s %v: %s\n%+v", f.Severity, f.RuleID, f.Subject, f.Message, f.Evidence)
	}
	for _, result := range report.Results {
		if want := exceptions[result.Rule.ID]; result.Status != want {
			t.Errorf("%s: %v (%s), want %v", result.Rule.ID, result.Status, result.Reason, want)
		}
	}
}

// What a server does wrong is in the record, whichever step it happens in.
func TestRudeServer(t *testing.T) {
	record := probed(t, client.Command{Args: []string{os.Args[0]}, Env: []string{rudeMode + "=1"}}, wire.Stdio)
	report := lint.Run(record, append(lifecycle.Rules(), stdio.Rules()...), lint.Options{})
	var fired []string
	for _, f := range report.Findings {
		if !slices.Contains(fired, f.RuleID) {
			fired = append(fired, f.RuleID)
		}
	}
	slices.Sort(fired)
	want := []string{
		"LIFE-004", "LIFE-009", "LIFE-010", "LIFE-012", "LIFE-013", "LIFE-014", "LIFE-015", "LIFE-016", "LIFE-017", "LIFE-022", "LIFE-025",
		"STD-001", "STD-007", "STD-011", "STD-012",
	}
	if !slices.Equal(fired, want) {
		t.Errorf("fired: %s\nwant:  %s", strings.Join(fired, " "), strings.Join(want, " "))
	}
	for _, result := range report.Results {
		// Who agrees to every version does not show which is the newest.
		if result.Status == lint.NotVerified && result.Rule.ID != "LIFE-006" {
			t.Errorf("%s was not verified: %s", result.Rule.ID, result.Reason)
		}
	}
}

// probed has the main talks of a server, what rules want to see of other
// scripts, and everything that the plans record.
func probed(t *testing.T, target client.Target, transport string) *lint.Record {
	t.Helper()
	s, err := wire.NewServer(target, wire.Options{Level: lint.Probe, Client: client.Options{Timeouts: client.Timeouts{Request: 2 * time.Second}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Finish()
	s.SetTransport(transport)
	meet(t, s, false)
	if transport != wire.SSE {
		meet(t, s, true)
	}
	subscribe(t, s)
	begin := time.Now()
	var running sync.WaitGroup
	for _, plan := range script.Plans(s) {
		running.Go(func() { plan.Run(t.Context(), s) })
	}
	running.Wait()
	t.Logf("the plans took %v", time.Since(begin))
	return s.Record()
}

func meet(t *testing.T, s *wire.Server, modern bool) {
	t.Helper()
	talk := s.Open(t.Context(), wire.Opening{Phase: step.Main, Modern: modern})
	defer talk.Close()
	if modern && !talk.Discover().OK() {
		talk.Rename(step.Era)
		return
	}
	for _, method := range []string{mcp.MethodListTools, mcp.MethodListResources, mcp.MethodListResourceTemplates} {
		talk.Ask(step.List, method, method, "")
	}
	if !modern {
		talk.Ask(step.Ping, "", mcp.MethodPing, "")
	}
	s.Introduce(talk)
}

// subscribe does what LIFE-011 reads, as another script does it.
func subscribe(t *testing.T, s *wire.Server) {
	t.Helper()
	items := s.Legacy().Items(step.List, mcp.MethodListResources)
	if len(items) == 0 {
		return
	}
	talk := s.Open(t.Context(), wire.Opening{Phase: step.Probing})
	defer talk.Close()
	params := `{"uri":"` + items[0].Name + `"}`
	talk.Ask(step.Subscribe, items[0].Name, mcp.MethodSubscribe, params)
	talk.Ask(step.Unsubscribe, items[0].Name, mcp.MethodUnsubscribe, params)
}
