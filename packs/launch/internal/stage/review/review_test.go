package review_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/stage/plan"
	"mcpworks/packs/launch/internal/stage/plan/plantest"
	"mcpworks/packs/launch/internal/stage/review"
	"mcpworks/packs/launch/internal/stage/write"
)

func run(t testing.TB, in review.Inputs) (review.Outputs, []issue.Issue) {
	t.Helper()
	out, issues, err := review.Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	text, err := artifact.Encode(out.Report)
	if err != nil {
		t.Fatal(err)
	}
	if violations, err := artifact.Validate(artifact.ReviewReportName, text); err != nil || len(violations) > 0 {
		t.Fatal(violations, err)
	}
	return out, issues
}

// 6.6, R-7: what the offline writer writes passes, and stays as it is.
func TestOfflinePagesPass(t *testing.T) {
	for name := range plantest.Products {
		from := plantest.Inputs(t, name)
		planned, _, err := plan.Run(context.Background(), from)
		if err != nil {
			t.Fatal(err)
		}
		written, _, err := write.Run(context.Background(), write.Inputs{
			Plan: planned.Plan, Facts: from.Facts, Evidence: from.Evidence, Snippets: from.Snippets, Templates: from.Templates, DefaultLocale: "en",
		})
		if err != nil {
			t.Fatal(err)
		}
		out, _ := run(t, review.Inputs{Plan: planned.Plan, Manifest: written.Manifest, Files: written.Files, Facts: from.Facts, Evidence: from.Evidence, Snippets: from.Snippets})
		if !out.Report.OK || out.Report.OverallStatus != review.Pass || out.Report.PagesPassed != len(planned.Plan.Pages) || out.Report.SeverityCounts["error"] != 0 {
			t.Errorf("%s: %+v", name, out.Report)
		}
		if diff := cmp.Diff(written.Files, out.Files); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(written.Manifest, out.Manifest); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

var known = strings.Repeat("a", 64)

// one is a run with one page.
func one(role, text string) review.Inputs {
	page := artifact.Page{ID: "docs/x", Section: "docs", Slug: "x", Role: role}
	return review.Inputs{
		Plan:     artifact.PagePlan{Pages: []artifact.Page{page}},
		Manifest: artifact.DraftManifest{Drafts: []artifact.Draft{{PageID: "docs/x", Section: "docs", Slug: "x", OutputPath: "content/x.md", DraftPath: "drafts/x.md"}}},
		Files:    map[string][]byte{"drafts/x.md": []byte(text)},
		Facts: artifact.ProductFacts{
			Distribution: []artifact.Distribution{{Method: "pip", InstallCommands: []string{"pip install acme"}}},
			APISurface:   artifact.APISurface{Classes: []string{"Table"}, Functions: []string{"load"}, Modules: []string{"acme", "example.com/acme/filter"}},
		},
		Evidence: artifact.EvidenceMap{Claims: []artifact.EvidenceClaim{{Claim: artifact.Claim{ID: known}}}},
		Snippets: artifact.SnippetCatalog{Snippets: []artifact.Snippet{{Code: "python -m venv .venv\npip install other\n"}}},
		Contract: artifact.FrontmatterContract{Sections: map[string]artifact.SectionFrontmatter{"docs": {RequiredKeys: []string{"title", "layout"}}}},
	}
}

const head = "---\ntitle: T\ndescription: D\nlayout: x\n---\n\n"

// 6.6: each check fires where it should and is quiet beside it.
func TestChecks(t *testing.T) {
	hard := strings.Repeat("Extraordinarily sophisticated organizational responsibilities necessitate considerable administrative infrastructure. ", 8)
	for name, test := range map[string]struct {
		role, body string
		want       string
	}{
		"clean":                  {"landing", "## A\n\n### B\n\n- Reads `a` and b. <!-- claim_id: " + known + " -->\n", ""},
		"space before":           {"landing", "Reads files , and more.\n", "warn REVIEWER_TYPOGRAPHY"},
		"space before in code":   {"landing", "Reads `a , b` and more.\n", ""},
		"twice":                  {"landing", "Reads the the files.\n", "warn REVIEWER_TYPOGRAPHY"},
		"twice in code":          {"landing", "```\nthe the\n```\n", ""},
		"too hard":               {"comprehensive_guide", hard, "error REVIEWER_READABILITY"},
		"too hard for nobody":    {"landing", hard, ""},
		"long paragraph":         {"landing", strings.Repeat("word and ", 80) + "end.\n", "warn REVIEWER_LONG_PARAGRAPH"},
		"two paragraphs":         {"landing", strings.Repeat("word and ", 70) + "\n\n" + strings.Repeat("word and ", 70) + "\n", ""},
		"long bullet":            {"landing", "- " + strings.Repeat("word and ", 25) + "\n", "warn REVIEWER_LONG_BULLET"},
		"heading order":          {"landing", "## A\n\n#### B\n", "warn REVIEWER_HEADING_ORDER"},
		"heading in code":        {"landing", "## A\n\n```\n#### B\n```\n", ""},
		"old marker":             {"landing", "Reads files. [claim: " + known + "]\n", "warn REVIEWER_MARKER_FORMAT"},
		"other old marker":       {"landing", "Reads files. <!-- claim: " + known + " -->\n", "warn REVIEWER_MARKER_FORMAT"},
		"unknown claim":          {"landing", "Reads files. <!-- claim_id: " + strings.Repeat("b", 64) + " -->\n", "error REVIEWER_UNKNOWN_CLAIM"},
		"broken marker":          {"landing", "Reads files. <!-- claim_id: abc -->\n", "error REVIEWER_UNKNOWN_CLAIM"},
		"unknown name":           {"landing", "```python\nfrom acme import load, save\nfrom os import path\n```\n", "warn REVIEWER_UNKNOWN_API_NAME"},
		"unknown name in Go":     {"landing", "```go\nimport \"example.com/acme/filter\"\nvar x = filter.Nothing\n```\n", "warn REVIEWER_UNKNOWN_API_NAME"},
		"known name":             {"landing", "```python\nfrom acme import load, Table\n```\n", ""},
		"other install command":  {"landing", "```bash\npip install evil\n```\n", "error REVIEWER_INSTALL_MISMATCH"},
		"own install command":    {"landing", "```bash\npip install acme\n```\n", ""},
		"the repository's words": {"landing", "```bash\npython -m venv .venv\npip install other\n```\n", ""},
		"no steps around it":     {"workflow_page", "## Steps\n\nDo it.\n", "warn REVIEWER_MISSING_STEPS, warn REVIEWER_MISSING_STEPS"},
		"steps around it":        {"workflow_page", "## Prerequisites\n\nx\n\n## Next steps\n\ny\n", ""},
		"no alt text":            {"landing", "![](a.png)\n", "warn REVIEWER_ALT_TEXT_MISSING"},
	} {
		in := one(test.role, head+test.body)
		out, _ := run(t, in)
		var got []string
		for _, i := range out.Report.Issues {
			got = append(got, string(i.Severity)+" "+i.Code)
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: %v, want %s", name, got, test.want)
		}
	}
	for text, want := range map[string]int{"## A\n": 1, "---\ntitle: T\n---\n\nx\n": 2, "---\ntitle: T\ndescription: ''\nlayout: x\n---\n\nx\n": 1, head + "x\n": 0} {
		if out, _ := run(t, one("landing", text)); out.Report.SeverityCounts["error"] != want {
			t.Errorf("%q: %+v", text, out.Report.Issues)
		}
	}
}

// 6.6: scores, verdicts, and rounds of putting things right.
func TestVerdicts(t *testing.T) {
	for name, test := range map[string]struct {
		body    string
		status  string
		quality int
		fixes   int
	}{
		"nothing":           {"Fine.\n", review.Pass, 5, 0},
		"three warns":       {strings.Repeat("Reads , more.\n\n", 3), review.Pass, 4, 0},
		"four fixable":      {strings.Repeat("Reads , more.\n\n", 4), review.Pass, 5, 1},
		"seven fixable":     {strings.Repeat("Reads , more.\n\n", 7), review.Pass, 5, 1},
		"four images":       {strings.Repeat("![](a.png)\n\n", 4), review.NeedsChanges, 5, 0},
		"seven images":      {strings.Repeat("![](a.png)\n\n", 7), review.Reject, 5, 0},
		"one unknown claim": {"Reads. <!-- claim_id: x -->\n", review.NeedsChanges, 5, 0},
		"three of them":     {strings.Repeat("Reads. <!-- claim_id: x -->\n\n", 3), review.Reject, 5, 0},
	} {
		out, issues := run(t, one("landing", head+test.body))
		if out.Report.OverallStatus != test.status || out.Report.DimensionScores["content_quality"] != test.quality || len(out.Report.FixResults) != test.fixes {
			t.Errorf("%s: %+v", name, out.Report)
		}
		if told := slices.ContainsFunc(issues, func(i issue.Issue) bool { return i.Code == review.CodeRejected && i.Severity == issue.Warn }); told != (test.status == review.Reject) {
			t.Errorf("%s: %+v", name, issues)
		}
		if out.Report.OK != (test.status == review.Pass) || out.Report.PagesPassed+out.Report.PagesFailed != 1 {
			t.Errorf("%s: %+v", name, out.Report)
		}
	}
}

// C-14, 6.6: fixes touch nothing but what is wrong, and the manifest follows.
func TestFixes(t *testing.T) {
	before := head + "## A\n\n#### B\n\n#### C\n\nReads the the files , not `the the`. [claim: " + known + "]\n\n![](a.png)\n\n![](b.png)\n\n![](c.png)\n\n```\nthe the ,\n#### x\n```\n"
	after := head + "## A\n\n### B\n\n### C\n\nReads the files, not `the the`. <!-- claim_id: " + known + " -->\n\n![](a.png)\n\n![](b.png)\n\n![](c.png)\n\n```\nthe the ,\n#### x\n```\n"
	in := one("landing", before)
	out, _ := run(t, in)
	if diff := cmp.Diff(after, string(out.Files["drafts/x.md"])); diff != "" {
		t.Error(diff)
	}
	want := []artifact.FixResult{
		{Path: "content/x.md", Check: "REVIEWER_HEADING_ORDER", Round: 1, Count: 2}, {Path: "content/x.md", Check: "REVIEWER_MARKER_FORMAT", Round: 1, Count: 1},
		{Path: "content/x.md", Check: "REVIEWER_TYPOGRAPHY", Round: 1, Count: 1},
	}
	if diff := cmp.Diff(want, out.Report.FixResults); diff != "" {
		t.Error(diff)
	}
	if draft := out.Manifest.Drafts[0]; len(draft.SHA256) != 64 || draft.WordCount == 0 || string(in.Files["drafts/x.md"]) != before {
		t.Errorf("%+v", draft)
	}
	again, _ := run(t, in)
	if diff := cmp.Diff(out, again); diff != "" {
		t.Error(diff)
	}
}
