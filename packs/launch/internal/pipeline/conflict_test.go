package pipeline_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// states are where a run went, in order.
func (b *bench) states(id string) string {
	b.t.Helper()
	var all []string
	err := b.store.Events(id, func(e eventlog.Event) {
		if e.Type == snapshot.RunStateChanged {
			_, to, _ := strings.Cut(string(e.Payload), `"new_state":"`)
			to, _, _ = strings.Cut(to, `"`)
			all = append(all, to)
		}
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return strings.Join(all, " ")
}

// 9.3, 18.7: patches that do not fit a page of the site take the run to FIXING,
// where it fails if no rule can make them fit. The site is as it was, and the
// conflicts are told.
func TestConflict(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	site := siteRepository(t, fstest.MapFS{aPage: {Data: []byte("---\ntitle: without an end\n")}})
	id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"site_repo_url": site}))
	s := b.work(id)
	if s.State != state.Failed || s.Failure.ErrorCode != patch.ConflictCode || !s.Failure.Resumable || s.FixAttempts != 1 {
		t.Fatalf("the run is %s after %d fixes, failure %+v", s.State, s.FixAttempts, s.Failure)
	}
	if path := b.states(id); !strings.HasSuffix(path, "LINKING FIXING FAILED") {
		t.Errorf("the run went %s", path)
	}
	var conflicts artifact.PatchConflicts
	err := artifact.Decode([]byte(b.file(id, "artifacts/"+artifact.PatchConflictsName)), &conflicts)
	if err != nil || len(conflicts.Conflicts) != 1 || conflicts.Conflicts[0].Reason != patch.FileExists {
		t.Errorf("conflicts %+v, %v", conflicts, err)
	}
	if _, err := os.Stat(filepath.Join(b.folder, "runs", id, "work", "site")); !os.IsNotExist(err) {
		t.Errorf("there is a worktree: %v", err)
	}
	// 5.7: resuming comes to the same end, for the same reason.
	if s := b.resume(id, "READY_FOR_PR"); s.State != state.Failed || s.Failure.ErrorCode != patch.ConflictCode {
		t.Errorf("resumed, the run is %s, failure %+v", s.State, s.Failure)
	}
}

// 11.2: a site that has changed since it was cloned is not overwritten; whoever
// resumes the run gets it made for the site as it is now, with what others have
// written on the same page.
func TestSiteMovedOn(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.start(settings("sparse", product(t, "sparse"), nil))
	expectReady(t, b, b.work(id))
	edited := "---\ntitle: FAQ of somebody else\ndescription: Questions.\n---\n\n## Why?\n\nBecause.\n"
	b.editSite(aPage, edited)
	s := b.resume(id, "DONE")
	if s.State != state.Failed || s.Failure.ErrorCode != "COMMIT_SERVICE_CONFLICT" || !s.Failure.Resumable || s.StableState != state.Created {
		t.Fatalf("the run is %s, failure %+v, it would go on from %s", s.State, s.Failure, s.StableState)
	}
	if s = b.resume(id, "DONE"); s.State != state.Done {
		t.Fatalf("the run is %s, failure %+v", s.State, s.Failure)
	}
	if text := b.file(id, "work/site/"+aPage); !containsAll(text, "FAQ of somebody else", "Because.", "Where can I read on?") {
		t.Errorf("the page has\n%s", text)
	}
	b.expectPublished(id)
}

// 10.4: when a page has become mandatory, or its template another one, since the
// pages were planned, they are planned anew, once; the old drafts are kept aside.
func TestReplan(t *testing.T) {
	t.Parallel()
	folder, url := t.TempDir(), product(t, "sparse")
	b := newBench(t, folder, nil)
	id := b.start(settings("sparse", url, map[string]any{"stop_at": "DRAFT_READY"}))
	b.work(id)
	old := b.file(id, "drafts/kb/"+aPage)
	b.store.Close()
	// a process was killed when it had moved some drafts, and they were made again.
	moved := filepath.Join(folder, "runs", id, "drafts", "_obsolete", "1", "kb", "content")
	if err := errors.Join(os.MkdirAll(moved, 0o700), os.WriteFile(filepath.Join(moved, "x.md"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}

	b = newBench(t, folder, nil, adding(t, "kb/faq.md", "\n## More\n\nThere is more to say.\n"))
	s := b.resume(id, "READY_FOR_PR")
	if s.State != state.ReadyForPR {
		t.Fatalf("the run is %s, failure %+v", s.State, s.Failure)
	}
	if path := b.states(id); strings.Count(path, "FIXING FACTS_READY PLAN_READY") != 1 {
		t.Errorf("the run went %s", path)
	}
	if b.file(id, "drafts/_obsolete/1/kb/"+aPage) != old || !strings.Contains(b.file(id, "drafts/kb/"+aPage), "There is more to say.") {
		t.Error("the drafts are not where they should be")
	}
	var plan artifact.PagePlan
	if err := artifact.Decode([]byte(b.file(id, "artifacts/"+artifact.PagePlanName)), &plan); err != nil || len(plan.Pages) == 0 {
		t.Fatal(err)
	}
	for _, page := range plan.Pages { // 8.7
		if len(page.TemplateDigest) != 64 {
			t.Errorf("page %s has the template digest %q", page.ID, page.TemplateDigest)
		}
	}
}

// 11.2: a run that is pinned to a commit of the site cannot be made for another one.
func TestPinnedSiteMovedOn(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	expectReady(t, b, b.work(b.start(settings("sparse", product(t, "sparse"), nil)))) // it makes the site
	head, _, err := b.remote().Resolve(t.Context(), "refs/heads/main")
	if err != nil {
		t.Fatal(err)
	}
	id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"site_ref": head}))
	expectReady(t, b, b.work(id))
	b.editSite("README.md", "moved\n")
	s := b.resume(id, "DONE")
	if s.State != state.Failed || s.Failure.ErrorCode != "COMMIT_SERVICE_CONFLICT" || s.Failure.Resumable || !strings.Contains(s.Failure.Message, "another site_ref") {
		t.Errorf("the run is %s, failure %+v", s.State, s.Failure)
	}
}

// editSite commits a file to the embedded site, as somebody else would.
func (b *bench) editSite(file, text string) {
	b.t.Helper()
	base, _, err := b.remote().Resolve(b.t.Context(), "refs/heads/main")
	if err != nil {
		b.t.Fatal(err)
	}
	sha, _, err := b.remote().Commit(b.t.Context(), gitrepo.NewCommit{
		Base: base, Changes: []gitrepo.Change{{Path: file, Content: []byte(text)}}, Message: "an edit", Author: "Somebody", Email: "somebody@site.example", When: noon,
	})
	if err == nil {
		err = b.remote().UpdateRef(b.t.Context(), "refs/heads/main", sha, base)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}
