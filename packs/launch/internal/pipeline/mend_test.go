package pipeline_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/rulesets"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/stage/link"
)

// A busySite is one on which somebody edits a page just after it was looked at.
type busySite struct {
	*fence.Site
	file, page, edited string
	reads              int
}

func (s *busySite) Read(path string, limit int64) ([]byte, error) {
	content, err := s.Site.Read(path, limit)
	if path == s.page {
		if s.reads++; s.reads == 2 { // once for its stamp, once to make patches
			err = os.WriteFile(s.file, []byte(s.edited), 0o600)
		}
	}
	return content, err
}

// 9.3, 18.7: when the heading that a patch names was renamed by somebody else, the
// patch goes to the nearest one, or to the end of the page.
func TestReanchored(t *testing.T) {
	t.Parallel()
	const page = "content/docs/acme/en/guide.md"
	front := "---\ntitle: Guide\n---\n\n"
	for name, c := range map[string]struct{ edited, want string }{
		"another spelling": {front + "## Usage\n\nOld.\n\n## End\n\nBye.\n", "## Usage\n\nOld.\n\nRead the manual first.\n\n## End\n\nBye.\n"},
		"gone":             {front + "## Something\n\nOld.\n\n## End\n\nBye.\n", "## Something\n\nOld.\n\n## End\n\nBye.\n\nRead the manual first.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			fixtures.Write(t, dir, map[string]string{page: front + "## Usages\n\nOld.\n\n## End\n\nBye.\n"})
			root, err := os.OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { root.Close() })
			around, err := fence.New([]string{"content/docs/acme/"})
			if err != nil {
				t.Fatal(err)
			}
			set, err := siteprofile.Load(nil)
			if err != nil {
				t.Fatal(err)
			}
			profile, _ := set.Get("default")
			site := &busySite{Site: fence.NewSite(root, around), file: filepath.Join(dir, page), page: page, edited: c.edited}
			in := link.Inputs{
				Tree: site, BaseSHA: fixtures.SiteSHA, Profile: profile, Product: siteprofile.Product{Family: "acme"},
				Plan: artifact.PagePlan{SchemaVersion: artifact.Version, Pages: []artifact.Page{{ID: "guide", Section: "docs", Slug: "guide", Locale: "en", OutputPath: page}}},
				Manifest: artifact.DraftManifest{SchemaVersion: artifact.Version, TotalPages: 1, Drafts: []artifact.Draft{
					{PageID: "guide", Section: "docs", Slug: "guide", OutputPath: page, DraftPath: "drafts/guide.md", Title: "Guide"},
				}},
				Files:   map[string][]byte{"drafts/guide.md": []byte(front + "## Usages\n\nRead the manual first.\n")},
				Editing: rulesets.Editing{ForbidFullRewrite: true, ForbidDeleting: true},
			}
			bundle, result, ids, err := pipeline.Reanchored(t.Context(), in)
			if err != nil || len(ids) != 1 || bundle.TreeHashAfter == "" {
				t.Fatalf("ids %v, bundle %+v: %v", ids, bundle, err)
			}
			if _, err := patch.Apply(site.Site, bundle, patch.Rules{}); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(dir, page))
			if err != nil || !strings.HasSuffix(string(text), c.want) || len(result.Changes) != 1 {
				t.Errorf("%v: the page has\n%s", err, text)
			}
		})
	}
}
