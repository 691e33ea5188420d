package write_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/patch/frontmatter"
	"mcpworks/packs/launch/internal/stage/plan"
	"mcpworks/packs/launch/internal/stage/plan/plantest"
	"mcpworks/packs/launch/internal/stage/write"
	"mcpworks/packs/launch/internal/templates"
)

// inputs are those of the writer for a fixture.
func inputs(t testing.TB, name string) write.Inputs {
	t.Helper()
	from := plantest.Inputs(t, name)
	out, issues, err := plan.Run(context.Background(), from)
	if err != nil {
		t.Fatal(err, issues)
	}
	return write.Inputs{
		Plan: out.Plan, Facts: from.Facts, Evidence: from.Evidence, Snippets: from.Snippets, Templates: from.Templates, DefaultLocale: "en",
		Contract: artifact.FrontmatterContract{Sections: map[string]artifact.SectionFrontmatter{}},
	}
}

func run(t testing.TB, in write.Inputs) (write.Outputs, []issue.Issue) {
	t.Helper()
	out, issues, err := write.Run(context.Background(), in)
	if err != nil {
		t.Fatal(err, issues)
	}
	return out, issues
}

var (
	marker    = regexp.MustCompile(`<!--\s*claim_id:\s*([a-f0-9]{64})\s*-->`)
	statement = regexp.MustCompile(`(?i)^it\b|\bthis (library|package|tool)\b|\b(supports|provides|enables|allows|can|reads|writes|converts|imports|exports|requires|runs|installs|includes|offers|handles)\b`)
	linkOnly  = regexp.MustCompile(`^(?:- )?\[[^\]]*\]\([^)]*\)(?: - .*)?$`)
	token     = regexp.MustCompile(`__[A-Z][A-Z0-9_]*__|\{\{`)
	active    = regexp.MustCompile(`(?i)<(?:script|iframe|object|embed|meta|base|link|img|b)\b|\bon[a-z]+\s*=|javascript:|data:text`)
)

// prose is a page without front matter and code, line by line.
func prose(t testing.TB, content []byte) []string {
	t.Helper()
	page, err := frontmatter.Split(string(content))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	fenced := false
	for line := range strings.Lines(page.Body()) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		} else if !fenced {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	if fenced {
		t.Error("a fence is not closed")
	}
	return lines
}

// needsMarker says whether a line states something (10.2).
func needsMarker(in write.Inputs, page artifact.Page, line string) bool {
	plain := marker.ReplaceAllString(line, "")
	if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "Source:") || linkOnly.MatchString(line) || len(strings.Fields(plain)) < 4 || in.Templates.Exempt(line, page.TokenMappings) {
		return false
	}
	names := slices.Concat([]string{in.Facts.ProductName}, in.Facts.APISurface.Classes, in.Facts.APISurface.Functions)
	return statement.MatchString(strings.TrimPrefix(plain, "- ")) || slices.ContainsFunc(names, func(name string) bool { return strings.Contains(plain, name) })
}

