package gate_test

import (
	"maps"
	"slices"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gate/gatetest"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/stage/plan"
	"mcpworks/packs/launch/internal/stage/plan/plantest"
	"mcpworks/packs/launch/internal/stage/write"
)

// real pages pass on a site with several hosts, a platform in its paths,
// languages in file names, and two languages.
func TestOtherSites(t *testing.T) {
	set, err := siteprofile.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	from := plantest.Inputs(t, "acme-tool")
	from.Profile, _ = set.Get("aspose.org")
	from.Product = siteprofile.Product{Family: "cells", Platform: "python"}
	from.Config.Locales = []string{"en", "de"}
	planned, issues, err := plan.Run(t.Context(), from)
	if err != nil {
		t.Fatal(err, issues)
	}
	contract := artifact.FrontmatterContract{SchemaVersion: artifact.Version, Sections: map[string]artifact.SectionFrontmatter{}}
	context := artifact.SiteContext{SchemaVersion: artifact.Version, Hugo: &artifact.HugoContext{}}
	for _, s := range from.Profile.Sections {
		contract.Sections[s.ID] = artifact.SectionFrontmatter{RequiredKeys: []string{"title"}}
		context.Hugo.BuildMatrix = append(context.Hugo.BuildMatrix, artifact.BuildEntry{Subdomain: s.Host, Family: "cells"})
	}
	drafts, issues, err := write.Run(t.Context(), write.Inputs{
		Plan: planned.Plan, Facts: from.Facts, Evidence: from.Evidence, Snippets: from.Snippets, Templates: from.Templates, DefaultLocale: "en", Contract: contract,
	})
	if err != nil {
		t.Fatal(err, issues)
	}
	site := map[string]string{}
	for _, draft := range drafts.Manifest.Drafts {
		site[draft.OutputPath] = string(drafts.Files[draft.DraftPath])
	}
	from.Config.ValidationProfile = "prod"
	in := gate.Input{
		Base: gatetest.Tree(nil), Site: gatetest.Tree(site), Changed: slices.Sorted(maps.Keys(site)), Repo: fixtures.FS(fixtures.AcmeTool()),
		Config: &from.Config, Profile: from.Profile, Product: from.Product, Rules: from.Ruleset, Templates: from.Templates, Documents: map[string][]byte{},
	}
	for name, document := range map[string]any{
		artifact.ProductFactsName: from.Facts, artifact.EvidenceMapName: from.Evidence, artifact.SnippetCatalogName: from.Snippets, artifact.PagePlanName: planned.Plan,
		artifact.FrontmatterContractName: contract, artifact.SiteContextName: context, artifact.HugoFactsName: artifact.HugoFacts{SchemaVersion: artifact.Version},
	} {
		gatetest.Put(t, &in, name, document)
	}
	report, err := gate.Only(t.Context(), gate.NewView(in), gate.TemplateTokens, gate.Frontmatter, gate.MarkdownLint, gate.Layout, gate.Navigation, gate.InternalLinks,
		gate.Truthlock, gate.ClaimCoverage, gate.Snippets, gate.Consistency, gate.Universality, gate.ContentDistribution, gate.SensitiveData, gate.XSS)
	if err != nil || !report.OK || len(report.Gates) != 14 {
		t.Errorf("%v: %v", err, codes(report))
	}
	for _, g := range report.Gates {
		if g.Status != "pass" {
			t.Errorf("%+v", g)
		}
	}
}
