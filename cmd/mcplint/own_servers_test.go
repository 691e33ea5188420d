package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// forced are findings about everything-server that the official suite wants it
// to have: these tools are called so, and one has this schema.
var forced = map[string]bool{
	"SCH-018 json_schema_2020_12_tool": true, "SCH-021 json_schema_2020_12_tool": true,
	"TOOL-005 test_input_required_result_multiple_inputs": true, "TOOL-005 test_input_required_result_tampered_state": true,
	"MOD-030 logging": true, "MOD-030 roots": true, "MOD-030 sampling": true, "MOD-030 elicitation": true,
	// So does the frozen contract of mcp-context-server: one revision, anything
	// in initialize, and cursors that nobody reads.
	"LIFE-007 2024-11-05": true, "LIFE-015 ": true, "PAGE-003 tools/list": true,
	// The contract of the context engine names its tools with a dot.
	"TOOL-005 context.resolve": true, "TOOL-005 context.list_caches": true, "TOOL-005 context.inspect_cache": true,
}

// launcher are rules that the launcher's contract breaks: tools that do not exist
// are methods that do not exist, and an id that could not be read is null in every
// revision.
const launcher = "TOOL-006 RPC-009"

// The servers of this project have no findings, in all of their transports and
// eras, and every rule that applies to them is decided.
func TestOwnServersAreClean(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and starts all servers")
	}
	bin := buildServers(t)
	program := func(name string) string { return filepath.Join(bin, name) }
	caches := t.TempDir()
	docs := filepath.Join(caches, "docs")
	if err := os.Mkdir(docs, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(docs, "a.md"), []byte("# Boats\n\nA boat floats.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program("context"), "build", "--sources", docs, "--cache", filepath.Join(caches, "one.cache")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	everything := listening(t, program("everything-server"), "--listen")
	// Each has one of its own: together they would ask for more streams than one client gets.
	works := func() string {
		return listening(t, program("mcpworks"), "serve", "--data-dir", t.TempDir(), "--listen")
	}
	plantuml := listening(t, program("plantuml-mcp"), "--listen")

	for name, test := range map[string]struct {
		args []string
		eras string
		// unverified are rules that nothing the server does can decide, and
		// broken those that its contract breaks.
		unverified, broken string
	}{
		"oj-mcp-rs":                     {[]string{program("oj-mcp-rs"), "--base-url", "http://127.0.0.1:9"}, "legacy modern", "", ""},
		"mcp-context-server":            {[]string{"-e", "CONTEXT_CACHE_ROOT=" + caches, program("mcp-context-server")}, "legacy", "", ""},
		"context serve":                 {[]string{program("context"), "serve", "--cache-root", caches}, "legacy modern", "", ""},
		"plantuml-mcp":                  {[]string{plantuml + "/mcp"}, "legacy modern", "", ""},
		"everything-server":             {[]string{program("everything-server")}, "legacy modern", "LIFE-026 MOD-015", ""},
		"everything-server, calls":      {[]string{"--level", "call", program("everything-server")}, "legacy modern", "MOD-015", ""},
		"everything-server, http":       {[]string{everything + "/mcp"}, "legacy modern", "LIFE-026 MOD-015", ""},
		"everything-server, http calls": {[]string{"--level", "call", everything + "/mcp"}, "legacy modern", "MOD-015", ""},
		"everything-server, sse":        {[]string{everything + "/sse"}, "legacy", "LIFE-026", ""},
		"mcpworks judge":                {[]string{works() + "/judge/mcp"}, "legacy modern", "", ""},
		"mcpworks judge, sse":           {[]string{works() + "/judge/sse"}, "legacy", "", ""},
		"mcpworks context":              {[]string{works() + "/context/mcp"}, "legacy modern", "", ""},
		"mcpworks plantuml":             {[]string{works() + "/plantuml/mcp"}, "legacy modern", "", ""},
		"mcpworks launch":               {[]string{works() + "/launch/mcp"}, "legacy modern", "", launcher},
		"mcpworks launch, sse":          {[]string{works() + "/launch/sse"}, "legacy", "", launcher},
		"foss-launcher-mcp":             {[]string{program("foss-launcher-mcp"), "--data-dir", t.TempDir()}, "legacy modern", "", launcher},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := exec.Command(program("mcplint"), append([]string{"validate", "--format", "json", "--fail-on", "never"}, test.args...)...).Output()
			if err != nil {
				t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
			}
			judgeOwn(t, text, test.eras, test.unverified, test.broken)
		})
	}
}

func judgeOwn(t *testing.T, text []byte, eras, unverified, broken string) {
	t.Helper()
	var report struct {
		Eras     []string
		Findings []struct {
			RuleID, Message string
			Subject         struct{ Kind, Name, Part string }
			Evidence        json.RawMessage
		}
		Rules []struct{ ID, Status, Reason string }
	}
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(report.Eras, " "); got != eras {
		t.Errorf("eras %q, want %q", got, eras)
	}
	for _, f := range report.Findings {
		if !forced[f.RuleID+" "+f.Subject.Name] && !strings.Contains(broken, f.RuleID) {
			t.Errorf("%s %s: %s\n%s", f.RuleID, f.Subject.Name, f.Message, f.Evidence)
		}
	}
	for _, rule := range report.Rules {
		if rule.Status == "not_verified" && !strings.Contains(unverified, rule.ID) {
			t.Errorf("%s is not verified: %s", rule.ID, rule.Reason)
		}
	}
}

// buildServers builds the programs as users have them.
func buildServers(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", bin+string(filepath.Separator), "../...", "../../conformance/everything-server")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return bin
}

// listening starts a server whose last option is the address, and returns where
// it listens: it says so in its first lines.
func listening(t *testing.T, program string, args ...string) string {
	t.Helper()
	address, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append(args, address)...)
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
		if strings.Contains(lines.Text(), address) {
			go func() {
				for lines.Scan() { // the log must not fill the pipe
				}
			}()
			return "http://" + address
		}
	}
	t.Fatalf("%s never says that it listens", filepath.Base(program))
	return ""
}
