package features_test

import (
	"slices"
	"sync"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/linttest"
	"mcpworks/lint/probe/features"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/rules/paging"
	"mcpworks/lint/rules/prompts"
	"mcpworks/lint/rules/resources"
	"mcpworks/lint/rules/utilities"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// Our own server passes all rules about resources, prompts, pages and
// utilities, and those below the level of calls that apply are decided
// (RES-001…016, PRM-001…006, PAGE-001…006, UTIL-001…005, 011…013).
func TestEverythingServer(t *testing.T) {
	program := linttest.EverythingServer(t)
	notOffered := []string{ // annotations, sizes, pages, trace context
		"RES-014", "RES-015", "PAGE-004", "PAGE-005", "PAGE-006", "UTIL-013",
	}
	t.Run("stdio", func(t *testing.T) {
		check(t, probed(t, client.Command{Args: []string{program}}, wire.Stdio), notOffered...)
	})
	base := linttest.Listen(t, program)
	t.Run("streamable", func(t *testing.T) {
		check(t, probed(t, client.URL(base+"/mcp"), wire.Streamable), notOffered...)
	})
	t.Run("sse", func(t *testing.T) {
		check(t, probed(t, client.URL(base+"/sse"), wire.SSE), append(notOffered, "UTIL-012")...)
	})
}

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
		if !modern || transport != wire.SSE {
			meet(t, s, modern)
		}
	}
	var running sync.WaitGroup
	for _, plan := range features.Plans(s) {
		running.Go(func() { plan.Run(t.Context(), s) })
	}
	running.Wait()
	return s.Record()
}

// meet holds a main talk: all lists, twice.
func meet(t *testing.T, s *wire.Server, modern bool) {
	t.Helper()
	talk := s.Open(t.Context(), wire.Opening{Phase: step.Main, Modern: modern})
	defer talk.Close()
	if modern && !talk.Discover().OK() {
		t.Fatal("the server is not modern")
	}
	for _, pass := range []string{step.List, step.ListAgain} {
		for _, method := range []string{mcp.MethodListTools, mcp.MethodListResources, mcp.MethodListResourceTemplates, mcp.MethodListPrompts} {
			params := ""
			for range 10 {
				reply := talk.Ask(pass, method, method, params)
				cursor := lint.Member(reply.Result, "nextCursor")
				if cursor == nil {
					break
				}
				params = `{"cursor":` + string(cursor) + `}`
			}
		}
	}
	s.Introduce(talk)
}

func rules() []*lint.Rule {
	return slices.Concat(resources.Rules(), prompts.Rules(), paging.Rules(), utilities.Rules())
}

// check wants every rule of level probe to pass, but for those that are not
// about the server.
func check(t *testing.T, record *lint.Record, inapplicable ...string) {
	t.Helper()
	report := lint.Run(record, rules(), lint.Options{})
	for _, f := range report.Findings {
		t.Errorf("%v %s %v: %s\n%+v", f.Severity, f.RuleID, f.Subject, f.Message, f.Evidence)
	}
	for _, result := range report.Results {
		want := lint.Pass
		if slices.Contains(inapplicable, result.Rule.ID) {
			want = lint.NotApplicable
		} else if result.Rule.Level > lint.Probe {
			want = lint.Skipped
		}
		if result.Status != want {
			t.Errorf("%s: %v (%s), want %v", result.Rule.ID, result.Status, result.Reason, want)
		}
	}
}
