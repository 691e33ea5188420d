package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpworks/internal/version"
	"mcpworks/packs/launch"
)

// do runs a command line in this process.
func do(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

// S-1: whatever can be done here can be done by a tool, and the other way round.
func TestS1VerbsAndTools(t *testing.T) {
	covered := map[string]bool{}
	for _, v := range operations() {
		if !slices.Contains(launch.Tools(), v.tool) {
			t.Errorf("%s does what no tool does", v.Name)
		}
		covered[v.tool] = true
	}
	for _, tool := range []string{
		"launch_start_run", "launch_start_run_from_product_url", "launch_start_run_from_github_repo_url", "get_run_status", "list_runs", "get_artifact",
		"validate_run", "launch_fix_next", "resume_run", "cancel_run", "launch_open_pr", "get_telemetry", "list_taskcards", "validate_taskcard",
	} {
		if !covered[tool] {
			t.Errorf("no command does what %s does", tool)
		}
	}
}

func TestHelp(t *testing.T) {
	_, all, _ := do(t, "", "help")
	for _, v := range verbs() {
		code, text, stderr := do(t, "", v.Name, "--help")
		if code != 0 || text != v.Help || stderr != "" || !strings.Contains(all, "\n  "+v.Name+" ") {
			t.Errorf("%s: %d %s", v.Name, code, stderr)
		}
		for _, o := range v.Options {
			if !strings.Contains(text, o.Name) {
				t.Errorf("the help of %s has nothing about %s", v.Name, o.Name)
			}
		}
	}
}

// place is a folder with a product, and a profile that lets runs read it.
func place(t *testing.T) (dir, url string) {
	t.Helper()
	dir = t.TempDir()
	profile := "name: here\nallow_local_repos: true\nsections:\n  docs: {root: content/docs, url_prefix: /docs/, localization: dir}\n"
	if err := errors.Join(
		os.Mkdir(filepath.Join(dir, "profiles"), 0o700), os.WriteFile(filepath.Join(dir, "profiles", "here.yaml"), []byte(profile), 0o600),
		makeProduct(filepath.Join(dir, "acme-tool")),
	); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // some of what runs leave is read-only
		_ = filepath.WalkDir(filepath.Join(dir, "data"), func(name string, entry os.DirEntry, err error) error {
			if err == nil && entry.IsDir() {
				return os.Chmod(name, 0o700)
			}
			return nil
		})
	})
	return dir, "file://" + filepath.Join(dir, "acme-tool")
}

func TestSettings(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "launcher.yaml")
	if err := os.WriteFile(file, []byte("data_dir: from-file\nlimits: {calls_per_minute: 7, tool_timeout_s: {validate_run: 60}}\nqueue: {concurrency: 2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LAUNCHER_QUEUE_CONCURRENCY", "3")
	t.Setenv("LAUNCHER_NETWORK_ALLOWLIST", "a.example,b.example")
	c := &call{}
	c.Values = map[string][]string{optConfig: {file}, optDataDir: {"from-flag"}, optAllowHost: {"c.example"}}
	cfg, err := c.settings()
	if err != nil || cfg.DataDir != "from-flag" || cfg.CallsPerMinute != 7 || cfg.Concurrency != 3 || cfg.Timeouts["validate_run"] != time.Minute ||
		!slices.Equal(cfg.NetworkAllowlist, []string{"a.example", "b.example", "c.example"}) {
		t.Errorf("%+v, %v", cfg, err)
	}
	for _, bad := range []string{"unknown: 1\n", "recovery: perhaps\n", "limits: {tool_timeout_s: {no_tool: 1}}\n", "queue: {concurrency: -1}\n"} {
		if err := os.WriteFile(file, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		os.Unsetenv("LAUNCHER_QUEUE_CONCURRENCY")
		if _, err := c.settings(); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestOfficialClient has the client of the official SDK use the program over its
// standard streams (S-18, S-51).
func TestOfficialClient(t *testing.T) {
	dir, url := place(t)
	program := exec.CommandContext(t.Context(), launch.Name, "--data-dir", filepath.Join(dir, "data"), "--profiles-dir", filepath.Join(dir, "profiles"))
	var log bytes.Buffer
	program.Stderr = &log
	client := gosdk.NewClient(&gosdk.Implementation{Name: "test", Version: "0"}, nil)
	session, err := client.Connect(t.Context(), &gosdk.CommandTransport{Command: program}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if info := session.InitializeResult().ServerInfo; info.Name != launch.Name || info.Version != version.Number {
		t.Errorf("it is %+v", info)
	}
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil || len(listed.Tools) != 23 {
		t.Errorf("S-2: %v", err)
	}
	call := func(tool string, arguments map[string]any) map[string]any {
		t.Helper()
		result, err := session.CallTool(t.Context(), &gosdk.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil || result.IsError {
			t.Fatalf("%s: %v %v", tool, err, result)
		}
		answer, _ := result.StructuredContent.(map[string]any)
		return answer
	}
	started := call("launch_run", map[string]any{"github_repo_url": url, "hints": map[string]any{"site_profile": "here"}})
	run, _ := started["run_id"].(string)
	if call("get_run_status", map[string]any{"run_id": run})["run_id"] != run {
		t.Errorf("started %v", started)
	}
	if call("cancel_run", map[string]any{"run_id": run})["state"] != "CANCELLED" {
		t.Error("the run was not cancelled")
	}
	if _, err := session.CallTool(t.Context(), &gosdk.CallToolParams{Name: "get_run_status", Arguments: map[string]any{"run_id": "../x"}}); err == nil {
		t.Error("a run id that is none was taken")
	}
	read, err := session.ReadResource(t.Context(), &gosdk.ReadResourceParams{URI: "resource://run/" + run + "/snapshot.json"})
	if err != nil || !strings.Contains(read.Contents[0].Text, `"run_state": "CANCELLED"`) {
		t.Errorf("S-26: %v", err)
	}
	if err := session.Close(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(log.String()), "\n") { // S-48
		if !json.Valid([]byte(line)) {
			t.Errorf("the log has %q", line)
		}
	}
}
