package facts

import (
	"cmp"
	"regexp"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
)

var (
	needing  = regexp.MustCompile(`(?i)\b(?:requires?|needs|runs on|works (?:on|in|with)|tested (?:on|with)|minimum version|or (?:newer|later|higher)|platforms?:)\b`)
	platform = regexp.MustCompile(`(?i)\d|\b(?:python|node(?:\.js)?|java|jdk|jre|\.net|php|rust|ruby|go|windows|linux|macos|ios|android|browsers?|operating systems?|platforms?)\b`)
	// compatible names what the product gets on with.
	compatible = regexp.MustCompile(`(?i)\bcompatible with (?:python|node(?:\.js)?|java|jdk|jre|\.net|php|rust|ruby|go|windows|linux|macos|ios|android)\b`)
	licensing  = regexp.MustCompile(`(?i)\blicen[cs]ed?\b`)
	// leaning statements need the one before them.
	leaning = regexp.MustCompile(`(?i)^(?:this|that|these|those|such|they|their|it|its|he|she|however|but|also|then|so|therefore|thus|see|for example|for instance|note|otherwise|instead|in addition|both|here|there|the same)\b|\bdo (?:so|this|that)\b`)
)

// enoughFeatures is how many features make a list.
const enoughFeatures = 3

// groups sorts the usable claims by what they are used for (6.2(9)).
func (b *builder) groups() artifact.ClaimGroups {
	var groups artifact.ClaimGroups
	usable := b.usable()
	add := func(list *[]string, order func(a, c *claim) int, fits func(*claim) bool) {
		chosen := slices.DeleteFunc(slices.Clone(usable), func(c *claim) bool { return !fits(c) })
		slices.SortStableFunc(chosen, order)
		*list = ids(chosen)
	}
	listed := 0
	for _, c := range usable {
		if c.kind == "feature" && c.isPraised() && b.isAbility(c) {
			listed++
		}
	}
	add(&groups.KeyFeatures, byMerit, func(c *claim) bool {
		// Where the repository says itself what its features are, that is the list.
		return b.isAbility(c) && (listed < enoughFeatures || c.kind == "api" || c.isPraised() || c.priority == fromManifest)
	})
	add(&groups.InstallSteps, byPlace, func(c *claim) bool {
		return c.kind == "install" || c.kind == "workflow" && c.under(installHeading)
	})
	add(&groups.QuickstartSteps, byPlace, func(c *claim) bool { return c.kind == "workflow" && c.under(quickHeading) })
	add(&groups.WorkflowClaims, byPlace, func(c *claim) bool { return c.kind == "workflow" })
	add(&groups.Limitations, byMerit, func(c *claim) bool { return c.kind == "limitation" })
	add(&groups.CompatibilityNotes, byMerit, func(c *claim) bool { return c.kind != "limitation" && isCompatibility(c) })
	return groups
}

// isCompatibility says what the product runs on or with.
func isCompatibility(c *claim) bool {
	return c.kind != "api" && (needing.MatchString(c.text) && platform.MatchString(c.text) || compatible.MatchString(c.text))
}

// isRow is a claim that only a table makes.
func (c *claim) isRow() bool {
	return !slices.ContainsFunc(c.places, func(p *candidate) bool { return !p.row })
}

func ids(claims []*claim) []string {
	var list []string
	for _, c := range claims {
		list = append(list, c.id)
	}
	return list
}

// byMerit puts what a product does before the names it has, then ranks by
// source and place: authors name the most important first.
func byMerit(a, c *claim) int {
	isAPI := func(c *claim) int {
		if c.kind == "api" {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(isAPI(a), isAPI(c)), cmp.Compare(a.priority, c.priority), byPlace(a, c))
}

// byPlace keeps the order in which they are written.
func byPlace(a, c *claim) int {
	one, other := place(a), place(c)
	return cmp.Or(cmp.Compare(one.Path, other.Path), cmp.Compare(one.StartLine, other.StartLine), cmp.Compare(a.id, c.id))
}