// 10.2: on every page of every repository each statement carries
// the marker of a fact of the evidence, on the line that states it; there are no
// tokens, no HTML beside the markers and no secrets; code is that of the catalogue
// or of the manifest; headings are those of the plan.
func TestEveryPage(t *testing.T) {
	for name := range plantest.Products {
		in := inputs(t, name)
		out, issues := run(t, in)
		if len(issues) > 0 {
			t.Errorf("%s: %+v", name, issues)
		}
		if len(out.Manifest.Drafts) != len(in.Plan.Pages) || len(out.Files) != len(in.Plan.Pages) {
			t.Fatalf("%s: %d pages are planned, %d are written", name, len(in.Plan.Pages), len(out.Files))
		}
		claims := map[string]artifact.EvidenceClaim{}
		for _, claim := range in.Evidence.Claims {
			claims[claim.ID] = claim
		}
		for i, page := range in.Plan.Pages {
			draft := out.Manifest.Drafts[i]
			content := out.Files[draft.DraftPath]
			if draft.DraftPath != "drafts/"+page.Section+"/"+page.OutputPath || len(draft.ClaimIDs) != len(page.RequiredClaimIDs) || draft.WordCount == 0 {
				t.Errorf("%s: %+v", name, draft)
			}
			for _, line := range prose(t, content) {
				found := marker.FindStringSubmatch(line)
				switch {
				case found == nil && needsMarker(in, page, line):
					t.Errorf("%s: %s states without evidence: %s", name, page.ID, line)
				case found != nil && (claims[found[1]].TruthStatus != "fact" || !shares(line, claims[found[1]].Text)):
					t.Errorf("%s: %s has a marker of something else: %s", name, page.ID, line)
				}
				if code := regexp.MustCompile("`[^`]*`").ReplaceAllString(line, " "); token.MatchString(code) || active.MatchString(line) || strings.TrimRight(line, " ") != line {
					t.Errorf("%s: %s has the line %q", name, page.ID, line)
				}
			}
			for _, secret := range fixtures.Secrets() {
				if bytes.Contains(content, []byte(secret)) {
					t.Errorf("%s: %s has a secret", name, page.ID)
				}
			}
			checkMarkdown(t, name, in, page, content)
		}
	}
}

