package plan

import (
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
)

// The tiers, from few pages to many.
const (
	minimal  = "minimal"
	standard = "standard"
	rich     = "rich"
)

var tiers = []string{minimal, standard, rich}

// Thresholds of the tiers.
const (
	fewClaims     = 5
	manyTestFiles = 10
	signsOfHealth = 3
)

// signals are what the tier depends on.
type signals struct {
	Explicit        string // the tier that somebody asked for
	Contradictions  bool   // some are open
	Claims          int
	Examples        bool // there is a folder of examples
	RepoSnippets    bool
	CI, Tests       bool
	TestFiles       int
	Docs            bool
	PhantomExamples bool // examples are spoken of that do not exist
}

func signalsOf(in Inputs) signals {
	s := signals{
		Explicit: in.Config.LaunchTier, Claims: len(in.Facts.Claims), Examples: len(in.Inventory.ExampleRoots) > 0,
		CI: len(in.Inventory.CIPaths) > 0 || in.Facts.RepositoryHealth.CIPresent, TestFiles: in.Inventory.TestFileCount, Docs: len(in.Inventory.DocRoots) > 0,
	}
	s.Tests = s.TestFiles > 0 || len(in.Inventory.TestRoots) > 0 || in.Facts.RepositoryHealth.TestsPresent
	s.Contradictions = slices.ContainsFunc(in.Evidence.Contradictions, func(c artifact.Contradiction) bool { return c.Resolution != "prefer_higher_priority" })
	s.RepoSnippets = slices.ContainsFunc(in.Snippets.Snippets, func(snippet artifact.Snippet) bool { return snippet.Source.Type == "repo_file" })
	s.PhantomExamples = slices.ContainsFunc(in.Inventory.PhantomPaths, func(phantom artifact.PhantomPath) bool { return isExample(phantom.ClaimedPath) })
	return s
}

func isExample(path string) bool {
	return slices.ContainsFunc(strings.Split(strings.ToLower(path), "/"), func(part string) bool {
		return slices.Contains([]string{"example", "examples", "sample", "samples", "demo", "demos"}, part)
	})
}

// tierOf finds the tier and says how (6.4(1)). A tier that somebody asked for is
// never raised, and lowered only where there is too little to write about.
func tierOf(s signals) (string, []artifact.TierAdjustment) {
	tier := standard
	if s.Explicit != "" {
		tier = s.Explicit
	}
	var steps []artifact.TierAdjustment
	to := func(next, adjustment, signal, reason string) {
		steps = append(steps, artifact.TierAdjustment{Adjustment: adjustment, FromTier: tier, ToTier: next, Reason: reason, Signal: signal})
		tier = next
	}
	for _, rule := range []struct {
		holds          bool
		signal, reason string
	}{
		{s.Contradictions, "unresolved_contradictions", "claims contradict each other and nobody has settled it"},
		{s.Claims < fewClaims, "few_claims", "there are fewer than 5 claims"},
		{!s.Examples && !s.RepoSnippets, "no_examples", "the repository has neither examples nor snippets"},
	} {
		if rule.holds {
			to(minimal, "force_minimal", rule.signal, rule.reason)
		}
	}
	if len(steps) > 0 || s.Explicit != "" {
		return tier, steps
	}
	lower := func() string { return tiers[max(0, slices.Index(tiers, tier)-1)] }
	switch {
	case !s.CI && !s.Tests:
		to(lower(), "reduce", "no_ci_no_tests", "the repository has neither continuous integration nor tests")
	case !s.CI:
		to(tier, "keep", "no_ci", "the repository has tests but no continuous integration")
	}
	if s.PhantomExamples {
		to(lower(), "reduce", "phantom_examples", "documents speak of examples that do not exist")
	}
	if reduced := slices.ContainsFunc(steps, func(step artifact.TierAdjustment) bool { return step.Adjustment == "reduce" }); !reduced && s.health() >= signsOfHealth {
		to(rich, "raise", "repository_health", "the repository is well kept")
	}
	return tier, steps
}

func (s signals) health() int {
	n := 0
	for _, sign := range []bool{s.CI, s.TestFiles > manyTestFiles, s.Examples, s.Docs} {
		if sign {
			n++
		}
	}
	return n
}
