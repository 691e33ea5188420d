package pipeline_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/pr"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// remote is the embedded site of a bench.
func (b *bench) remote() *gitrepo.Repo {
	b.t.Helper()
	repo, err := b.git.Open(filepath.Join(b.folder, "remotes", "default.git"))
	if err != nil {
		b.t.Fatal(err)
	}
	return repo
}

// pullRequests are the lines of the record of pull requests.
func (b *bench) pullRequests() []string {
	text, err := os.ReadFile(filepath.Join(b.folder, "remotes", "default.prs.ndjson"))
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return line == "" })
}

func (b *bench) bundle(id string) artifact.PatchBundle {
	b.t.Helper()
	var bundle artifact.PatchBundle
	if err := json.Unmarshal([]byte(b.file(id, "artifacts/"+artifact.PatchBundleName)), &bundle); err != nil {
		b.t.Fatal(err)
	}
	return bundle
}

// expectPublished demands one branch with exactly the changes of the bundle, and
// one pull request (S-12).
func (b *bench) expectPublished(id string) (tip string) {
	b.t.Helper()
	branches, err := b.remote().Branches(b.t.Context(), "launch/")
	if err != nil || len(branches) != 1 {
		b.t.Fatalf("branches %v, %v", branches, err)
	}
	tip, _, err = b.remote().Resolve(b.t.Context(), "refs/heads/"+branches[0])
	if err != nil {
		b.t.Fatal(err)
	}
	bundle := b.bundle(id)
	changed, err := b.remote().Changed(b.t.Context(), bundle.BaseSHA, tip)
	if err != nil {
		b.t.Fatal(err)
	}
	var want []string
	for _, p := range bundle.Patches {
		want = append(want, p.Path)
	}
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(changed, want) {
		b.t.Errorf("the branch changes %v, the bundle %v", changed, want)
	}
	if lines := b.pullRequests(); len(lines) != 1 {
		b.t.Errorf("%d pull requests", len(lines))
	}
	return tip
}

// S-12, 11.3, 18.10: with stop_at DONE a run opens its pull request and ends; who
// asks for it again gets the same one. A later run that has nothing to change
// ends without one.
func TestPublish(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	url := product(t, "acme-tool")
	id := b.start(settings("acme-tool", url, map[string]any{"stop_at": "DONE"}))
	s := b.work(id)
	if s.State != state.Done || s.Activity != snapshot.Finished || s.PR == nil || s.PR.URL == "" {
		t.Fatalf("the run is %s, pull request %+v, failure %+v", s.State, s.PR, s.Failure)
	}
	tip := b.expectPublished(id)
	held, release := b.hold(id)
	again, err := b.pipeline.OpenPR(t.Context(), held, pr.Options{})
	release()
	if err != nil || again.Document.URL != s.PR.URL || again.CommitSHA != tip {
		t.Errorf("asked again: %+v, %v", again, err)
	}

	if err := b.remote().UpdateRef(t.Context(), "refs/heads/main", tip, b.bundle(id).BaseSHA); err != nil { // it is merged
		t.Fatal(err)
	}
	second := b.work(b.start(settings("acme-tool", url, map[string]any{"stop_at": "DONE"})))
	if second.State != state.Done || second.PR != nil {
		t.Errorf("the second run is %s, pull request %+v, failure %+v", second.State, second.PR, second.Failure)
	}
	b.expectPublished(id)
}

// 3.5: a pull request needs a run that is ready for it, and a yes where one is
// demanded; without it the run stays ready.
func TestPullRequestByHand(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"stop_at": "PLAN_READY", "commit_service": map[string]any{"require_approval": true}}))
	b.work(id)
	held, release := b.hold(id)
	if _, err := b.pipeline.OpenPR(t.Context(), held, pr.Options{}); err == nil {
		t.Error("a plan was published")
	}
	release()
	b.resume(id, "READY_FOR_PR")
	held, release = b.hold(id)
	defer release()
	if _, err := b.pipeline.OpenPR(t.Context(), held, pr.Options{}); err == nil || !strings.Contains(err.Error(), "AG001_APPROVAL_REQUIRED") {
		t.Errorf("without approval: %v", err)
	}
	if s := held.Snapshot(); s.State != state.ReadyForPR || len(b.pullRequests()) != 0 {
		t.Errorf("the run is %s with %d pull requests", s.State, len(b.pullRequests()))
	}
}

// 11.2, 11.4: a run for another branch of the site than its own is published for
// that branch, and only while that is where it was.
func TestPublishForAnotherBranch(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	first, err := b.git.Embedded(t.Context(), filepath.Join(b.folder, "remotes", "default.git"))
	if err != nil {
		t.Fatal(err)
	}
	main, _, err := first.Resolve(t.Context(), "refs/heads/main")
	if err != nil {
		t.Fatal(err)
	}
	move := func(base string) string {
		sha, _, err := first.Commit(t.Context(), gitrepo.NewCommit{
			Base: base, Author: "a", Email: "a@b.example", When: noon, Message: "next\n", Changes: []gitrepo.Change{{Path: "README.md", Content: []byte("# Site " + base + "\n")}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return sha
	}
	develop := move(main)
	if err := first.UpdateRef(t.Context(), "refs/heads/develop", develop, ""); err != nil {
		t.Fatal(err)
	}
	s := b.work(b.start(settings("sparse", product(t, "sparse"), map[string]any{"site_ref": "develop", "stop_at": "DONE"})))
	if s.State != state.Done || s.PR == nil {
		t.Fatalf("the run is %s, failure %+v", s.State, s.Failure)
	}
	if lines := b.pullRequests(); len(lines) != 1 || !strings.Contains(lines[0], `"base":"develop"`) {
		t.Errorf("pull requests %v", lines)
	}
	id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"site_ref": "develop"}))
	b.work(id)
	if err := first.UpdateRef(t.Context(), "refs/heads/develop", move(develop), develop); err != nil {
		t.Fatal(err)
	}
	held, release := b.hold(id)
	defer release()
	if _, err := b.pipeline.OpenPR(t.Context(), held, pr.Options{}); err == nil || !strings.Contains(err.Error(), "BASE_MOVED") {
		t.Errorf("the branch has moved: %v", err)
	}
}
