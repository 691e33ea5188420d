package fix_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gate/fix"
	"mcpworks/packs/launch/internal/gate/gatetest"
	"mcpworks/packs/launch/internal/gate/page"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/stage/plan"
	"mcpworks/packs/launch/internal/stage/plan/plantest"
	"mcpworks/packs/launch/internal/stage/write"
)

// written is a repository with the pages that are written for it.
type written struct {
	plan.Inputs
	out   artifact.PagePlan
	pages site
}

func writePages(t *testing.T, name string) written {
	t.Helper()
	w := written{Inputs: plantest.Inputs(t, name), pages: site{}}
	planned, _, err := plan.Run(t.Context(), w.Inputs)
	if err != nil {
		t.Fatal(err)
	}
	w.out = planned.Plan
	drafts, _, err := write.Run(t.Context(), write.Inputs{
		Plan: w.out, Facts: w.Facts, Evidence: w.Evidence, Snippets: w.Snippets, Templates: w.Templates, DefaultLocale: "en", Contract: w.contract(),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, draft := range drafts.Manifest.Drafts {
		w.pages[draft.OutputPath] = string(drafts.Files[draft.DraftPath])
	}
	return w
}

func (w written) contract() artifact.FrontmatterContract {
	sections := map[string]artifact.SectionFrontmatter{}
	for _, id := range w.Profile.SectionIDs() {
		sections[id] = artifact.SectionFrontmatter{RequiredKeys: []string{"description", "title"}, KeyTypes: map[string]string{"title": "string"}}
	}
	return artifact.FrontmatterContract{SchemaVersion: artifact.Version, SiteSHA: fixtures.SiteSHA, Sections: sections}
}

// validated looks at pages with the gates that judge them.
func (w written) validated(t *testing.T, pages site) (*gate.View, artifact.ValidationReport) {
	t.Helper()
	told := w.Config
	told.ValidationProfile = "prod"
	in := gate.Input{
		Base: gatetest.Tree(nil), Site: gatetest.Tree(pages), Changed: slices.Sorted(maps.Keys(pages)), Repo: fixtures.FS(fixtures.All()["acme-tool"]),
		Config: &told, Profile: w.Profile, Product: w.Product, Rules: w.Ruleset, Templates: w.Templates, Documents: map[string][]byte{},
	}
	for name, document := range map[string]any{
		artifact.ProductFactsName: w.Facts, artifact.EvidenceMapName: w.Evidence, artifact.SnippetCatalogName: w.Snippets, artifact.PagePlanName: w.out,
		artifact.FrontmatterContractName: w.contract(), artifact.HugoFactsName: artifact.HugoFacts{SchemaVersion: artifact.Version},
	} {
		gatetest.Put(t, &in, name, document)
	}
	v := gate.NewView(in)
	report, err := gate.Only(t.Context(), v, gate.TemplateTokens, gate.Frontmatter, gate.MarkdownLint, gate.Navigation, gate.InternalLinks, gate.Truthlock,
		gate.ClaimCoverage, gate.Snippets, gate.Consistency, gate.Universality, gate.ContentDistribution, gate.XSS)
	if err != nil {
		t.Fatal(err)
	}
	return v, report
}

// fixed runs the loop to its end.
func (w written) fixed(t *testing.T, pages site) site {
	t.Helper()
	givenUp := map[string]bool{}
	for range 30 {
		v, report := w.validated(t, pages)
		report.Issues = slices.DeleteFunc(report.Issues, func(i issue.Issue) bool { return givenUp[i.ID] })
		next, more := fix.Next(report, "strict")
		if !more {
			if len(report.Issues)+len(givenUp) > 0 {
				t.Errorf("left over: %+v, given up %v", report.Issues, givenUp)
			}
			return pages
		}
		patches, err := fix.Patches(v, next, w.pages)
		if err != nil || len(patches) == 0 {
			givenUp[next.ID] = true
			continue
		}
		bundle := artifact.PatchBundle{Patches: patches}
		if err := patch.Number(bundle.Patches); err != nil {
			t.Fatal(err)
		}
		pages = maps.Clone(pages)
		if _, err := patch.Apply(pages, bundle, patch.Rules{}); err != nil {
			t.Fatal(err)
		}
	}
	t.Error("the loop has no end")
	return pages
}

// R-11, S-9: whichever section is taken off a real page, the loop brings back
// what the plan wants.
func TestSectionsComeBack(t *testing.T) {
	w := writePages(t, "acme-tool")
	if _, report := w.validated(t, w.pages); !report.OK {
		t.Fatalf("%+v", report.Issues)
	}
	for _, plan := range w.out.Pages {
		p, err := page.Read([]byte(w.pages[plan.OutputPath]))
		if err != nil {
			t.Fatal(err)
		}
		for n, title := range p.Titles {
			if title.Level != 2 {
				continue
			}
			end := len(p.Lines)
			for _, next := range p.Titles[n+1:] {
				if next.Level <= 2 {
					end = next.Line - 1
					break
				}
			}
			lines := strings.Split(strings.TrimSuffix(p.Text, "\n"), "\n")
			pages := maps.Clone(w.pages)
			pages[plan.OutputPath] = strings.Join(slices.Concat(lines[:title.Line-1], lines[end:]), "\n") + "\n"
			t.Run(plan.ID+" "+title.Text, func(t *testing.T) {
				if got := w.fixed(t, pages)[plan.OutputPath]; got != p.Text && t.Failed() {
					t.Logf("%s", got)
				}
			})
		}
	}
}

// a page whose markers are all gone gets them back.
func TestMarkersComeBack(t *testing.T) {
	w := writePages(t, "acme-tool")
	for _, plan := range w.out.Pages {
		pages := maps.Clone(w.pages)
		pages[plan.OutputPath] = gate.Marker.ReplaceAllString(pages[plan.OutputPath], "[claim: $1]")
		t.Run(plan.ID, func(t *testing.T) {
			if got := w.fixed(t, pages)[plan.OutputPath]; got != w.pages[plan.OutputPath] {
				t.Errorf("got\n%s\nwant\n%s", got, w.pages[plan.OutputPath])
			}
		})
	}
}
