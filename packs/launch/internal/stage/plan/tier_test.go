package plan

import (
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/rulesets"
)

// 6.4(1): every rule of the tier, alone and against the others.
func TestTier(t *testing.T) {
	good := signals{Claims: 20, Examples: true, RepoSnippets: true, CI: true, Tests: true, TestFiles: 3}
	for name, test := range map[string]struct {
		change func(*signals)
		tier   string
		steps  string
	}{
		"nothing special":      {func(*signals) {}, standard, ""},
		"contradictions":       {func(s *signals) { s.Contradictions = true }, minimal, "force_minimal:unresolved_contradictions"},
		"four claims":          {func(s *signals) { s.Claims = 4 }, minimal, "force_minimal:few_claims"},
		"five claims":          {func(s *signals) { s.Claims = 5 }, standard, ""},
		"no examples":          {func(s *signals) { s.Examples = false }, standard, ""},
		"no snippets":          {func(s *signals) { s.RepoSnippets = false }, standard, ""},
		"neither of both":      {func(s *signals) { s.Examples, s.RepoSnippets = false, false }, minimal, "force_minimal:no_examples"},
		"no ci and no tests":   {func(s *signals) { s.CI, s.Tests = false, false }, minimal, "reduce:no_ci_no_tests"},
		"no ci":                {func(s *signals) { s.CI = false }, standard, "keep:no_ci"},
		"no tests":             {func(s *signals) { s.Tests = false }, standard, ""},
		"phantom examples":     {func(s *signals) { s.PhantomExamples = true }, minimal, "reduce:phantom_examples"},
		"three signs":          {func(s *signals) { s.Docs = true }, rich, "raise:repository_health"},
		"ten test files":       {func(s *signals) { s.TestFiles = 10 }, standard, ""},
		"eleven test files":    {func(s *signals) { s.TestFiles = 11 }, rich, "raise:repository_health"},
		"three signs, no ci":   {func(s *signals) { s.CI, s.Docs, s.TestFiles = false, true, 11 }, rich, "keep:no_ci raise:repository_health"},
		"health and phantoms":  {func(s *signals) { s.Docs, s.TestFiles, s.PhantomExamples = true, 11, true }, minimal, "reduce:phantom_examples"},
		"health, few claims":   {func(s *signals) { s.Docs, s.TestFiles, s.Claims = true, 11, 0 }, minimal, "force_minimal:few_claims"},
		"asked for standard":   {func(s *signals) { s.Explicit, s.Docs, s.TestFiles = standard, true, 11 }, standard, ""},
		"asked for rich":       {func(s *signals) { s.Explicit, s.CI, s.Tests, s.PhantomExamples = rich, false, false, true }, rich, ""},
		"asked for too much":   {func(s *signals) { s.Explicit, s.Claims = rich, 1 }, minimal, "force_minimal:few_claims"},
		"asked for minimal":    {func(s *signals) { s.Explicit, s.Docs = minimal, true }, minimal, ""},
		"everything is absent": {func(s *signals) { *s = signals{} }, minimal, "force_minimal:few_claims force_minimal:no_examples"},
	} {
		given := good
		test.change(&given)
		tier, steps := tierOf(given)
		var told []string
		for i, step := range steps {
			told = append(told, step.Adjustment+":"+step.Signal)
			if step.Reason == "" || i > 0 && step.FromTier != steps[i-1].ToTier {
				t.Errorf("%s: %+v", name, step)
			}
		}
		if tier != test.tier || strings.Join(told, " ") != test.steps {
			t.Errorf("%s: tier %s by %v, want %s by %s", name, tier, told, test.tier, test.steps)
		}
	}
}

// 6.4(4): clamp(target, min, max(min, floor(max * coefficient))).
func TestQuotas(t *testing.T) {
	rules, err := rulesets.Open("ruleset.v1")
	if err != nil {
		t.Fatal(err)
	}
	much := artifact.EvidenceVolume{Score: 201, APISymbols: 100, Workflows: 20, KeyFeatures: 20}
	little := artifact.EvidenceVolume{Score: 200, APISymbols: 7, Workflows: 1, KeyFeatures: 1}
	want := map[string][6]int{ // target and most pages: much in rich, much in standard, little in standard
		"products": {1, 1, 1, 1, 1, 1}, "docs": {25, 10, 25, 7, 6, 6}, "reference": {34, 6, 34, 4, 3, 3}, "kb": {7, 7, 7, 7, 3, 3}, "blog": {2, 2, 2, 2, 1, 1},
	}
	for _, section := range rules.Sections("") {
		a, b, c := quotaOf(section, much, rich), quotaOf(section, much, standard), quotaOf(section, little, standard)
		got := [6]int{a.EvidenceTarget, a.TierAdjustedMax, b.EvidenceTarget, b.TierAdjustedMax, c.EvidenceTarget, c.TierAdjustedMax}
		if got != want[section.ID] {
			t.Errorf("%s: %v, want %v", section.ID, got, want[section.ID])
		}
		if few := quotaOf(section, much, minimal); few.TierAdjustedMax != 1 || few.MinPages != 1 {
			t.Errorf("%s in minimal: %+v", section.ID, few)
		}
	}
}

// 6.4(5): a claim that says what the product does gives the task of a page.
func TestAction(t *testing.T) {
	for text, want := range map[string]string{
		"Merges tables that share a key column.":                              "merge tables that share a key column",
		"Acme Tool converts tables between CSV, JSON and XLSX with one call.": "convert tables between CSV, JSON and XLSX",
		"Streams large tables, so that memory use stays constant.":            "stream large tables",
		"Copies `files` without locks.":                                       "copy files",
		"Watches folders.":                                                    "watch folders",
		"Acme Tool supports CSV export.":                                      "",
		"Fast and small.":                                                     "",
		"The reader is fast.":                                                 "",
		"Passes.":                                                             "",
	} {
		if _, subject, ok := actionOf(text, "Acme Tool"); subject != want || ok != (want != "") {
			t.Errorf("%q: %q, want %q", text, subject, want)
		}
	}
}
