package pipeline_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/run/state"
)

// An existing site gets links to the new pages, in the index that it has; the rest
// of it stays as it was (9.4).
func TestExistingSite(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	site := siteRepository(t, fstest.MapFS{
		"content/kb/sparse/en/_index.md": {Data: []byte("---\ntitle: Sparse\ndescription: All about it.\npermalink: /kb/sparse/\nweight: 1\n---\n\n## Related Links\n\n- [Home](/)\n")},
		"content/kb/other/en/a.md":       {Data: []byte("---\ntitle: A\ndescription: Another.\npermalink: /kb/other/a/\nweight: 1\n---\n\nText.\n")},
		"README.md":                      {Data: []byte("# Site\n")},
	})
	id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"site_repo_url": site}))
	s := b.work(id)
	if s.State != state.ReadyForPR {
		expectReady(t, b, s)
	}
	if index := b.file(id, "work/site/content/kb/sparse/en/_index.md"); !containsAll(index, "- [Home](/)", "(/kb/sparse/faq/)") {
		t.Errorf("the index has\n%s", index)
	}
	if text := b.file(id, "work/site/README.md"); text != "# Site\n" {
		t.Errorf("the site has %q", text)
	}
}

// 9.1, S-16: a link of the site's repository is refused where a page would go
// through it, before anything is written.
func TestLinkInTheSite(t *testing.T) {
	t.Parallel()
	for name, link := range map[string]fixtures.Link{
		"page":   {Path: aPage, Target: "../../../shared/index.md"},
		"folder": {Path: "content/docs/sparse", Target: "../shared"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, t.TempDir(), nil)
			dir := t.TempDir()
			fixtures.Git(t, dir, map[string]string{"content/shared/index.md": "---\ntitle: Shared\ndescription: d\n---\n# Shared\n"}, link)
			id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"site_repo_url": "file://" + dir}))
			s := b.work(id)
			if s.State != state.Failed || s.Failure.ErrorCode != pipeline.CodeOutOfScope || s.Failure.Class != "BLOCKED" {
				t.Errorf("the run is %s, failure %+v", s.State, s.Failure)
			}
			if _, err := os.Stat(filepath.Join(b.folder, "runs", id, "work", "site")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("there is a worktree: %v", err)
			}
		})
	}
}

// A page of the site with other line ends gets what is added to it, and nothing
// of it is written anew.
func TestLineEndsOfTheSite(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	index := strings.ReplaceAll("---\ntitle: Sparse\ndescription: All about it.\npermalink: /kb/sparse/\nweight: 1\n---\n\n# Sparse\n\n"+strings.Repeat("A line of old text.\n\n", 300), "\n", "\r\n")
	site := siteRepository(t, fstest.MapFS{"content/kb/sparse/en/_index.md": {Data: []byte(index)}})
	id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"site_repo_url": site}))
	expectReady(t, b, b.work(id))
	text := b.file(id, "work/site/content/kb/sparse/en/_index.md")
	if rest, kept := strings.CutPrefix(text, strings.TrimRight(index, "\r\n")); !kept || !strings.Contains(rest, "(/kb/sparse/faq/)\r\n") {
		t.Errorf("the index ends in %q", text[max(0, len(text)-200):])
	}
}
