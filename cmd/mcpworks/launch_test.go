package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// product makes a repository of this machine and returns its address.
func product(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"README.md":            "# Acme\n\nAcme sorts boats by their length.\n\n## Install\n\n```sh\npip install acme\n```\n\n## Usage\n\n```python\nimport acme\nacme.sort([])\n```\n",
		"LICENSE":              "MIT License\n",
		"pyproject.toml":       "[project]\nname = \"acme\"\nversion = \"1.0.0\"\ndescription = \"Sorts boats\"\nrequires-python = \">=3.9\"\n",
		"src/acme/__init__.py": "\"\"\"Sorts boats.\"\"\"\n\n\ndef sort(boats):\n    \"\"\"Sorts boats by their length.\"\"\"\n    return sorted(boats)\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "-m", "first"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	return "file://" + dir
}

// post calls a tool of the launcher by REST and reads its result.
func (p *process) post(t *testing.T, tool, arguments string, into any) {
	t.Helper()
	status, answer := do(t, http.DefaultClient, "POST", p.url+"/api/tools/"+tool, arguments)
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", tool, status, answer)
	}
	if err := json.Unmarshal([]byte(answer), &struct{ Result any }{into}); err != nil {
		t.Fatal(err)
	}
}

type runStatus struct {
	RunID           string `json:"run_id"`
	State, Activity string
	Failure         json.RawMessage
}

// rest waits until a run pauses or ends.
func (p *process) rest(t *testing.T, run string) (now runStatus) {
	t.Helper()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for range look.C {
		if p.post(t, "get_run_status", `{"run_id":"`+run+`"}`, &now); now.Activity != "queued" && now.Activity != "running" {
			break
		}
	}
	return now
}

// Runs are executed, counted, and there again after a restart.
func TestLaunchExecutesRuns(t *testing.T) {
	data := t.TempDir()
	file := writeConfig(t, map[string]any{"launch": map[string]any{"allow_local_repos": true}})
	works := func() *process {
		return startWorks(t, []string{"PATH=" + os.Getenv("PATH")}, "--data-dir", data, "--config", file)
	}
	p := works()
	var started runStatus
	p.post(t, "launch_start_run_from_github_repo_url", `{"github_repo_url":"`+product(t)+`"}`, &started)
	if now := p.rest(t, started.RunID); now.State != "READY_FOR_PR" {
		t.Errorf("the run rests in %s: %s", now.State, now.Failure)
	}
	status, answer := do(t, http.DefaultClient, "POST", p.url+"/api/tools/get_run_status", `{"run_id":"no_such_run"}`)
	if want := `{"success":false,"error":{"code":"ORCHESTRATOR_RUN_NOT_FOUND","message":"there is no such run"}}`; status != http.StatusUnprocessableEntity || answer != want {
		t.Errorf("REST: %d %s", status, answer)
	}
	_, metrics := do(t, http.DefaultClient, "GET", p.url+"/metrics", "")
	for _, line := range []string{ // C-10
		`launcher_mcp_tool_calls_total{tool="launch_start_run_from_github_repo_url",outcome="success"} 1`,
		`launcher_mcp_tool_errors_total{tool="get_run_status",error_code="ORCHESTRATOR_RUN_NOT_FOUND"} 1`,
		`launcher_runs{state="READY_FOR_PR"} 1`,
	} {
		if !slices.Contains(strings.Split(metrics, "\n"), line) {
			t.Errorf("no line %s in\n%s", line, metrics)
		}
	}
	p.end(t)
	if _, err := os.Stat(filepath.Join(data, "launch", "runs", started.RunID)); err != nil {
		t.Error(err)
	}

	p = works()
	var list struct{ Runs []runStatus }
	if p.post(t, "list_runs", "{}", &list); len(list.Runs) != 1 || list.Runs[0].RunID != started.RunID {
		t.Errorf("after the restart there are %+v", list.Runs)
	}
	p.end(t)
}

// Without a data directory runs end with the process, and leave nothing behind.
func TestLaunchWithoutADataDirectory(t *testing.T) {
	temporary := t.TempDir()
	p := startWorks(t, []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + temporary})
	p.line(t, "launch     "+p.url+"/launch/mcp  (runs end with the process)")
	var list struct{ Runs []runStatus }
	if p.post(t, "list_runs", "{}", &list); len(list.Runs) != 0 {
		t.Errorf("there are %+v", list.Runs)
	}
	p.end(t)
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// S-41: each session has its own hundred calls a minute. (Requests of the newest
// revision have no session; they count for their token.)
func TestLaunchLimitsEachSession(t *testing.T) {
	p := startWorks(t, nil)
	calls := func() (passed int, last error) {
		session, err := connect(t.Context(), &gosdk.SSEClientTransport{Endpoint: p.url + "/launch/sse"})
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		for range 101 {
			if _, last = session.CallTool(t.Context(), &gosdk.CallToolParams{Name: "list_taskcards", Arguments: map[string]any{}}); last != nil {
				return passed, last
			}
			passed++
		}
		return passed, nil
	}
	for session := range 2 {
		if passed, err := calls(); passed != 100 || err == nil || !strings.Contains(err.Error(), "too many calls in a minute") {
			t.Errorf("session %d: %d calls pass, then %v", session, passed, fmt.Sprint(err))
		}
	}
	p.end(t)
}

// 18.17: the launcher takes longer messages than the other packs.
func TestLaunchTakesLongMessages(t *testing.T) {
	p := startWorks(t, nil)
	long := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 9<<20) + `"}}`
	for pack, want := range map[string]bool{"launch": false, "judge": true} {
		status, answer := do(t, http.DefaultClient, "POST", p.url+"/"+pack+"/mcp", long, "Content-Type", "application/json", "Accept", "application/json, text/event-stream")
		if refused := status == http.StatusRequestEntityTooLarge; refused != want {
			t.Errorf("%s: %d %.200s", pack, status, answer)
		}
	}
}
