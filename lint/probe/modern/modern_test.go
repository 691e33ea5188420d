package modern_test

import (
	"sync"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/linttest"
	"mcpworks/lint/probe/calls"
	"mcpworks/lint/probe/modern"
	"mcpworks/lint/probe/wire"
	rules "mcpworks/lint/rules/modern"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// What our own server says to the rules of level probe: MOD-001 to MOD-032 pass,
// but for the deprecated features that it has on purpose, and those below.
var exceptions = map[string]lint.Status{
	"MOD-010": lint.NotApplicable, // no list has pages
	"MOD-013": lint.NotApplicable, // it speaks both eras
	"MOD-015": lint.NotVerified,   // lists log nothing
	"MOD-030": lint.Fail,          // it declares logging
	"MOD-032": lint.NotApplicable, // it has no extensions
}

func TestEverythingServer(t *testing.T) {
	program := linttest.EverythingServer(t)
	t.Run("stdio", func(t *testing.T) {
		check(t, probed(t, client.Command{Args: []string{program}}), exceptions)
	})
	t.Run("streamable", func(t *testing.T) {
		overHTTP := map[string]lint.Status{"MOD-031": lint.NotApplicable}
		for id, status := range exceptions {
			overHTTP[id] = status
		}
		check(t, probed(t, client.URL(linttest.Listen(t, program)+"/mcp")), overHTTP)
	})
}

// Called tools of our own server ask for input, and the rules about that are
// decided: MOD-017, MOD-019 to MOD-022.
func TestCalling(t *testing.T) {
	s, err := wire.NewServer(client.Command{Args: []string{linttest.EverythingServer(t)}}, wire.Options{Level: lint.Call, Tools: []string{
		"test_missing_capability", "test_input_required_result_elicitation", "test_input_required_result_tampered_state", "test_input_required_result_multiple_inputs",
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Finish)
	meet(t, s, true)
	take(t, s, calls.Plans(s))
	for _, result := range lint.Run(s.Record(), rules.Rules(), lint.Options{}).Results {
		if result.Rule.Level == lint.Call && result.Status != lint.Pass {
			t.Errorf("%s: %v (%s)", result.Rule.ID, result.Status, result.Reason)
		}
	}
}

func check(t *testing.T, record *lint.Record, exceptions map[string]lint.Status) {
	t.Helper()
	report := lint.Run(record, rules.Rules(), lint.Options{})
	for _, f := range report.Findings {
		if exceptions[f.RuleID] != lint.Fail || f.Subject.Name != "logging" {
			t.Errorf("%v %s %v: %s\n%+v", f.Severity, f.RuleID, f.Subject, f.Message, f.Evidence)
		}
	}
	for _, result := range report.Results {
		want := exceptions[result.Rule.ID] // pass by default
		if result.Rule.Level > lint.Probe {
			want = lint.Skipped
		}
		if result.Status != want {
			t.Errorf("%s: %v (%s), want %v", result.Rule.ID, result.Status, result.Reason, want)
		}
	}
}

// probed has the main talks of a server, as far as the plans need them, and
// everything that the plans record.
func probed(t *testing.T, target client.Target) *lint.Record {
	t.Helper()
	s, err := wire.NewServer(target, wire.Options{Level: lint.Probe})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Finish()
	for _, isModern := range []bool{false, true} {
		meet(t, s, isModern)
	}
	take(t, s, modern.Plans(s))
	return s.Record()
}

// take runs plans side by side.
func take(t *testing.T, s *wire.Server, plans []wire.Plan) {
	t.Helper()
	var running sync.WaitGroup
	for _, plan := range plans {
		running.Go(func() { plan.Run(t.Context(), s) })
	}
	running.Wait()
}

// meet holds a main talk, if the server speaks the era.
func meet(t *testing.T, s *wire.Server, isModern bool) {
	t.Helper()
	talk := s.Open(t.Context(), wire.Opening{Phase: step.Main, Modern: isModern})
	defer talk.Close()
	if isModern && !talk.Discover().OK() || talk.Failed() {
		talk.Rename(step.Era)
		return
	}
	for _, method := range []string{mcp.MethodListTools, mcp.MethodListResources, mcp.MethodListResourceTemplates, mcp.MethodListPrompts} {
		talk.Ask(step.List, method, method, "")
	}
	s.Introduce(talk)
}
