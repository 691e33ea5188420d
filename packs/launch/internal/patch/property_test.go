package patch

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/patch/frontmatter"
)

var (
	somePath  = rapid.SampledFrom([]string{"content/a.md", "content/b.md", "content/d/c.md"})
	strayPath = rapid.SampledFrom([]string{"../x", "/x", "contents/a.md", ".git/config", "content/.git/x", "content/../a.md", "content", "README.md", `content\a.md`})
	someLine  = rapid.SampledFrom([]string{"# A", "## B", "## C", "text", "text ", "", "```", "- item", "---", "===", "<!--", "-->", "a: 1", "    code"})
	someText  = rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(someLine, 0, 8).Draw(t, "lines"), "\n") + "\n"
	})
	someHead    = rapid.SampledFrom([]string{"", "", "---\ntitle: x # c\n---\n", "+++\nt = 1\n+++\n", "{\"a\": 1}\n", "---\nbroken\n", "\ufeff"})
	somePage    = rapid.Custom(func(t *rapid.T) string { return someHead.Draw(t, "head") + someText.Draw(t, "body") })
	someUpdates = rapid.MapOfN(rapid.SampledFrom([]string{"title", "a", "weight"}), rapid.SampledFrom([]any{"y", 1.0, true, []any{"p"}}), 1, 2)
)

// somePatch is any patch; about half of them fit the pages above.
func somePatch(t *rapid.T, paths *rapid.Generator[string]) artifact.Patch {
	content := someText.Draw(t, "content")
	p := artifact.Patch{
		Type: rapid.SampledFrom([]string{CreateFile, UpdateByAnchor, UpdateKeys, UpdateFileRange, DeleteFile}).Draw(t, "type"),
		Path: paths.Draw(t, "path"), Origin: rapid.SampledFrom([]string{OriginDraft, OriginFix, OriginManual}).Draw(t, "origin"),
	}
	switch p.Type {
	case CreateFile:
		p.NewContent = &content
	case UpdateByAnchor:
		p.Anchor, p.NewContent = rapid.SampledFrom([]string{"A", "B", "C", "D"}).Draw(t, "anchor"), &content
	case UpdateKeys:
		p.FrontmatterUpdates = someUpdates.Draw(t, "updates")
	case UpdateFileRange:
		p.NewContent = &content
		p.StartLine = rapid.IntRange(0, 6).Draw(t, "start")
		p.EndLine = p.StartLine + rapid.IntRange(-1, 2).Draw(t, "length")
		p.ExpectedBeforeHash = Hash(rapid.SampledFrom([]string{"", "text\n", "\n", "## B\n", "text\ntext\n"}).Draw(t, "expected"))
	}
	return p
}

func someSite(t *rapid.T) *memory {
	site := newMemory(t, rapid.MapOfN(somePath, somePage, 0, 3).Draw(t, "files"))
	if rapid.Bool().Draw(t, "stamped") {
		for path, text := range site.files {
			site.files[path] = Stamp(text)
		}
	}
	return site
}

// a bundle does all or nothing, and doing it twice does nothing more.
func TestBundlesAreAppliedOnceOrNotAtAll(t *testing.T) {
	applied := 0
	rapid.Check(t, func(t *rapid.T) {
		site := someSite(t)
		before := maps.Clone(site.files)
		rules := Rules{AllowDelete: true}
		var patches []artifact.Patch
		for range rapid.IntRange(0, 3).Draw(t, "patches") {
			patches = append(patches, somePatch(t, somePath))
		}
		bundle, _, err := Seal(site, someSHA, patches, rules)
		if !maps.Equal(before, site.files) {
			t.Fatalf("a plan has changed the tree")
		}
		if err != nil {
			var conflict *ConflictError
			if !errors.As(err, &conflict) {
				t.Fatalf("%v", err)
			}
			if _, err := Apply(site, bundle, rules); !errors.As(err, &conflict) || !maps.Equal(before, site.files) {
				t.Fatalf("a conflict has changed the tree: %v", err)
			}
			return
		}
		applied++
		result, err := Apply(site, bundle, rules)
		if err != nil || result.TreeHash != bundle.TreeHashAfter {
			t.Fatalf("%v", err)
		}
		after := maps.Clone(site.files)
		again, err := Apply(site, bundle, rules)
		if err != nil || len(again.Changes) > 0 || !maps.Equal(after, site.files) {
			t.Fatalf("the second time: %v\nfirst %q\nthen %q", err, after, site.files)
		}
		for _, o := range again.Outcomes {
			if !o.Skipped {
				t.Fatalf("%s is not skipped", o.PatchID)
			}
		}
		for path, text := range site.files {
			strange := "\ufeff"
			if !strings.Contains(before[path], "\r") {
				strange += "\r"
			}
			if text != before[path] && (strings.ContainsAny(text, strange) || text != "" && !strings.HasSuffix(text, "\n")) {
				t.Fatalf("%s is written as %q", path, text)
			}
		}
		if err := undo(site, result.Changes); err != nil || !maps.Equal(before, site.files) {
			t.Fatalf("not reverted: %v", err)
		}
	})
	if applied == 0 {
		t.Error("no bundle ever fitted")
	}
}

