package plan_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/rulesets"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/stage/plan"
	"mcpworks/packs/launch/internal/stage/plan/plantest"
	"mcpworks/packs/launch/internal/templates"
)

func run(t testing.TB, in plan.Inputs) artifact.PagePlan {
	t.Helper()
	out, issues, err := plan.Run(context.Background(), in)
	if err != nil {
		t.Fatal(err, issues)
	}
	return out.Plan
}

func ids(p artifact.PagePlan) []string {
	var all []string
	for _, page := range p.Pages {
		all = append(all, page.ID)
	}
	return all
}

// 6.4(3), 6.4(5): a rich repository has the pages of the ruleset, and further
// ones for features that its snippets show.
func TestRichPlan(t *testing.T) {
	p := run(t, plantest.Inputs(t, "acme-tool"))
	want := []string{
		"products/overview", "docs/_index", "docs/installation", "docs/getting-started", "docs/overview", "docs/developer-guide",
		"docs/convert-a-file-on-the-command-line", "reference/api-overview",
		"kb/faq", "kb/how-to-merge-tables-that-share-a-key-column", "blog/announcement",
	}
	if diff := cmp.Diff(want, ids(p)); diff != "" || p.LaunchTier != "rich" {
		t.Errorf("tier %s: %s", p.LaunchTier, diff)
	}
	if len(p.RejectedCandidates) == 0 || p.EvidenceVolume.Score != 2*p.EvidenceVolume.Claims+3*p.EvidenceVolume.Snippets+p.EvidenceVolume.APISymbols {
		t.Errorf("%+v, %+v", p.RejectedCandidates, p.EvidenceVolume)
	}
}

