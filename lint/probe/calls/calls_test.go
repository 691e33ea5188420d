package calls_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/lint"
	"mcpworks/lint/linttest"
	"mcpworks/lint/probe/calls"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/rules/schemas"
	"mcpworks/lint/rules/tools"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// Our own server passes all rules about tools and schemas, and those that apply
// are decided (TOOL-001…025, SCH-001…029).
func TestEverythingServer(t *testing.T) {
	program := linttest.EverythingServer(t)
	t.Run("stdio", func(t *testing.T) {
		record := probed(t, client.Command{Args: []string{program}}, wire.Stdio, wire.Options{Level: lint.Call})
		check(t, record)
		steps(t, record, step.Call, step.CallAgain, step.CallMissing, step.CallWrongType, step.CallAnswered, step.StateTampered, step.CallUndeclared)
	})
	base := linttest.Listen(t, program)
	t.Run("streamable", func(t *testing.T) {
		record := probed(t, client.URL(base+"/mcp"), wire.Streamable, wire.Options{Level: lint.Call})
		check(t, record)
		steps(t, record, step.HTTPParamHeader)
	})
	t.Run("sse", func(t *testing.T) {
		check(t, probed(t, client.URL(base+"/sse"), wire.SSE, wire.Options{Level: lint.Call}))
	})
}

// probed has the main talks of a server, and everything that the plans of its
// level record.
func probed(t *testing.T, target client.Target, transport string, opts wire.Options) *lint.Record {
	t.Helper()
	s, err := wire.NewServer(target, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Finish()
	s.SetTransport(transport)
	meet(t, s, false)
	if transport != wire.SSE {
		meet(t, s, true)
	}
	for _, plan := range calls.Plans(s) {
		if plan.Level <= opts.Level {
			plan.Run(t.Context(), s)
		}
	}
	return s.Record()
}

// meet holds a main talk, as far as the plans need it. A server that does not
// speak the era has none.
func meet(t *testing.T, s *wire.Server, modern bool) {
	t.Helper()
	talk := s.Open(t.Context(), wire.Opening{Phase: step.Main, Modern: modern})
	if talk.Failed() || modern && !talk.Discover().OK() {
		return
	}
	for _, pass := range []string{step.List, step.ListAgain} {
		talk.Ask(pass, mcp.MethodListTools, mcp.MethodListTools, "")
	}
	s.Introduce(talk)
	talk.Close()
}

func rules() []*lint.Rule { return slices.Concat(tools.Rules(), schemas.Rules()) }

// check wants the findings that the tools of the official suite cannot but have,
// and every other rule to pass or to be about something else.
func check(t *testing.T, record *lint.Record, inapplicable ...string) {
	t.Helper()
	report := judged(record)
	var found []string
	for _, f := range report.Findings {
		found = append(found, f.RuleID+" "+f.Subject.Name)
	}
	want := []string{
		"SCH-018 json_schema_2020_12_tool", "SCH-018 json_schema_2020_12_tool", "SCH-021 json_schema_2020_12_tool",
		"TOOL-005 test_input_required_result_multiple_inputs", "TOOL-005 test_input_required_result_tampered_state",
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	// It has no output schemas, icons and tasks, and plain arguments.
	inapplicable = append(inapplicable, "TOOL-011", "TOOL-012", "TOOL-013", "TOOL-014", "TOOL-021", "TOOL-022",
		"SCH-008", "SCH-012", "SCH-013", "SCH-014", "SCH-015", "SCH-025", "SCH-027")
	for _, result := range report.Results {
		want := lint.Pass
		switch id := result.Rule.ID; {
		case slices.Contains(inapplicable, id):
			want = lint.NotApplicable
		case slices.ContainsFunc(found, func(f string) bool { return strings.HasPrefix(f, id) }):
			want = lint.Fail
		case result.Rule.Severity == lint.Off:
			want = lint.Skipped
		}
		if result.Status != want {
			t.Errorf("%s: %v (%s), want %v", result.Rule.ID, result.Status, result.Reason, want)
		}
	}
}

// judged asks all rules but those that only run when asked for.
func judged(record *lint.Record) *lint.Report {
	return lint.Run(record, rules(), lint.Options{Skip: func(r *lint.Rule) string {
		if r.Severity == lint.Off {
			return "off"
		}
		return ""
	}})
}

// steps wants a record to have steps of the given names.
func steps(t *testing.T, record *lint.Record, names ...string) {
	t.Helper()
	for _, name := range names {
		if !slices.ContainsFunc(record.Talks, func(talk *lint.Talk) bool { return talk.Step(name, "") != nil }) {
			t.Errorf("there is no step %q", name)
		}
	}
}
