package rulesets_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/rulesets"
)

// 6.4(3): the sections of ruleset.v1 with their pages and how many they may have.
func TestRulesetV1(t *testing.T) {
	rules, err := rulesets.Open("ruleset.v1")
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		ID                    string
		Min, Max              int
		Minimal               string
		Mandatory, IfEvidence string
	}
	var got []row
	for _, section := range rules.Sections("any") {
		got = append(got, row{section.ID, section.MinPages, section.MaxPages, section.MinimalPage, slugs(section.Mandatory), slugs(section.IfEvidence)})
	}
	want := []row{
		{"products", 1, 6, "overview", "overview", ""},
		{"docs", 3, 10, "getting-started", "_index installation getting-started", "overview developer-guide"},
		{"reference", 1, 6, "api-overview", "api-overview", ""},
		{"kb", 1, 10, "faq", "faq", "troubleshooting"},
		{"blog", 1, 3, "announcement", "announcement", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(rules.Digest) != 64 || rules.Claims.MarkerStyle != "<!-- claim_id: {claim_id} -->" {
		t.Errorf("digest %q, marker %q", rules.Digest, rules.Claims.MarkerStyle)
	}
}

func slugs(pages []rulesets.Page) string {
	var all []string
	for _, page := range pages {
		all = append(all, page.Slug)
	}
	return strings.Join(all, " ")
}

// 8.7: a ruleset of a directory wins, its overrides are for one family, and a
// page that is demanded twice is demanded once.
func TestOverrides(t *testing.T) {
	dir := fstest.MapFS{"ruleset.v1.yaml": {Data: []byte(`
sections:
  docs: {min_pages: 1, max_pages: 2, mandatory_pages: [{slug: a, page_role: toc}], pages_if_evidence: [{slug: c, page_role: landing}]}
family_overrides:
  cells: {sections: {docs: {max_pages: 4, mandatory_pages: [{slug: a, page_role: toc}, {slug: b, page_role: landing}]}}}
`)}}
	rules, err := rulesets.Open("ruleset.v1", dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := rules.Sections("words")[0]; got.MaxPages != 2 || len(got.Mandatory) != 1 || slugs(got.IfEvidence) != "c" {
		t.Errorf("%+v", got)
	}
	if got := rules.Sections("cells")[0]; got.MaxPages != 4 || len(got.Mandatory) != 2 || got.Mandatory[1].Slug != "b" {
		t.Errorf("%+v", got)
	}
}

// 8.7: what no ruleset has is refused, and so are names that lead elsewhere.
func TestRefused(t *testing.T) {
	for _, text := range []string{
		"colour: red\n",
		"sections: {docs: {min_pages: 1, max_pages: 2, colour: red, mandatory_pages: [{slug: a, page_role: toc}]}}\n",
		"sections: {docs: {min_pages: 3, max_pages: 2, mandatory_pages: [{slug: a, page_role: toc}]}}\n",
		"sections: {docs: {min_pages: 1, max_pages: 2}}\n",
	} {
		if _, err := rulesets.Parse("ruleset.v1", []byte(text)); err == nil {
			t.Errorf("accepted %q", text)
		}
	}
	for _, name := range []string{"", "../ruleset.v1", "ruleset.v9", "ruleset"} {
		if _, err := rulesets.Open(name); err == nil {
			t.Errorf("opened %q", name)
		}
	}
}
