package pipeline_test

import (
	"testing"
	"testing/fstest"

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
