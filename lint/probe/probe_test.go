package probe_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mcpworks/lint"
	"mcpworks/lint/linttest"
	"mcpworks/lint/probe"
	"mcpworks/lint/rules"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

func TestEverythingServer(t *testing.T) {
	program := linttest.EverythingServer(t)
	address := linttest.Listen(t, program)
	for name, target := range map[string]client.Target{
		"stdio": client.Command{Args: []string{program}}, "streamable_http": client.URL(address + "/mcp"), "sse": client.URL(address + "/sse"),
	} {
		for _, level := range []lint.Level{lint.Passive, lint.Probe, lint.Call} {
			t.Run(name+" "+level.String(), func(t *testing.T) {
				t.Parallel()
				record, err := probe.Run(t.Context(), target, options(level))
				if err != nil {
					t.Fatal(err)
				}
				if main := record.Talks[0]; main.Phase != step.Main || main.Transport != name {
					t.Errorf("the first talk is %s over %s", main.Phase, main.Transport)
				}
				keepsItsLevel(t, record)
				sameFromTheRecord(t, record)
			})
		}
	}
}

// B2, D2.63, D2.64: what is sent is what the level allows, in every message of
// every talk.
func keepsItsLevel(t *testing.T, record *lint.Record) {
	t.Helper()
	readOnly := map[string]bool{}
	for _, talk := range record.Talks {
		for _, tool := range talk.Items(step.List, mcp.MethodListTools) {
			hints := lint.Member(tool.Raw, "annotations")
			readOnly[tool.Name] = string(lint.Member(hints, "readOnlyHint")) == "true" && string(lint.Member(hints, "openWorldHint")) != "true"
		}
	}
	if len(readOnly) == 0 {
		t.Fatal("there are no tools")
	}
	called := 0
	for _, talk := range record.Talks {
		if record.Level == lint.Passive && talk.Phase != step.Main && talk.Phase != step.Era && talk.Phase != step.HTTPBind {
			t.Errorf("the talk %s at level passive", talk.Phase)
		}
		for _, m := range talk.Messages() {
			name, _ := lint.Text(lint.Member(m.Params, "name"))
			allowed, exists := readOnly[name]
			if m.FromServer || m.MethodName() != mcp.MethodCallTool || !exists {
				continue
			}
			called++
			if record.Level < lint.Call || !allowed {
				t.Errorf("%s is called at level %v: %s", name, record.Level, m.Raw)
			}
		}
	}
	if record.Level == lint.Call && called == 0 {
		t.Error("no tool was called")
	}
}

// D2.65: rules that read the record again find the same.
func sameFromTheRecord(t *testing.T, record *lint.Record) {
	t.Helper()
	var text bytes.Buffer
	if err := record.Write(&text); err != nil {
		t.Fatal(err)
	}
	again, err := lint.ReadRecord(&text)
	if err != nil {
		t.Fatal(err)
	}
	first, second := lint.Run(record, rules.All(), lint.Options{}), lint.Run(again, rules.All(), lint.Options{})
	if diff := cmp.Diff(first.Findings, second.Findings); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(first.Results, second.Results, cmpopts.IgnoreFields(lint.Result{}, "Rule")); diff != "" {
		t.Error(diff)
	}
}
