package pipeline_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/profiles"
	"mcpworks/packs/launch/internal/run/state"
	"mcpworks/packs/launch/internal/siteprofile"
)

// 6.10, 5.7: what remotes say is what they said when the run began. A release and
// a commit that come later change nothing, even if the scout has to look again.
func TestInputsStand(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	url := product(t, "sparse")
	id := b.start(settings("sparse", url, map[string]any{"stop_at": "PLAN_READY"}))
	b.work(id)
	before := b.file(id, "artifacts/"+artifact.RepoInventoryName)

	repo, err := b.git.Open(filepath.Join(strings.TrimPrefix(url, "file://"), ".git"))
	if err != nil {
		t.Fatal(err)
	}
	head := headOf(t, url)
	sha, _, err := repo.Commit(t.Context(), gitrepo.NewCommit{
		Base: head, Changes: []gitrepo.Change{{Path: "LATER.md", Content: []byte("# Later\n")}}, Message: "later", Author: "Acme", Email: "acme@example.com", When: noon,
	})
	if err == nil {
		err = repo.UpdateRef(t.Context(), "refs/heads/main", sha, head)
	}
	if err == nil {
		err = repo.UpdateRef(t.Context(), "refs/tags/v9.9.9", sha, "")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.folder, "runs", id, "artifacts", artifact.RepoInventoryName), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	expectReady(t, b, b.resume(id, "READY_FOR_PR"))
	if after := b.file(id, "artifacts/"+artifact.RepoInventoryName); after != before {
		t.Errorf("the inventory has become\n%s", after)
	}
	// A run that begins now sees what is there now.
	later := b.start(settings("sparse", url, map[string]any{"stop_at": "PLAN_READY"}))
	b.work(later)
	if text := b.file(later, "artifacts/"+artifact.RepoInventoryName); !strings.Contains(text, "v9.9.9") || !strings.Contains(text, "LATER.md") {
		t.Error("a later run does not see the release")
	}
}

// 4.1: a repository of workflows that only the profile names is an input, too.
func TestWorkflowsOfProfile(t *testing.T) {
	t.Parallel()
	workflows := siteRepository(t, fstest.MapFS{"build.yml": {Data: []byte("on: push\n")}})
	text, err := profiles.Files.ReadFile("default.yaml")
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "allow_local_repos: false", "allow_local_repos: true", 1) + "\nworkflows_repo_url: " + workflows + "\n"
	set, err := siteprofile.Load(fstest.MapFS{"default.yaml": {Data: []byte(changed)}})
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, t.TempDir(), nil, func(o *pipeline.Options) { o.Profiles = set })
	id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"stop_at": "PLAN_READY"}))
	if s := b.work(id); s.State != state.PlanReady {
		t.Fatalf("the run is %s, failure %+v", s.State, s.Failure)
	}
	var context artifact.SiteContext
	if err := json.Unmarshal([]byte(b.file(id, "artifacts/"+artifact.SiteContextName)), &context); err != nil {
		t.Fatal(err)
	}
	if context.Workflows == nil || context.Workflows.ResolvedSHA != headOf(t, workflows) {
		t.Errorf("workflows %+v", context.Workflows)
	}
}

// 6.5: pages of a site whose pages have dates get that of the product's commit.
func TestDateOfCommit(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	old := "---\ntitle: Other\ndescription: Another product.\ndate: 2020-05-06\n---\n\nText.\n"
	site := siteRepository(t, fstest.MapFS{"content/kb/other/en/a.md": {Data: []byte(old)}, "content/kb/other/en/b.md": {Data: []byte(old)}})
	id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"site_repo_url": site}))
	expectReady(t, b, b.work(id))
	if text := b.file(id, "work/site/"+aPage); !strings.Contains(text, "2024-01-02") {
		t.Errorf("the page has\n%s", text)
	}
}
