package plan_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/stage/plan"
	"mcpworks/packs/launch/internal/stage/plan/plantest"
	"mcpworks/packs/launch/internal/stage/write"
)

// large is a repository with very much to say: many claims about features, public
// names and tasks, with code for each.
func large(t testing.TB, claims int) plan.Inputs {
	t.Helper()
	in := plantest.Inputs(t, "acme-tool")
	in.Config.LaunchTier = "rich"
	add := func(n int, kind, text, path string) string {
		claim := artifact.Claim{ID: fmt.Sprintf("%064x", n), Text: text, Kind: kind, TruthStatus: "fact", Confidence: "low", Audience: "user_facing"}
		in.Facts.Claims = append(in.Facts.Claims, claim)
		in.Evidence.Claims = append(in.Evidence.Claims, artifact.EvidenceClaim{Claim: claim, SourcePriority: 5, Citations: []artifact.Citation{{Path: path, StartLine: n, EndLine: n, SourceType: "documentation"}}})
		return claim.ID
	}
	for n := range claims {
		switch n % 4 {
		case 0:
			in.Facts.ClaimGroups.KeyFeatures = append(in.Facts.ClaimGroups.KeyFeatures, add(n, "feature", fmt.Sprintf("Balances ledger number %d of the old archive.", n), "docs/a.md"))
		case 1:
			name := fmt.Sprintf("Ledger%d", n%40)
			if !slices.Contains(in.Facts.APISurface.Classes, name) {
				in.Facts.APISurface.Classes = append(in.Facts.APISurface.Classes, name)
			}
			add(n, "api", fmt.Sprintf("The `%s` class keeps entry %d.", name, n), "docs/b.md")
		default:
			id := add(n, "workflow", fmt.Sprintf("Check the balance of page %d twice.", n), "docs/c.md")
			tag := fmt.Sprintf("close-year-%d", n%5)
			at := slices.IndexFunc(in.Facts.Workflows, func(w artifact.Workflow) bool { return w.Tag == tag })
			if at < 0 {
				at = len(in.Facts.Workflows)
				in.Facts.Workflows = append(in.Facts.Workflows, artifact.Workflow{Tag: tag, Title: "Close year " + fmt.Sprint(n%5)})
				in.Snippets.Snippets = append(in.Snippets.Snippets, artifact.Snippet{
					ID: fmt.Sprintf("%064x", 1<<20+n), Language: "python", Tags: []string{tag}, Code: "balance_ledger()\n", Source: artifact.SnippetSource{Type: "repo_file", Path: "docs/c.md", StartLine: n, EndLine: n},
				})
			}
			in.Facts.Workflows[at].ClaimIDs = append(in.Facts.Workflows[at].ClaimIDs, id)
		}
	}
	return in
}

// 6.4(5): with enough evidence all policies bear pages, up to the maximum of their
// sections, and they can be written. 10,000 claims are no trouble.
func TestLargePlan(t *testing.T) {
	for _, claims := range []int{400, 10_000} {
		in := large(t, claims)
		out, issues, err := plan.Run(context.Background(), in)
		if err != nil {
			t.Fatal(err, issues)
		}
		kinds := map[string]int{}
		for _, page := range out.Plan.Pages {
			kinds[page.Section]++
			if strings.HasPrefix(page.Slug, "close-year") || strings.HasPrefix(page.Slug, "ledger") || strings.HasPrefix(page.Slug, "how-to-balance") || strings.HasPrefix(page.Slug, "in-depth") {
				kinds[page.Section+" further"]++
			}
		}
		for section, most := range map[string]int{"docs": 10, "reference": 6, "blog": 2} {
			if kinds[section] != most || kinds[section+" further"] != most-len(mandatory(in, section)) {
				t.Errorf("%d claims: %v", claims, kinds)
			}
		}
		written, found, err := write.Run(context.Background(), write.Inputs{
			Plan: out.Plan, Facts: in.Facts, Evidence: in.Evidence, Snippets: in.Snippets, Templates: in.Templates, DefaultLocale: "en",
		})
		if err != nil || len(found) > 0 || len(written.Files) != len(out.Plan.Pages) {
			t.Errorf("%v, %+v", err, found)
		}
	}
}

func mandatory(in plan.Inputs, section string) []string {
	var slugs []string
	for _, s := range in.Ruleset.Sections("") {
		for _, page := range slices.Concat(s.Mandatory, s.IfEvidence) {
			if s.ID == section {
				slugs = append(slugs, page.Slug)
			}
		}
	}
	return slugs
}
