package link_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/rulesets"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/stage/link"
)

const (
	root  = "content/docs/acme/en/"
	guide = root + "guide.md"
	draft = "---\ntitle: Guide\n---\n\n## Use\n\nText.\n"
)

// inputs are one draft for a site with some files.
func inputs(t *testing.T, site map[string]string, allowed ...string) link.Inputs {
	t.Helper()
	dir := t.TempDir()
	fixtures.Write(t, dir, site)
	opened, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	around, err := fence.New(allowed)
	if err != nil {
		t.Fatal(err)
	}
	profiles, err := siteprofile.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	profile, _ := profiles.Get("default")
	return link.Inputs{
		Tree: fence.NewSite(opened, around), BaseSHA: fixtures.SiteSHA, Profile: profile, Product: siteprofile.Product{Family: "acme"},
		Plan: artifact.PagePlan{SchemaVersion: artifact.Version, Pages: []artifact.Page{
			{ID: "docs_guide", Section: "docs", Slug: "guide", Locale: "en", OutputPath: guide, URLPath: "/docs/acme/guide/", Title: "Guide"},
		}},
		Manifest: artifact.DraftManifest{SchemaVersion: artifact.Version, TotalPages: 1, Drafts: []artifact.Draft{
			{PageID: "docs_guide", Section: "docs", Slug: "guide", OutputPath: guide, DraftPath: "drafts/docs/" + guide, Title: "Guide"},
		}},
		Files:   map[string][]byte{"drafts/docs/" + guide: []byte(draft)},
		Editing: rulesets.Editing{ForbidFullRewrite: true, ForbidDeleting: true},
	}
}

// 6.7, 9.4: a new page is created, the index of its section leads to it, and the
// reports say so. A second time there is nothing to do.
func TestPagesAndLinks(t *testing.T) {
	index := root + "_index.md"
	in := inputs(t, map[string]string{index: "---\ntitle: Acme\n---\n\n## See also\n\n- [Old](/docs/acme/old/)\n"}, root)
	out, issues, err := link.Run(t.Context(), in)
	if err != nil || len(issues) != 0 {
		t.Fatalf("%v %v", issues, err)
	}
	if len(out.Bundle.Patches) != 2 || out.Bundle.BaseSHA != fixtures.SiteSHA || out.Bundle.TreeHashAfter != out.Result.TreeHash {
		t.Errorf("bundle %+v", out.Bundle)
	}
	text, err := artifact.Encode(out.Bundle)
	if err != nil {
		t.Fatal(err)
	}
	if violations, err := artifact.Validate(artifact.PatchBundleName, text); err != nil || len(violations) > 0 {
		t.Errorf("%v %v", violations, err)
	}
	for _, want := range []string{"`" + guide + "` | created", "`" + index + "` | updated", "Files: 2", "navigation"} {
		if !strings.Contains(out.Report, want) {
			t.Errorf("the report has no %q:\n%s", want, out.Report)
		}
	}
	if !strings.Contains(out.Patch, "+- [Guide](/docs/acme/guide/)") || !strings.Contains(out.Patch, patch.StampKey) {
		t.Errorf("the patch is\n%s", out.Patch)
	}
	again, _, err := link.Run(t.Context(), in)
	if err != nil || again.Report != out.Report || again.Patch != out.Patch {
		t.Errorf("equal inputs gave another result: %v", err)
	}
	if _, err := patch.Apply(in.Tree.(*fence.Site), out.Bundle, patch.Rules{}); err != nil {
		t.Fatal(err)
	}
	later, _, err := link.Run(t.Context(), in)
	if err != nil || len(later.Result.Changes) != 0 {
		t.Errorf("the second launch changes %v: %v", later.Result, err)
	}
}

// 9.4: filename-localised sections have an index for each language.
func TestIndexOfLanguage(t *testing.T) {
	in := inputs(t, map[string]string{"content/docs/acme/_index.de.md": "---\ntitle: Acme\n---\n"}, "content/docs/acme/")
	two := "name: two\nlocales: [en, de]\nsections:\n  docs: {root: content/docs, url_prefix: /docs/, localization: filename}\n"
	profile, err := siteprofile.Parse([]byte(two), in.Profile)
	if err != nil {
		t.Fatal(err)
	}
	in.Profile = profile
	page := "content/docs/acme/guide.de.md"
	in.Plan.Pages[0].Locale, in.Plan.Pages[0].OutputPath, in.Manifest.Drafts[0].OutputPath = "de", page, page
	out, issues, err := link.Run(t.Context(), in)
	if err != nil || len(issues) != 0 || !strings.Contains(out.Report, "_index.de.md` | updated") {
		t.Errorf("%v %v\n%s", issues, err, out.Report)
	}
}

// S-16, 6.7, 9.3: what cannot be patched in is a blocker, and says why.
func TestBlockers(t *testing.T) {
	for name, tc := range map[string]struct {
		site    map[string]string
		allowed string
		change  func(*link.Inputs)
		code    string
		is      func(error) bool
	}{
		"no drafts": {nil, root, func(in *link.Inputs) { in.Manifest.Drafts = nil }, link.CodeNoDrafts, isBlocked},
		"lost file": {nil, root, func(in *link.Inputs) { in.Files = nil }, link.CodeMissingInput, isBlocked},
		"no plan":   {nil, root, func(in *link.Inputs) { in.Plan = artifact.PagePlan{} }, link.CodeMissingInput, isBlocked},
		"fence": {nil, "content/kb/", func(*link.Inputs) {}, string(fence.NotAllowed), func(err error) bool {
			_, refused := fence.Refused(err)
			return refused
		}},
		"conflict": {map[string]string{guide: "---\ntitle: without an end\n"}, root, func(*link.Inputs) {}, patch.ConflictCode, func(err error) bool {
			_, conflict := errors.AsType[*patch.ConflictError](err)
			return conflict
		}},
		"budget": {nil, root, func(in *link.Inputs) { in.Rules.MaxLinesPerFile = 2 }, patch.ChangeBudget, func(err error) bool {
			_, budget := errors.AsType[*patch.BudgetError](err)
			return budget
		}},
	} {
		in := inputs(t, tc.site, tc.allowed)
		tc.change(&in)
		out, issues, err := link.Run(t.Context(), in)
		if !tc.is(err) || len(issues) == 0 || issues[0].Code != tc.code || issues[0].Severity != issue.Blocker || out.Result != nil {
			t.Errorf("%s: %v, %v", name, issues, err)
		}
	}
}

func isBlocked(err error) bool { return errors.Is(err, link.ErrBlocked) }
