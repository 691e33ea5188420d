package probe_test

import (
	"bufio"
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mcpworks/lint"
	"mcpworks/lint/probe"
	"mcpworks/lint/rules"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// everythingServer builds the server of the official suite, which has one of
// everything.
func everythingServer(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "everything-server")
	cmd := exec.Command("go", "build", "-o", program, "mcpworks/conformance/everything-server")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// listen starts it on a port of its own and returns the address that it says.
func listen(t *testing.T, program string) string {
	t.Helper()
	cmd := exec.Command(program, "--listen", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "http://"); ok {
			go func() {
				for lines.Scan() { // the log must not fill the pipe
				}
			}()
			return "http://" + strings.TrimSuffix(strings.Fields(address)[0], "/mcp")
		}
	}
	t.Fatal("it never says where it listens")
	return ""
}

func TestEverythingServer(t *testing.T) {
	program := everythingServer(t)
	address := listen(t, program)
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