// shares says that a line has at least half of the words of its claim.
func shares(line, claim string) bool {
	words := strings.FieldsFunc(strings.ToLower(claim), func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') })
	n := 0
	for _, word := range words {
		if strings.Contains(strings.ToLower(marker.ReplaceAllString(line, "")), word) {
			n++
		}
	}
	return 2*n >= len(words)
}

// checkMarkdown looks at a page as a converter does.
func checkMarkdown(t *testing.T, name string, in write.Inputs, page artifact.Page, content []byte) {
	t.Helper()
	split, err := frontmatter.Split(string(content))
	if err != nil {
		t.Fatal(err)
	}
	source := []byte(split.Body())
	var headings []string
	level := 1
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	err = ast.Walk(root, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.Heading:
			if node.Level > level+1 || node.Level < 2 {
				t.Errorf("%s: %s has a heading of level %d after %d", name, page.ID, node.Level, level)
			}
			if level = node.Level; level == 2 {
				headings = append(headings, string(node.Lines().Value(source)))
			}
		case *ast.FencedCodeBlock:
			checkCode(t, name, in, string(node.Language(source)), string(node.Lines().Value(source)))
		case *ast.Link:
			checkLink(t, name, in, page, string(node.Destination))
		case *ast.AutoLink, *ast.Image, *ast.HTMLBlock, *ast.CodeBlock, *ast.Blockquote:
			t.Errorf("%s: %s has a %s", name, page.ID, node.Kind())
		case *ast.RawHTML:
			if !marker.Match(node.Segments.Value(source)) {
				t.Errorf("%s: %s has HTML: %s", name, page.ID, node.Segments.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	if diff := cmp.Diff(page.RequiredHeadings, headings); err != nil || diff != "" {
		t.Errorf("%s: %s: %v %s", name, page.ID, err, diff)
	}
}

func checkCode(t *testing.T, name string, in write.Inputs, language, code string) {
	t.Helper()
	code = strings.TrimRight(code, "\n")
	known := slices.ContainsFunc(in.Snippets.Snippets, func(s artifact.Snippet) bool {
		return strings.TrimRight(s.Code, "\n") == code && s.Language == language
	}) || slices.ContainsFunc(in.Facts.Distribution, func(d artifact.Distribution) bool { return slices.Contains(d.InstallCommands, code) })
	if !known {
		t.Errorf("%s: code that nobody knows (%s):\n%s", name, language, code)
	}
}

// checkLink: links lead to pages of the plan or to the repository, and nowhere
// else; anchors are headings there.
func checkLink(t *testing.T, name string, in write.Inputs, from artifact.Page, target string) {
	t.Helper()
	target, anchor, _ := strings.Cut(target, "#")
	if target == in.Facts.RepoURL || strings.HasPrefix(target, in.Facts.RepoURL+"/blob/"+in.Facts.RepoSHA+"/") {
		return
	}
	for _, page := range in.Plan.Pages {
		same := page.Section == from.Section && target == page.URLPath
		if (same || target == "https://site.example"+page.URLPath) && (anchor == "" || anchor == "limitations" && slices.Contains(page.RequiredHeadings, "Limitations")) {
			return
		}
	}
	t.Errorf("%s: %s links to %s", name, from.ID, target)
}

// 6.5: the pages of the reference fixture, to the byte.
func TestLandingPage(t *testing.T) {
	in := inputs(t, "acme-tool")
	out, _ := run(t, in)
	got := marker.ReplaceAllString(string(out.Files["drafts/products/content/products/acme-tool/en/python/overview.md"]), "<>")
	want := `---
title: Acme Tool
description: Acme Tool reads, checks and converts tables for Python programs. It is made for data engineers who move tables between spreadsheets and services.
---

Acme Tool reads, checks and converts tables for Python programs. <>
It is made for data engineers who move tables between spreadsheets and services. <>

## Key features

- Acme Tool supports CSV export. <>
- Reads XLSX workbooks without a spreadsheet program installed. <>
- Converts tables between CSV, JSON and XLSX with one function call. <>
- Infers the type of every column from its first thousand rows. <>
- Streams large tables, so that memory use stays constant. <>

## Install

` + "```bash\npip install acme-tool\n```" + `

## Requirements

- Python 3.9+

## Limitations

- Acme Tool does not support XLS workbooks of Excel 97. <>
- Formulas in XLSX workbooks are not evaluated. <>
- Password protection of workbooks is not supported. <>

## License

License: MIT

## Learn more

- [Acme Tool documentation](https://site.example/docs/acme-tool/python/)
- [Get started with Acme Tool](https://site.example/docs/acme-tool/python/getting-started/)
- [Acme Tool: how to merge tables that share a key column](https://site.example/kb/acme-tool/python/how-to-merge-tables-that-share-a-key-column/)
- [Acme Tool FAQ](https://site.example/kb/acme-tool/python/faq/)
- [Source code](https://github.com/acme/fixture)
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// the pages state the limitation and do not claim the format.
func TestContradiction(t *testing.T) {
	out, _ := run(t, inputs(t, "contradictory"))
	var all strings.Builder
	for _, path := range slices.Sorted(maps.Keys(out.Files)) {
		all.Write(out.Files[path])
	}
	if text := all.String(); !strings.Contains(text, "FBX is not implemented") || regexp.MustCompile(`(?i)(?:supports|imports?|exports?|reads|writes) FBX`).MatchString(text) {
		t.Error(text)
	}
}

// 6.5: front matter has what the contract wants: defaults, values of the plan, and
// the emptiest value with a word about it where nobody knows better.
func TestFrontMatter(t *testing.T) {
	in := inputs(t, "acme-tool")
	in.Contract.Sections["docs"] = artifact.SectionFrontmatter{
		RequiredKeys: []string{"title", "description", "date", "layout", "tags", "count", "keywords"}, OptionalKeys: []string{"permalink", "weight"},
		KeyTypes:      map[string]string{"date": "date", "layout": "string", "tags": "array_string", "count": "integer", "keywords": "array_string"},
		DefaultValues: map[string]any{"layout": "docs: page"},
	}
	out, issues := run(t, in)
	file := "drafts/docs/content/docs/acme-tool/en/python/getting-started.md"
	got, err := frontmatter.Values(string(out.Files[file]))
	if err != nil {
		t.Fatal(err)
	}
	words := []any{"Acme Tool", "Acme Tool getting started", "Acme Tool python"}
	want := map[string]any{
		"title": "Get started with Acme Tool", "description": "The first steps with Acme Tool.", "date": "1970-01-01", "layout": "docs: page",
		"tags": words, "keywords": words, "count": 0, "permalink": "/docs/acme-tool/python/getting-started/", "weight": 30,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !bytes.Contains(out.Files[file], []byte("\ndate: 1970-01-01\n")) {
		t.Error("the date is written as a text")
	}
	told := map[string]bool{}
	for _, i := range issues {
		told[i.Message] = i.Code == write.CodeValueUnknown && i.Severity == issue.Warn
	}
	if len(told) != 2 {
		t.Errorf("%+v", issues)
	}
	in.Date = "2024-01-02"
	if _, issues := run(t, in); slices.ContainsFunc(issues, func(i issue.Issue) bool { return strings.Contains(i.Message, "date") }) {
		t.Errorf("%+v", issues)
	}
}

// 8.4: another language has the default text, a key that ties both together, and
// an issue that says so.
func TestNotTranslated(t *testing.T) {
	from := plantest.Inputs(t, "sparse")
	profile := *from.Profile
	profile.Locales = []string{"en", "fr"}
	from.Profile, from.Config.Locales = &profile, []string{"en", "fr"}
	planned, _, err := plan.Run(context.Background(), from)
	if err != nil {
		t.Fatal(err)
	}
	in := inputs(t, "sparse")
	in.Plan = planned.Plan
	out, issues := run(t, in)
	if len(issues) != len(planned.Plan.Pages)/2 || issues[0].Code != write.CodeNotTranslated || issues[0].Severity != issue.Info {
		t.Errorf("%+v", issues)
	}
	for _, locale := range []string{"en", "fr"} {
		values, err := frontmatter.Values(string(out.Files["drafts/kb/content/kb/sparse/"+locale+"/faq.md"]))
		if err != nil || values["translationKey"] != "kb/faq" {
			t.Errorf("%s: %v, %v", locale, values, err)
		}
	}
}

// 6.5: tokens that nobody can fill are a blocker, and so are a template and an
// input that are not there. What looks like a token in the product's own text is
// none.
func TestBlockers(t *testing.T) {
	for code, change := range map[string]func(*testing.T, *write.Inputs){
		write.CodeUnfilledTokens: func(t *testing.T, in *write.Inputs) {
			delete(in.Plan.Pages[0].TokenMappings, "PRODUCT_NAME")
			withSentence(t, in)
		},
		write.CodeTemplateMissing: func(t *testing.T, in *write.Inputs) { in.Plan.Pages[0].TemplatePath = "templates.v1/nowhere.md" },
		write.CodeMissingInput:    func(t *testing.T, in *write.Inputs) { in.Templates = nil },
	} {
		in := inputs(t, "sparse")
		change(t, &in)
		_, issues, err := write.Run(context.Background(), in)
		if !errors.Is(err, write.ErrBlocked) || len(issues) == 0 || issues[0].Code != code || issues[0].Severity != issue.Blocker {
			t.Errorf("%s: %v, %+v", code, err, issues)
		}
	}
}

// withSentence gives the first page a template with a name in a sentence.
func withSentence(t *testing.T, in *write.Inputs) {
	t.Helper()
	page := &in.Plan.Pages[0]
	set, err := templates.Open("templates.v1", fstest.MapFS{page.TemplatePath: {Data: []byte("---\nrole: landing\ntitle: T\ndescription: D\n---\nRead on about __PRODUCT_NAME__ here.\n")}})
	if err != nil {
		t.Fatal(err)
	}
	in.Plan.Pages, in.Templates = in.Plan.Pages[:1], set
}

// 6.10: equal inputs give equal bytes, however many processors there are, and
// the manifest names them.
func TestDeterminism(t *testing.T) {
	for _, name := range []string{"acme-tool", "hostile"} {
		var before string
		for _, processors := range []int{1, 8} {
			old := runtime.GOMAXPROCS(processors)
			out, _ := run(t, inputs(t, name))
			runtime.GOMAXPROCS(old)
			text, err := artifact.Encode(out.Manifest)
			if err != nil {
				t.Fatal(err)
			}
			if violations, err := artifact.Validate(artifact.DraftManifestName, text); err != nil || len(violations) > 0 {
				t.Errorf("%v, %v", violations, err)
			}
			all := string(text)
			for _, path := range slices.Sorted(maps.Keys(out.Files)) {
				all += fmt.Sprintf("%s\n%s", path, out.Files[path])
			}
			if before != "" && before != all {
				t.Errorf("%s: %s", name, cmp.Diff(before, all))
			}
			before = all
		}
	}
}
