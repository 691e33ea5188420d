package operate_test

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// configWith is a run_config for the repository, with more or other members.
func configWith(t *testing.T, repo string, more map[string]any) json.RawMessage {
	t.Helper()
	all := map[string]any{
		"schema_version": "2.0", "product_slug": "acme-tool", "product_name": "Acme", "family": "acme-tool", "locale": "en", "github_repo_url": repo,
		"github_ref": "main", "required_sections": []string{"docs"}, "allowed_paths": []string{"content/docs/"},
	}
	maps.Copy(all, more)
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// refusal starts a run that must not begin, and returns where its faults are.
func refusal(t *testing.T, l *operate.Launcher, text json.RawMessage) (paths []string, refused *operate.RefusedError) {
	t.Helper()
	started, err := l.Start(t.Context(), operate.Caller{}, text, "")
	if !errors.As(err, &refused) {
		t.Fatalf("the run %s began: %v", started.RunID, err)
	}
	for _, fault := range refused.Faults {
		paths = append(paths, fault.Path)
	}
	return paths, refused
}

// 4.1, 12.4: the run is told what was asked for, whatever it looks like.
func TestConfigIsKeptAsGiven(t *testing.T) {
	for _, more := range []map[string]any{
		{"product_slug": "sk-image-processing-kit", "family": "sk-image-processing-kit"},
		{"product_name": "Basic Internationalization"},
		{"product_name": "Password: Generator"},
		{"product_name": "Bearer Authenticator"},
	} {
		l, repo, dir := open(t, fixtures.AcmeTool())
		started, err := l.Start(t.Context(), operate.Caller{}, configWith(t, repo, more), "")
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "data", "runs", started.RunID, "run_config.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		kept, err := config.FromYAML(text)
		if err != nil {
			t.Fatal(err)
		}
		given, err := config.Parse(configWith(t, repo, more))
		if err != nil {
			t.Fatal(err)
		}
		if kept.ProductSlug != given.ProductSlug || kept.Family != given.Family || kept.ProductName != given.ProductName {
			t.Errorf("%v: kept %q, %q, %q", more, kept.ProductSlug, kept.Family, kept.ProductName)
		}
		list, err := l.List(t.Context(), operate.Listing{})
		if err != nil || len(list.Runs) != 1 || list.Runs[0].ProductSlug != given.ProductSlug {
			t.Errorf("%v: listed %+v, %v", more, list.Runs, err)
		}
	}
}

// 12.4: what is served of a config has no secret in it.
func TestConfigIsServedRedacted(t *testing.T) {
	l, repo, _ := open(t, fixtures.AcmeTool())
	const token = "ghp_0123456789abcdefghij"
	started, err := l.Start(t.Context(), operate.Caller{}, configWith(t, repo, map[string]any{"product_name": "Acme " + token}), "")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := l.Artifact(t.Context(), started.RunID, "run_config.yaml", 0, 0)
	if err != nil || strings.Contains(whole.Content, token) || !strings.Contains(whole.Content, "github_repo_url: "+repo) || !whole.Complete {
		t.Errorf("served %s: %v", whole.Content, err)
	}
	var pieces strings.Builder
	for at := int64(0); at < whole.Size; {
		piece, err := l.Artifact(t.Context(), started.RunID, "run_config.yaml", at, 100)
		if err != nil || piece.SHA256 != whole.SHA256 || piece.Length == 0 {
			t.Fatalf("at %d: %+v, %v", at, piece, err)
		}
		pieces.WriteString(piece.Content)
		at += int64(piece.Length)
	}
	if pieces.String() != whole.Content {
		t.Error("the pieces do not make the whole")
	}
}

// 5.3, 12.4: a run whose names look like secrets comes to its end: nothing that it
// reads back of its log was taken out of it.
func TestLogSurvivesRedaction(t *testing.T) {
	y := newYard(t)
	l, end := y.work()
	defer end()
	id := y.run(l, map[string]any{
		"product_slug": "sk-image-processing-kit", "family": "sk-image-processing-kit", "allowed_paths": []string{"content/"}, "stop_at": "DONE",
	})
	status, err := l.Status(t.Context(), id)
	if err != nil || status.State != "DONE" || status.PR == nil || !strings.Contains(status.PR.Branch, "sk-image-processing-kit") {
		t.Fatalf("the run is %s, %+v, %+v, %+v: %v", status.State, status.Failure, status.PR, status.OpenIssues, err)
	}
	log, err := os.ReadFile(filepath.Join(y.dir, "yard", "runs", id, "events.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(log)) {
		if strings.Contains(line, "[redacted]") {
			t.Errorf("an event lost something: %s", line)
		}
	}
	document, err := l.Artifact(t.Context(), id, "pr.json", 0, 0)
	if err != nil || strings.Contains(document.Content, y.dir) {
		t.Errorf("18.4: the pull request names a place of this machine: %s, %v", document.Content, err)
	}
	again, err := l.OpenPR(t.Context(), operate.Caller{}, id, false, nil)
	if err != nil || *again.URL != status.PR.URL {
		t.Errorf("the pull request again: %+v, %v", again, err)
	}
}

// 5.3: the payloads that are read back, each member of them with a text that
// looks like a secret. Prose is what people read, and nothing else.
func TestPayloadsSurviveRedaction(t *testing.T) {
	const suspicious = "sk-image-processing-kit2026"
	prose := []string{"message", "reason", "error", "suggested_fix"}
	type source struct {
		URL    string `json:"url"`
		Ref    string `json:"requested_ref"`
		SHA    string `json:"sha"`
		Branch string `json:"default_branch"`
		Tag    string `json:"latest_tag"`
	}
	for _, payload := range []any{
		snapshot.Created{}, snapshot.Order{}, snapshot.Pause{}, snapshot.Change{}, snapshot.SectionChange{}, snapshot.Writing{}, snapshot.Staleness{},
		snapshot.Finding{}, snapshot.Resuming{}, snapshot.WorkItem{}, snapshot.PullRequest{}, snapshot.Failure{},
		struct { // INPUTS_CLONED
			Repo source `json:"repo"`
			Site source `json:"site"`
		}{},
		struct { // COMMIT_INTENT
			Key       string `json:"idempotency_key"`
			OpenPRKey string `json:"open_pr_idempotency_key"`
			Branch    string `json:"branch"`
		}{},
		struct { // FIX_ATTEMPTED
			IssueID  string   `json:"issue_id"`
			PatchIDs []string `json:"patch_ids"`
			Outcome  string   `json:"outcome"`
		}{},
	} {
		filled := operate.Filled(payload, suspicious)
		operate.EachMember(operate.RedactPayload(filled), func(name, text string) {
			if text != suspicious && !slices.Contains(prose, name) {
				t.Errorf("%T: %s is %q", payload, name, text)
			}
		})
	}
}

// 8.6: a quickstart that answers an error has made no run.
func TestQuickstartOfSuspiciousName(t *testing.T) {
	l, repo, dir := open(t, fixtures.AcmeTool())
	if err := os.Rename(strings.TrimPrefix(repo, "file://"), filepath.Join(dir, "sk-image-processing-kit")); err != nil {
		t.Fatal(err)
	}
	started, err := l.StartGitHub(t.Context(), operate.Caller{}, "file://"+filepath.Join(dir, "sk-image-processing-kit"), operate.Hints{}, "key")
	if err != nil || started.DerivedConfig.(operate.RepoConfig).ProductSlug != "sk-image-processing-kit" {
		t.Fatalf("%+v, %v", started, err)
	}
	again, err := l.StartGitHub(t.Context(), operate.Caller{}, "file://"+filepath.Join(dir, "sk-image-processing-kit"), operate.Hints{}, "key")
	if err != nil || again.RunID != started.RunID || again.DerivedConfig.(operate.RepoConfig).ProductSlug != "sk-image-processing-kit" {
		t.Errorf("again: %+v, %v", again, err)
	}
}

// 4.1, 18.16: a run names only variables that the operator has for runs, and holds
// the value of none; what one run says changes nothing for others.
func TestVariablesOfRuns(t *testing.T) {
	y := newYard(t)
	l := y.open(func(o *operate.Options) {
		o.Environ = []string{"USER=docs", "DB_PASSWORD=hunter2hunter2", "DEPLOY=words-of-the-operator", "GITHUB_TOKEN=words-for-the-host"}
		o.SecretEnv = []string{"DEPLOY"}
	})
	defer y.close(l)
	for name, good := range map[string]bool{"USER": false, "DB_PASSWORD": false, "DEPLOY": true, "GITHUB_TOKEN": true, "LAUNCHER_COMMIT_TOKEN": true, "LAUNCHER_DATA_DIR": false} {
		text := configWith(t, y.repo, map[string]any{"commit_service": map[string]any{"github_token_env": name}})
		if good {
			if _, err := l.Start(t.Context(), operate.Caller{}, text, ""); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		paths, refused := refusal(t, l, text)
		if !slices.Equal(paths, []string{"/commit_service/github_token_env"}) || !strings.Contains(refused.Error(), "secret_env") {
			t.Errorf("%s: %v", name, refused)
		}
	}
	if told := l.Redact("the docs of docs"); told != "the docs of docs" {
		t.Errorf("a run has changed what is secret: %s", told)
	}
	paths, refused := refusal(t, l, configWith(t, y.repo, map[string]any{"product_name": "Acme words-of-the-operator"}))
	if !slices.Equal(paths, []string{"/product_name"}) || strings.Contains(refused.Error(), "words-of-the-operator") {
		t.Errorf("%v", refused)
	}
}

// 4.1: the variable that the operator allows is what an endpoint gets.
func TestTokenOfCommitService(t *testing.T) {
	got := make(chan string, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got <- r.Header.Get("Authorization")
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	y := newYard(t, "127.0.0.1")
	l, end := y.work(func(o *operate.Options) {
		o.Environ, o.SecretEnv = []string{"DEPLOY=words-of-the-operator"}, []string{"DEPLOY"}
	})
	defer end()
	y.run(l, map[string]any{"stop_at": "DONE", "commit_service": map[string]any{"endpoint_url": server.URL, "github_token_env": "DEPLOY"}})
	if len(got) == 0 {
		t.Fatal("nothing was asked for")
	}
	if header := <-got; header != "Bearer words-of-the-operator" {
		t.Errorf("the service got %q", header)
	}
}

// 4.3: what cannot be used is refused at the start, all of it together and each
// thing once.
func TestRefusedConfigs(t *testing.T) {
	l, repo, _ := open(t, fixtures.AcmeTool())
	for path, more := range map[string]map[string]any{
		"/site_repo_url":                   {"site_repo_url": "not a url"},
		"/llm/mode":                        {"llm": map[string]any{"mode": "online", "api_base_url": "embedded:", "model": "m"}},
		"/product_name":                    {"product_name": "Acme\x07Tool"},
		"/commit_service/author_name":      {"commit_service": map[string]any{"author_name": "Ann <ann@example.org>"}},
		"/ingestion/scan_directories/1":    {"ingestion": map[string]any{"scan_directories": []string{"src", "../other"}}},
		"/ingestion/example_directories/0": {"ingestion": map[string]any{"example_directories": []string{"/etc"}}},
		"/hugo/config_dir":                 {"hugo": map[string]any{"config_dir": "../.."}},
		"/family":                          {"family": "Acme Tool"},
		"/site_layout":                     {"site_layout": map[string]any{"subdomain_roots": map[string]any{"docs": "content/my docs"}}, "allowed_paths": []string{"content/"}},
	} {
		paths, refused := refusal(t, l, configWith(t, repo, more))
		if !slices.Equal(paths, []string{path}) || strings.Contains(refused.Error(), "[]") {
			t.Errorf("%v: %v", more, refused.Faults)
		}
	}
	for _, site := range []string{"embedded:aspose.org", "ssh://code.example/x", "https://user:words@github.com/acme/site"} {
		paths, _ := refusal(t, l, configWith(t, repo, map[string]any{"site_repo_url": site}))
		if !slices.Contains(paths, "/site_repo_url") {
			t.Errorf("%s: %v", site, paths)
		}
	}
	paths, _ := refusal(t, l, configWith(t, repo, map[string]any{"product_name": "\x07", "family": "A B", "hugo": map[string]any{"config_dir": "/"}}))
	if len(paths) != 3 {
		t.Errorf("not all is reported: %v", paths)
	}
}

// 3.6: without git nothing begins that could not go on, and all that was made can
// still be read.
func TestNoGit(t *testing.T) {
	y := newYard(t)
	l := y.open()
	id := y.begin(l, nil)
	y.close(l)
	t.Setenv("PATH", t.TempDir())
	l = y.open()
	defer y.close(l)
	missing := func(what string, err error) {
		t.Helper()
		if gitrepo.KindOf(err) != gitrepo.Missing {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := l.Start(t.Context(), operate.Caller{}, configWith(t, y.repo, nil), "")
	missing("start", err)
	_, err = l.StartGitHub(t.Context(), operate.Caller{}, y.repo, operate.Hints{}, "")
	missing("start from a repository", err)
	_, err = l.Resume(t.Context(), operate.Caller{}, id, "", "")
	missing("resume", err)
	_, err = l.OpenPR(t.Context(), operate.Caller{}, id, false, nil)
	missing("open a pull request", err)
	if list, err := l.List(t.Context(), operate.Listing{}); err != nil || len(list.Runs) != 1 {
		t.Errorf("list: %v", err)
	}
	if _, err := l.Status(t.Context(), id); err != nil {
		t.Errorf("status: %v", err)
	}
	if _, err := l.Artifact(t.Context(), id, "run_config.yaml", 0, 0); err != nil {
		t.Errorf("artifact: %v", err)
	}
}

// 3.5: a run that has failed has ended: there is nothing to cancel, and it can
// still be resumed.
func TestCancelFailedRun(t *testing.T) {
	y := newYard(t)
	l, end := y.work()
	defer end()
	id := y.run(l, map[string]any{"github_ref": "no-such-branch"})
	_, err := l.Cancel(t.Context(), operate.Caller{}, id, "not needed")
	if illegal, ok := errors.AsType[*state.IllegalError](err); !ok || !strings.Contains(illegal.Error(), "does not go on by itself") {
		t.Errorf("cancel: %v", err)
	}
	status, err := l.Status(t.Context(), id)
	if err != nil || status.State != "FAILED" || !status.Failure.Resumable {
		t.Errorf("the run is %s, %+v: %v", status.State, status.Failure, err)
	}
}

// 5.5: whoever has a broken index is told what to do, and loses nothing by it.
func TestBrokenIndex(t *testing.T) {
	y := newYard(t)
	l := y.open()
	id := y.begin(l, nil)
	y.close(l)
	index := filepath.Join(y.dir, "yard", "index.db")
	if err := os.WriteFile(index, []byte(strings.Repeat("no index ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := operate.Open(t.Context(), operate.Options{DataDir: filepath.Join(y.dir, "yard"), ProfilesDir: filepath.Join(y.dir, "profiles")})
	if err == nil || !strings.Contains(err.Error(), "remove index.db") {
		t.Fatalf("%v", err)
	}
	if err := os.Remove(index); err != nil {
		t.Fatal(err)
	}
	l = y.open()
	defer y.close(l)
	if list, err := l.List(t.Context(), operate.Listing{}); err != nil || len(list.Runs) != 1 || list.Runs[0].RunID != id {
		t.Errorf("%+v, %v", list, err)
	}
}
