// Package plantest prepares what the planner needs from the fixture
// repositories, with the stages that come before it.
package plantest

import (
	"context"
	"testing"

	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/rulesets"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/stage/facts"
	"mcpworks/packs/launch/internal/stage/plan"
	"mcpworks/packs/launch/internal/stage/snippets"
	"mcpworks/packs/launch/internal/templates"
)

// Products are the names of the products in the fixtures, with their platforms.
var Products = map[string][2]string{
	"acme-tool": {"Acme Tool", "python"}, "go-cli": {"Tidylog", "go"}, "node-lib": {"Node Lib", "javascript"}, "sparse": {"Sparse", ""},
	"contradictory": {"Mesh Box", "python"}, "disputed": {"Mesh Box", "python"}, "monorepo": {"Monorepo", ""}, "go-lib": {"tally", "go"}, "py-readme": {"Pebble", "python"}, "js-lib": {"Petal Kit", "javascript"}, "hostile": {"Trapdoor", "python"},
}

// Inputs are those of the planner for a fixture, on the site of the profile
// default.
func Inputs(t testing.TB, name string) plan.Inputs {
	t.Helper()
	return InputsOf(t, name, fixtures.All()[name])
}

// InputsOf are those for other files under the name of a fixture.
func InputsOf(t testing.TB, name string, files map[string]string) plan.Inputs {
	t.Helper()
	profiles, err := siteprofile.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	profile, ok := profiles.Get("default")
	if !ok {
		t.Fatal("there is no profile default")
	}
	in := plan.Inputs{
		Profile: profile, Product: siteprofile.Product{Family: name, Platform: Products[name][1]},
		Config: config.Config{
			ProductName: Products[name][0], ProductSlug: name, Family: name, Locales: []string{"en"}, GitHubRepoURL: fixtures.RepoURL,
			RequiredSections: profile.SectionIDs(),
		},
	}
	if in.Ruleset, err = rulesets.Open("ruleset.v1"); err != nil {
		t.Fatal(err)
	}
	if in.Templates, err = templates.Open("templates.v1"); err != nil {
		t.Fatal(err)
	}
	evidence(t, &in, files)
	return in
}

// evidence runs the stages that find out what may be said.
func evidence(t testing.TB, in *plan.Inputs, files map[string]string) {
	t.Helper()
	repo := fixtures.FS(files)
	in.Inventory = fixtures.Inventory(files)
	found, _, err := facts.Run(context.Background(), facts.Inputs{Repo: repo, Inventory: in.Inventory, Config: in.Config, Formats: in.Profile.FormatVocabulary})
	if err != nil {
		t.Fatal(err)
	}
	in.Facts, in.Evidence = found.Facts, found.Evidence
	code, _, err := snippets.Run(context.Background(), snippets.Inputs{Repo: repo, Inventory: in.Inventory, Config: in.Config, Facts: in.Facts, Evidence: in.Evidence})
	if err != nil {
		t.Fatal(err)
	}
	in.Snippets = code.Catalog
}