// A patch that stands alone knows by itself that it was applied, except for a
// range whose lines repeat below it.
func TestPatchesKnowThatTheyWereApplied(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		site := someSite(t)
		p := somePatch(t, somePath)
		if p.Type == UpdateFileRange && p.EndLine >= p.StartLine {
			return
		}
		bundle := bundleOf(t, p)
		if _, err := Apply(site, bundle, Rules{AllowDelete: true}); err != nil {
			return
		}
		after := maps.Clone(site.files)
		if again, err := Apply(site, bundle, Rules{AllowDelete: true}); err != nil || !again.Outcomes[0].Skipped || !maps.Equal(after, site.files) {
			t.Fatalf("%v: %q then %q", err, after, site.files)
		}
	})
}

// S-16: with one stray path nothing is opened behind the fence (the site of the
// test fails on that), and nothing changes.
func TestNoPathOutsideTheFenceIsOpened(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		site := someSite(t)
		before := maps.Clone(site.files)
		patches := []artifact.Patch{somePatch(t, somePath), somePatch(t, strayPath), somePatch(t, somePath)}
		_, err := Apply(site, bundleOf(t, patches...), Rules{AllowDelete: true})
		if _, refused := fence.Refused(err); !refused || !maps.Equal(before, site.files) {
			t.Fatalf("%v", err)
		}
		draft := Draft{Section: "docs", Path: strayPath.Draw(t, "draft"), Content: "x\n", URL: "/x/", Slug: "x"}
		if _, _, err := Build(site, []Draft{draft}, Options{Weights: true, Indexes: []Index{{Section: "docs", Dir: "content"}, {Section: "docs", Dir: "data"}}}); err == nil {
			t.Fatalf("a draft for %s is taken", draft.Path)
		}
	})
}

// Edit turns any text into any other, and its patches say so to the byte.
func TestEditLeadsToTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := somePage.Draw(t, "before"), someText.Draw(t, "after")
		site := newMemory(t, map[string]string{"content/a.md": before})
		bundle := bundleOf(t, Edit("content/a.md", &before, &after)...)
		if _, err := Apply(site, bundle, Rules{}); err != nil {
			t.Fatalf("%v", err)
		}
		if got := normal(site.files["content/a.md"]); got != normal(after) {
			t.Fatalf("%q", got)
		}
	})
}

// Whatever drafts meet in the site, their patches fit, add and never remove.
func TestBuildOnlyAdds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		site := someSite(t)
		before := maps.Clone(site.files)
		var drafts []Draft
		for path, content := range rapid.MapOfN(somePath, somePage, 1, 3).Draw(t, "drafts") {
			drafts = append(drafts, Draft{Section: "docs", Path: path, Content: content, Title: "T", URL: "/" + path, Slug: path})
		}
		options := Options{Weights: true, Stamp: rapid.Bool().Draw(t, "stamp"), Indexes: []Index{{Section: "docs", Dir: "content", Names: []string{"a.md", "b.md"}}}}
		patches, _, err := Build(site, drafts, options)
		if err != nil {
			t.Fatalf("%v", err)
		}
		bundle, _, err := Seal(site, someSHA, patches, Rules{})
		var conflict *ConflictError
		if errors.As(err, &conflict) && endless(before[conflict.Conflicts[0].Path]) {
			return // nothing can be added to that page
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		if _, err := Apply(site, bundle, Rules{}); err != nil {
			t.Fatalf("%v", err)
		}
		for path, text := range before {
			if !Stamped(text) && !subsequence(bodyOf(text), bodyOf(site.files[path])) {
				t.Fatalf("%s: %q became %q", path, text, site.files[path])
			}
		}
	})
}

func bodyOf(text string) []string {
	text = normal(text)
	if page, err := frontmatter.Split(text); err == nil {
		text = page.Body()
	}
	return linesOf(text)
}

// subsequence says whether all lines of a that are not empty are in b, in order.
func subsequence(a, b []string) bool {
	at := 0
	for _, line := range b {
		for at < len(a) && strings.TrimSpace(a[at]) == "" {
			at++
		}
		if at < len(a) && a[at] == line {
			at++
		}
	}
	for at < len(a) && strings.TrimSpace(a[at]) == "" {
		at++
	}
	return at == len(a)
}
