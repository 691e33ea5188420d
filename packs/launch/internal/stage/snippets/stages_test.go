package snippets_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/stage/facts"
	"mcpworks/packs/launch/internal/stage/scout"
	"mcpworks/packs/launch/internal/stage/snippets"
)

// 6: the stages before this one fit together: with the inventory that the first
// stage really makes, claims are those of the inventory that tests use, and all
// snippets that the facts name are in the catalogue.
func TestStagesInARow(t *testing.T) {
	for name, files := range fixtures.All() {
		source := scout.Source{URL: fixtures.RepoURL, RequestedRef: "main", SHA: fixtures.RepoSHA, Files: fixtures.FS(files), DefaultBranch: "main"}
		site := scout.Source{URL: "https://github.com/acme/site", SHA: fixtures.SiteSHA, Files: fixtures.FS(nil)}
		scouted, _, err := scout.Run(t.Context(), scout.Inputs{Repo: source, Site: site, Config: scout.Config{Generator: "none"}})
		if err != nil {
			t.Fatal(err)
		}
		run := config.Config{ProductName: "Acme Tool", ProductSlug: "acme-tool", ValidationProfile: "ci"}
		in := facts.Inputs{Repo: source.Files, Inventory: scouted.Inventory, Formats: []string{"csv", "json"}, Config: run}
		found, _, err := facts.Run(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(inputs(t, files).Facts.Claims, found.Facts.Claims); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		out, _, err := snippets.Run(t.Context(), snippets.Inputs{Repo: in.Repo, Inventory: in.Inventory, Config: run, Facts: found.Facts, Evidence: found.Evidence})
		if err != nil {
			t.Fatal(err)
		}
		checkReferences(t, name, found.Facts, out.Catalog.Snippets)
	}
}

// checkReferences: every snippet that the facts name is in the catalogue.
func checkReferences(t *testing.T, name string, f artifact.ProductFacts, list []artifact.Snippet) {
	t.Helper()
	known := map[string]bool{"": true}
	for _, snippet := range list {
		known[snippet.ID] = true
	}
	for _, workflow := range f.Workflows {
		for _, step := range workflow.Steps {
			if !known[step.SnippetID] {
				t.Errorf("%s: %s has an unknown snippet", name, step.ID)
			}
		}
	}
	for _, example := range f.Examples {
		if example.PrimarySnippetID == "" || !known[example.PrimarySnippetID] {
			t.Errorf("%s: %s has an unknown snippet", name, example.ID)
		}
	}
}
