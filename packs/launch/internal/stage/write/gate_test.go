package write_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/stage/plan/plantest"
)

// what is written passes the gates on pages by construction, in the strictest
// profile and for every repository.
func TestGates(t *testing.T) {
	for name := range plantest.Products {
		in := inputs(t, name)
		out, _ := run(t, in)
		from := plantest.Inputs(t, name)
		site := fstest.MapFS{}
		for _, draft := range out.Manifest.Drafts {
			site[draft.OutputPath] = &fstest.MapFile{Data: out.Files[draft.DraftPath]}
		}
		documents := map[string][]byte{}
		for file, document := range map[string]any{
			artifact.RepoInventoryName: from.Inventory, artifact.ProductFactsName: in.Facts, artifact.EvidenceMapName: in.Evidence,
			artifact.SnippetCatalogName: in.Snippets, artifact.PagePlanName: in.Plan, artifact.FrontmatterContractName: contract(),
			artifact.HugoFactsName: artifact.HugoFacts{SchemaVersion: artifact.Version}, artifact.PatchBundleName: artifact.PatchBundle{SchemaVersion: artifact.Version, BaseSHA: fixtures.SiteSHA},
			artifact.SiteContextName: artifact.SiteContext{SchemaVersion: artifact.Version},
		} {
			text, err := artifact.Encode(document)
			if err != nil {
				t.Fatal(err)
			}
			documents[file] = text
		}
		told := from.Config
		told.ValidationProfile = "prod"
		report, err := gate.Only(context.Background(), gate.NewView(gate.Input{
			Base: fstest.MapFS{}, Site: site, Changed: slices.Sorted(maps.Keys(site)), Repo: fixtures.FS(fixtures.All()[name]), Config: &told, Profile: from.Profile,
			Product: from.Product, Rules: from.Ruleset, Templates: from.Templates, Documents: documents,
		}),
			gate.TemplateTokens, gate.Frontmatter, gate.MarkdownLint, gate.Layout, gate.Navigation, gate.InternalLinks, gate.Truthlock, gate.ClaimCoverage,
			gate.Snippets, gate.Consistency, gate.Universality, gate.ContentDistribution, gate.SensitiveData, gate.XSS)
		if err != nil || len(report.Gates) != 14 {
			t.Fatal(err, len(report.Gates))
		}
		for _, g := range report.Gates {
			if g.Status != "pass" {
				t.Errorf("%s: %+v", name, g)
			}
		}
		for _, i := range report.Issues {
			t.Errorf("%s: %s %s %v %s", name, i.Severity, i.Code, *i.Location, i.Message)
		}
	}
}

// contract is that of a site without pages.
func contract() artifact.FrontmatterContract {
	contract := artifact.FrontmatterContract{SchemaVersion: artifact.Version, SiteSHA: fixtures.SiteSHA, Sections: map[string]artifact.SectionFrontmatter{}}
	for _, section := range []string{"products", "docs", "reference", "kb", "blog"} {
		contract.Sections[section] = artifact.SectionFrontmatter{RequiredKeys: []string{"description", "title"}, KeyTypes: map[string]string{"title": "string", "description": "string"}}
	}
	return contract
}
