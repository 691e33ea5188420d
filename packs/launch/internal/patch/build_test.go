package patch

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/issue"
)

func build(t *testing.T, site *memory, drafts []Draft, options Options) ([]artifact.Patch, []issue.Issue) {
	t.Helper()
	patches, issues, err := Build(site, drafts, options)
	if err != nil {
		t.Fatal(err)
	}
	return patches, issues
}

func applied(t *testing.T, site *memory, patches []artifact.Patch) map[string]string {
	t.Helper()
	bundle, _, err := Seal(site, someSHA, patches, Rules{})
	if err != nil {
		t.Fatal(err)
	}
	copied := newMemory(t, site.files)
	if _, err := Apply(copied, bundle, Rules{}); err != nil {
		t.Fatal(err)
	}
	return copied.files
}

// 6.7: patches are ordered by section, as the profile orders them, then path.
func TestBuildOrder(t *testing.T) {
	site := newMemory(t, nil)
	drafts := []Draft{
		{Section: "blog", Path: "content/blog/a.md", Content: "a\n"}, {Section: "docs", Path: "content/docs/b.md", Content: "b\n"},
		{Section: "docs", Path: "content/docs/a.md", Content: "a\n", PageID: "docs-a"}, {Section: "products", Path: "content/products/z.md", Content: "z"},
	}
	patches, _ := build(t, site, drafts, Options{Sections: []string{"products", "docs", "blog"}})
	var got []string
	for _, p := range patches {
		got = append(got, p.Type+" "+p.Path+" "+p.Origin+" "+p.PageID)
	}
	want := []string{"create_file content/products/z.md draft ", "create_file content/docs/a.md draft docs-a", "create_file content/docs/b.md draft ", "create_file content/blog/a.md draft "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	slices.Reverse(drafts)
	again, _ := build(t, site, drafts, Options{Sections: []string{"products", "docs", "blog"}})
	if diff := cmp.Diff(patches, again); diff != "" {
		t.Error("the order of drafts matters:\n" + diff)
	}
}

// 9.2: an existing page gets what it lacks: keys, text under its headings, then
// new sections; it is not rewritten.
func TestBuildSupplementsExistingPages(t *testing.T) {
	existing := "---\ntitle: Mine\n---\n\n# Mine\n\n## Usage\n\nOld text.\n\n## Other\n\nKept.\n"
	draft := "---\ntitle: Theirs\nweight: 5\n---\n\n# Theirs\n\nIntro.\n\n## Usage\n\nNew words here.\n\n### Deep\n\nDeeper.\n\n## Fresh\n\nFresh text.\n"
	site := newMemory(t, map[string]string{"content/a.md": existing})
	patches, _ := build(t, site, []Draft{{Section: "docs", Path: "content/a.md", Content: draft}}, Options{})
	var types []string
	for _, p := range patches {
		types = append(types, p.Type)
	}
	if !slices.Equal(types, []string{UpdateKeys, UpdateByAnchor, UpdateFileRange}) {
		t.Errorf("%v", types)
	}
	want := "---\ntitle: Mine\nweight: 5\n---\n\n# Mine\n\n## Usage\n\nOld text.\n\nNew words here.\n\n### Deep\n\nDeeper.\n\n## Other\n\nKept.\n\n## Fresh\n\nFresh text.\n"
	got := applied(t, site, patches)
	if diff := cmp.Diff(want, got["content/a.md"]); diff != "" {
		t.Error(diff)
	}
	site.files = got
	if patches, _ := build(t, site, []Draft{{Section: "docs", Path: "content/a.md", Content: draft}}, Options{}); len(patches) > 0 {
		t.Errorf("there is more to do: %+v", patches)
	}
	site.files["content/a.md"] = existing
	patches, _ = build(t, site, []Draft{{Section: "docs", Path: "content/a.md", Content: draft}}, Options{FullRewrite: true})
	if got := applied(t, site, patches); got["content/a.md"] != draft {
		t.Errorf("rewritten: %q", got)
	}
}

// 9.3: a second launch of the same product updates its own pages.
func TestBuildUpdatesPagesOfAnEarlierLaunch(t *testing.T) {
	site := newMemory(t, nil)
	first := Draft{Section: "docs", Path: "content/a.md", Content: "---\ntitle: A\n---\nOne.\n"}
	patches, _ := build(t, site, []Draft{first}, Options{Stamp: true})
	site.files = applied(t, site, patches)
	second := first
	second.Content = "---\ntitle: A\n---\nTwo.\n"
	patches, _ = build(t, site, []Draft{second}, Options{Stamp: true})
	got := applied(t, site, patches)["content/a.md"]
	if !strings.HasSuffix(got, "---\nTwo.\n") || !Stamped(got) {
		t.Errorf("%q", got)
	}
	site.files["content/a.md"] += "\nBy hand.\n"
	patches, _ = build(t, site, []Draft{second}, Options{Stamp: true})
	if got := applied(t, site, patches)["content/a.md"]; !strings.Contains(got, "One.") || !strings.Contains(got, "By hand.") {
		t.Errorf("the work of somebody is lost: %q", got)
	}
}

// 9.4: links to new pages, under the right heading, each once.
func TestNavigation(t *testing.T) {
	pages := []Draft{
		{Section: "docs", Path: "content/docs/start.md", Content: "---\ntitle: S\n---\n", Title: "Start [here]", URL: "/docs/start/", Slug: "start"},
		{Section: "docs", Path: "content/docs/deep/guide.md", Content: "---\ntitle: G\n---\n", Title: "Guide", URL: "/docs/deep/guide/", Slug: "guide"},
	}
	both := "- [Guide](/docs/deep/guide/)\n- [Start \\[here\\]](/docs/start/)\n"
	options := Options{Indexes: []Index{{Section: "docs", Dir: "content/docs"}}}
	for name, c := range map[string]struct{ before, want string }{
		"a new heading":           {"---\ntitle: D\n---\n\nText.\n", "---\ntitle: D\n---\n\nText.\n\n## Related Links\n\n" + both},
		"see also":                {"# D\n\n## See also\n\n- [x](/x/)\n\n## End\n", "# D\n\n## See also\n\n- [x](/x/)\n" + both + "\n## End\n"},
		"the best heading":        {"## See Also\n\n## links and resources\n", "## See Also\n\n## links and resources\n\n" + both},
		"one is there":            {"## See also\n\n- [x](/docs/start)\n", "## See also\n\n- [x](/docs/start)\n- [Guide](/docs/deep/guide/)\n"},
		"one is there by slug":    {"[x](./deep/guide.md#top)\n\n## See also\n", "[x](./deep/guide.md#top)\n\n## See also\n\n- [Start \\[here\\]](/docs/start/)\n"},
		"all are there":           {"[x](guide/) and [y](/docs/start/)\n", "[x](guide/) and [y](/docs/start/)\n"},
		"a heading in code is no": {"```\n## See also\n```\n", "```\n## See also\n```\n\n## Related Links\n\n" + both},
	} {
		site := newMemory(t, map[string]string{"content/docs/_index.md": c.before, "content/docs/index.md": "not this\n"})
		patches, issues := build(t, site, pages, options)
		got := applied(t, site, patches)
		if diff := cmp.Diff(c.want, got["content/docs/_index.md"]); diff != "" || len(issues) > 0 {
			t.Errorf("%s: %v\n%s", name, issues, diff)
		}
		site.files["content/docs/_index.md"] = got["content/docs/_index.md"]
		if patches, _ := build(t, site, pages, options); len(patches) != len(pages) {
			t.Errorf("%s: links are added again: %+v", name, patches)
		}
	}
}

// 9.4: index.md stands in, a drafted index gets its links at once, and one that
// is missing or behind the fence is only told of.
func TestNavigationChoosesTheIndex(t *testing.T) {
	leaf := Draft{Section: "docs", Path: "content/docs/a.md", Content: "a\n", Title: "A", URL: "/docs/a/", Slug: "a"}
	options := Options{Indexes: []Index{{Section: "docs", Dir: "content/docs"}}}

	site := newMemory(t, map[string]string{"content/docs/index.md": "x\n"})
	patches, _ := build(t, site, []Draft{leaf}, options)
	if got := applied(t, site, patches)["content/docs/index.md"]; !strings.Contains(got, "(/docs/a/)") {
		t.Errorf("%q", got)
	}

	site = newMemory(t, nil)
	patches, issues := build(t, site, []Draft{leaf}, options)
	if len(patches) != 1 || len(issues) != 1 || issues[0].Code != IndexMissing || issues[0].Severity != issue.Info {
		t.Errorf("%+v, %+v", patches, issues)
	}

	index := Draft{Section: "docs", Path: "content/docs/_index.md", Content: "---\ntitle: D\n---\nText.\n"}
	patches, issues = build(t, site, []Draft{leaf, index}, options)
	if len(patches) != 2 || len(issues) > 0 || patches[0].Type != CreateFile || !strings.HasSuffix(*patches[0].NewContent, "Text.\n\n## Related Links\n\n- [A](/docs/a/)\n") {
		t.Errorf("%+v, %+v", patches, issues)
	}

	f, err := fence.New([]string{"content/docs/python/"})
	if err != nil {
		t.Fatal(err)
	}
	site = newMemory(t, map[string]string{"content/docs/_index.md": "x\n"})
	site.fence = f
	leaf.Path = "content/docs/python/a.md"
	patches, issues = build(t, site, []Draft{leaf}, options)
	if len(patches) != 1 || len(issues) != 1 || issues[0].Code != IndexOutOfScope || issues[0].Severity != issue.Info {
		t.Errorf("%+v, %+v", patches, issues)
	}
}

// An index page that exists and is drafted gets both, in one bundle.
func TestNavigationOnSupplementedIndex(t *testing.T) {
	site := newMemory(t, map[string]string{"content/docs/_index.md": "# D\n\n## A\n\nOld.\n"})
	patches, _ := build(t, site, []Draft{
		{Section: "docs", Path: "content/docs/_index.md", Content: "# D\n\n## A\n\nWords of the draft.\n\n## New\n\nSection.\n"},
		{Section: "docs", Path: "content/docs/a.md", Content: "a\n", Title: "A", URL: "/docs/a/", Slug: "a"},
	}, Options{Indexes: []Index{{Section: "docs", Dir: "content/docs"}}})
	want := "# D\n\n## A\n\nOld.\n\nWords of the draft.\n\n## New\n\nSection.\n\n## Related Links\n\n- [A](/docs/a/)\n"
	if diff := cmp.Diff(want, applied(t, site, patches)["content/docs/_index.md"]); diff != "" {
		t.Error(diff)
	}
}

// 9.4: weight = max sibling + 10, 10 if there is none.
func TestWeights(t *testing.T) {
	page := func(head string) string { return "---\n" + head + "---\n" }
	site := newMemory(t, map[string]string{
		"content/docs/old.md": page("weight: 25\n"), "content/docs/_index.md": page("weight: 900\n"), "content/docs/toml.md": "+++\nweight = 7\n+++\n",
		"content/docs/bad.md": "---\nweight: [\n", "content/docs/sub/x.md": page("weight: 500\n"), "content/docs/notes.txt": page("weight: 600\n"),
	})
	before := maps.Clone(site.files)
	patches, _ := build(t, site, []Draft{
		{Section: "docs", Path: "content/docs/a.md", Content: page("title: A\n")},
		{Section: "docs", Path: "content/docs/b.md", Content: page("title: B\nweight: 1\n")},
		{Section: "docs", Path: "content/docs/c.md", Content: page("title: C\n")},
		{Section: "kb", Path: "content/kb/a.md", Content: page("title: A\n")},
		{Section: "kb", Path: "content/kb/_index.md", Content: page("title: K\n")},
	}, Options{Weights: true})
	got := map[string]string{}
	for _, p := range patches {
		got[p.Path] = *p.NewContent
	}
	want := map[string]string{
		"content/docs/a.md": page("title: A\nweight: 35\n"), "content/docs/b.md": page("title: B\nweight: 1\n"), "content/docs/c.md": page("title: C\nweight: 45\n"),
		"content/kb/a.md": page("title: A\nweight: 10\n"), "content/kb/_index.md": page("title: K\n"),
	}
	if diff := cmp.Diff(want, got); diff != "" || !maps.Equal(before, site.files) {
		t.Error(diff)
	}
}