// 6.4(3): in the tier minimal each section has one page; a plan that cannot reach
// the minimum of a section becomes one.
func TestMinimalPlan(t *testing.T) {
	for name, signal := range map[string]string{"sparse": "few_claims", "go-cli": "section_minimum", "disputed": "unresolved_contradictions"} {
		in := plantest.Inputs(t, name)
		if name == "go-cli" {
			in.Ruleset.Listed[3].MinPages = 4
		}
		p := run(t, in)
		if diff := cmp.Diff([]string{"products/overview", "docs/getting-started", "reference/api-overview", "kb/faq", "blog/announcement"}, ids(p)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if !slices.ContainsFunc(p.LaunchTierAdjustments, func(a artifact.TierAdjustment) bool { return a.Signal == signal && a.ToTier == "minimal" }) || p.LaunchTier != "minimal" {
			t.Errorf("%s: %+v", name, p.LaunchTierAdjustments)
		}
	}
}

// What holds for every plan of every repository: it fits its schema, claims are
// facts of the evidence and on one page unless that is in the blog, pages keep to
// their quotas, links lead to planned pages, indexes list all others (6.4(6)-(10)).
func TestEveryPlan(t *testing.T) {
	for name := range plantest.Products {
		in := plantest.Inputs(t, name)
		p := run(t, in)
		text, err := artifact.Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		if violations, err := artifact.Validate(artifact.PagePlanName, text); err != nil || len(violations) > 0 {
			t.Errorf("%s: %v, %v", name, violations, err)
		}
		facts := map[string]bool{}
		for _, claim := range in.Evidence.Claims {
			facts[claim.ID] = claim.TruthStatus == "fact" && claim.Audience == "user_facing"
		}
		places, home := map[string]bool{}, map[string]string{}
		for _, page := range p.Pages {
			places[page.URLPath], places[in.Profile.URL(page.Section, page.URLPath)] = true, true
		}
		for _, page := range p.Pages {
			for _, id := range page.RequiredClaimIDs {
				if !facts[id] {
					t.Errorf("%s: %s has the claim %s", name, page.ID, id)
				}
				if other, twice := home[id]; twice && page.Section != "blog" {
					t.Errorf("%s: %s and %s have the claim %s", name, other, page.ID, id)
				}
				home[id] = page.ID
			}
			if quota := page.Strategy.ClaimQuota; len(page.RequiredClaimIDs) < quota.Min || len(page.RequiredClaimIDs) > quota.Max {
				t.Errorf("%s: %s has %d claims, not %+v", name, page.ID, len(page.RequiredClaimIDs), quota)
			}
			for _, link := range page.CrossLinks {
				if target, _, _ := strings.Cut(link.URL, "#"); !places[target] || link.Title == "" {
					t.Errorf("%s: %s links to %s", name, page.ID, link.URL)
				}
			}
			if page.Role == "toc" && (len(page.SnippetIDs) > 0 || len(page.Strategy.ChildPages) != len(pagesOf(p, page.Section))-1) {
				t.Errorf("%s: %+v", name, page)
			}
			for _, heading := range page.RequiredHeadings {
				for _, topic := range page.ForbiddenTopics {
					if strings.Contains(strings.ToLower(heading), topic) {
						t.Errorf("%s: %s has the heading %q", name, page.ID, heading)
					}
				}
			}
			if strings.Contains(page.OutputPath, "/"+page.Section+"/"+page.Section+"/") || page.Title == "" || page.Purpose == "" || len(page.RequiredHeadings) == 0 {
				t.Errorf("%s: %+v", name, page)
			}
		}
	}
}

func pagesOf(p artifact.PagePlan, section string) []artifact.Page {
	return slices.DeleteFunc(slices.Clone(p.Pages), func(page artifact.Page) bool { return page.Section != section })
}

// the loser of a contradiction is on no page, the winner is.
func TestContradiction(t *testing.T) {
	in := plantest.Inputs(t, "contradictory")
	p := run(t, in)
	if len(in.Evidence.Contradictions) == 0 {
		t.Fatal("the fixture has no contradiction")
	}
	for _, c := range in.Evidence.Contradictions {
		for _, id := range []string{c.ClaimA, c.ClaimB} {
			planned := slices.ContainsFunc(p.Pages, func(page artifact.Page) bool { return slices.Contains(page.RequiredClaimIDs, id) })
			if planned != (id == c.WinningClaimID) {
				t.Errorf("claim %s is planned: %v, the winner is %s", id, planned, c.WinningClaimID)
			}
		}
	}
}

// 8.4: paths and URLs are those of the profile, the section is expressed by its
// root alone (C-21), and further languages have the same pages elsewhere.
func TestLocales(t *testing.T) {
	in := plantest.Inputs(t, "acme-tool")
	profile := *in.Profile
	profile.Locales = []string{"en", "fr"}
	in.Profile, in.Config.Locales = &profile, []string{"fr", "en"}
	p := run(t, in)
	half := len(p.Pages) / 2
	for i, page := range p.Pages[:half] {
		other := p.Pages[half+i]
		if page.Locale != "en" || other.Locale != "fr" || other.ID != "fr/"+page.ID || other.URLPath != "/fr"+page.URLPath || !cmp.Equal(page.RequiredClaimIDs, other.RequiredClaimIDs) {
			t.Errorf("%+v\n%+v", page, other)
		}
		for _, link := range other.CrossLinks {
			if !strings.Contains(link.URL, "/fr/") {
				t.Errorf("%s links to %s", other.ID, link.URL)
			}
		}
	}
	if page := p.Pages[2]; page.OutputPath != "content/docs/acme-tool/en/python/installation.md" || page.URLPath != "/docs/acme-tool/python/installation/" {
		t.Errorf("%s is at %s", page.OutputPath, page.URLPath)
	}
}

// 8.4: on a site with a host for each section, links between sections name it.
func TestHosts(t *testing.T) {
	in := plantest.Inputs(t, "acme-tool")
	profiles, err := siteprofile.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	in.Profile, _ = profiles.Get("aspose.org")
	in.Product.Family = "cells"
	p := run(t, in)
	at := map[string]artifact.Page{}
	for _, page := range p.Pages {
		at[page.ID] = page
	}
	for id, want := range map[string][2]string{
		"docs/developer-guide": {"content/docs.aspose.org/cells/en/python/developer-guide.md", "/cells/python/developer-guide/"},
		"docs/_index":          {"content/docs.aspose.org/cells/en/python/_index.md", "/cells/python/"},
		"blog/announcement":    {"content/blog.aspose.org/cells/python/announcement/index.md", "/cells/python/announcement/"},
	} {
		if got := [2]string{at[id].OutputPath, at[id].URLPath}; got != want {
			t.Errorf("%s is at %v", id, got)
		}
	}
	want := []artifact.CrossLink{
		{Title: "Acme Tool developer guide", URL: "/cells/python/developer-guide/"},
		{Title: "Acme Tool API overview", URL: "https://reference.aspose.org/cells/python/api-overview/"},
	}
	if diff := cmp.Diff(want, at["docs/getting-started"].CrossLinks); diff != "" {
		t.Error(diff)
	}
}

// 6.4(5), 6.4(8), 6.4(10): what makes a plan useless is a blocker.
func TestBlockers(t *testing.T) {
	for code, change := range map[string]func(*testing.T, *plan.Inputs){
		plan.CodeURLCollision: func(t *testing.T, in *plan.Inputs) {
			in.Ruleset = ruleset(t, "sections: {docs: {min_pages: 1, max_pages: 3, mandatory_pages: [{slug: _index, page_role: toc}, {slug: index, page_role: landing}]}}")
			in.Config.RequiredSections = []string{"docs"}
		},
		plan.CodeTemplateMissing: func(t *testing.T, in *plan.Inputs) {
			dir := fstest.MapFS{"templates.v1/default/docs/a.md": {Data: []byte("---\nrole: toc\ntitle: T\ndescription: D\n---\n")}}
			var err error
			if in.Templates, err = templates.Open("templates.v1", dir); err != nil {
				t.Fatal(err)
			}
		},
		plan.CodePlanIncomplete: func(t *testing.T, in *plan.Inputs) {
			in.Config.RequiredSections = append(in.Config.RequiredSections, "forum")
		},
		plan.CodePathInvalid:  func(t *testing.T, in *plan.Inputs) { in.Product.Family = "../etc" },
		plan.CodeMissingInput: func(t *testing.T, in *plan.Inputs) { in.Ruleset = nil },
	} {
		in := plantest.Inputs(t, "acme-tool")
		change(t, &in)
		_, issues, err := plan.Run(context.Background(), in)
		if !errors.Is(err, plan.ErrBlocked) || !slices.ContainsFunc(issues, func(i issue.Issue) bool { return i.Code == code && i.Severity == issue.Blocker }) {
			t.Errorf("%s: %v, %+v", code, err, issues)
		}
	}
}

func ruleset(t *testing.T, text string) *rulesets.Ruleset {
	t.Helper()
	rules, err := rulesets.Parse("ruleset.v1", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// A section that nobody asked for is skipped and says so.
func TestSkippedSections(t *testing.T) {
	in := plantest.Inputs(t, "acme-tool")
	in.Config.RequiredSections = []string{"docs", "kb"}
	p := run(t, in)
	var skipped []string
	for _, s := range p.SkippedSections {
		skipped = append(skipped, s.Section)
	}
	if diff := cmp.Diff([]string{"products", "reference", "blog"}, skipped); diff != "" {
		t.Error(diff)
	}
	if got := ids(p); slices.ContainsFunc(got, func(id string) bool { return !strings.HasPrefix(id, "docs/") && !strings.HasPrefix(id, "kb/") }) {
		t.Error(got)
	}
}

// 6.10: equal inputs give equal bytes, however many processors there are.
func TestDeterminism(t *testing.T) {
	for _, name := range []string{"acme-tool", "hostile"} {
		var before []byte
		for _, processors := range []int{1, 8} {
			old := runtime.GOMAXPROCS(processors)
			text, err := artifact.Encode(run(t, plantest.Inputs(t, name)))
			runtime.GOMAXPROCS(old)
			if err != nil {
				t.Fatal(err)
			}
			if before != nil && string(before) != string(text) {
				t.Errorf("%s: %s", name, cmp.Diff(string(before), string(text)))
			}
			before = text
		}
	}
}
