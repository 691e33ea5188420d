package launch_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcpworks/packs/launch"
	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/profiles"
)

// whole opens a launcher with the real pipeline, which may read repositories of
// this machine.
func whole(t *testing.T) (h *house, repo string) {
	t.Helper()
	dir := t.TempDir()
	text, err := profiles.Files.ReadFile("default.yaml")
	if err != nil {
		t.Fatal(err)
	}
	allowing := strings.Replace(string(text), "allow_local_repos: false", "allow_local_repos: true", 1)
	fixtures.Write(t, filepath.Join(dir, "profiles"), map[string]string{"default.yaml": allowing})
	product := filepath.Join(dir, "acme-tool")
	if err := os.Mkdir(product, 0o700); err != nil {
		t.Fatal(err)
	}
	fixtures.Git(t, product, fixtures.AcmeTool())
	data := filepath.Join(dir, "data")
	l, err := launch.New(t.Context(), launch.Config{DataDir: data, ProfilesDir: filepath.Join(dir, "profiles"), CallsPerMinute: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- l.Work(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		_ = gitrepo.Remove(filepath.Join(data, "runs")) // some of it is read-only
	})
	return &house{Launcher: l, dir: data, places: []string{data}}, "file://" + product
}

// rest waits until a run pauses or ends.
func (s *session) rest(run string) (state string) {
	s.t.Helper()
	ticker := time.NewTicker(100 * time.Millisecond) // the state is asked for, as clients do
	defer ticker.Stop()
	for range ticker.C {
		var now struct {
			State, Activity string
			Failure         json.RawMessage
		}
		s.call("get_run_status", `{"run_id":"`+run+`"}`).structured(s.t, &now)
		switch now.Activity {
		case "queued", "running":
			continue
		}
		if now.Failure != nil {
			s.t.Fatalf("the run has failed: %s", now.Failure)
		}
		return now.State
	}
	return ""
}

// TestLaunch goes the whole way from a repository to a pull request, through
// nothing but tools (S-3, S-5, S-7, S-8, S-10, S-12, S-26).
func TestLaunch(t *testing.T) {
	t.Parallel()
	h, repo := whole(t)
	s := h.open(t)
	var started struct {
		RunID   string `json:"run_id"`
		Derived struct {
			Family, GitHubRef string
			Platform          string `json:"target_platform"`
		} `json:"derived_config"`
	}
	s.call("launch_start_run_from_github_repo_url", `{"github_repo_url":"`+repo+`","idempotency_key":"once"}`).structured(t, &started)
	if started.Derived.Family != "acme-tool" || started.Derived.Platform != "python" {
		t.Errorf("S-5: derived %+v", started.Derived)
	}
	run := started.RunID
	if state := s.rest(run); state != "READY_FOR_PR" {
		t.Fatalf("S-3: the run rests in %s", state)
	}
	var again struct {
		RunID  string `json:"run_id"`
		Replay bool   `json:"idempotent_replay"`
	}
	s.call("launch_run", `{"github_repo_url":"`+repo+`","idempotency_key":"once"}`).structured(t, &again)
	if again.RunID != run || !again.Replay { // 18.19: it is the same request
		t.Errorf("the key started %+v", again)
	}
	var resumed struct{ Enqueued bool }
	s.call("resume_run", `{"run_id":"`+run+`"}`).structured(t, &resumed)
	if resumed.Enqueued { // 18.10
		t.Error("a run that is where it shall stop was queued")
	}
	var validated struct {
		State  string
		Report json.RawMessage `json:"validation_report"`
	}
	s.call("validate_run", `{"run_id":"`+run+`"}`).structured(t, &validated)
	violations, err := artifact.Validate(artifact.ValidationReportName, validated.Report)
	if err != nil || len(violations) > 0 || validated.State != "READY_FOR_PR" {
		t.Errorf("S-8: %v %v %s", err, violations, validated.State)
	}
	s.wantProgress(run)
	s.call("launch_fix_next", `{"run_id":"`+run+`"}`).wants(t, -32603, "ORCHESTRATOR_ILLEGAL_STATE")
	pr := s.call("launch_open_pr", `{"run_id":"`+run+`"}`)
	var opened struct {
		URL    string `json:"pr_url"`
		Branch string
		Commit string `json:"commit_sha"`
	}
	first := pr.structured(t, &opened)
	if second := s.call("launch_open_pr", `{"run_id":"`+run+`"}`).structured(t, nil); first != second {
		t.Errorf("S-12: opened again it is %s", second)
	}
	tip, err := exec.CommandContext(t.Context(), "git", "-C", filepath.Join(h.dir, "remotes", "default.git"), "rev-parse", "refs/heads/"+opened.Branch).Output()
	if err != nil || strings.TrimSpace(string(tip)) != opened.Commit {
		t.Errorf("S-12: the branch %s is at %s, %v", opened.Branch, tip, err)
	}
	s.call("cancel_run", `{"run_id":"`+run+`"}`).wants(t, -32603, "ORCHESTRATOR_ILLEGAL_STATE")
	for _, name := range []string{"page_plan.json", "validation_report.json", "snapshot.json"} {
		r := s.ask("resources/read", `{"uri":"resource://run/`+run+`/`+name+`"}`)
		if r.Error != nil || !strings.Contains(string(r.Result), `"mimeType":"application/json"`) {
			t.Errorf("S-26: %s: %s %+v", name, r.Result, r.Error)
		}
	}
}

// wantProgress validates a run and wants to be told of the gates, up to the last
// (3.3).
func (s *session) wantProgress(run string) {
	s.t.Helper()
	s.send(`{"jsonrpc":"2.0","id":"told","method":"tools/call","params":{"name":"validate_run","arguments":{"run_id":"` + run + `"},"_meta":{"progressToken":"p"}}}`)
	told, total := 0.0, 0.0
	for {
		r, text := s.next()
		if r.Method == "" {
			if string(r.ID) != `"told"` || r.Error != nil || told == 0 || told != total {
				s.t.Errorf("after the progress %v of %v comes %s", told, total, text)
			}
			return
		}
		var notice struct {
			Params struct {
				Token           string `json:"progressToken"`
				Progress, Total float64
				Message         string
			}
		}
		if err := json.Unmarshal([]byte(text), &notice); err != nil {
			s.t.Fatal(err)
		}
		p := notice.Params
		if p.Token != "p" || p.Progress <= told || p.Progress > p.Total || !strings.Contains(p.Message, ": ") {
			s.t.Errorf("after %v comes %s", told, text)
		}
		told, total = p.Progress, p.Total
	}
}
