package review

import (
	"mcpworks/packs/launch/internal/issue"
)

// A dimension is what a finding is about.
type dimension string

// The dimensions.
const (
	contentQuality    dimension = "content_quality"
	technicalAccuracy dimension = "technical_accuracy"
	usability         dimension = "usability"
)

var dimensions = []dimension{contentQuality, technicalAccuracy, usability}

// A finding is an issue of a page in one dimension.
type finding struct {
	issue.Issue
	dimension dimension
	fix       func(string) string
}

// A verdict is all that was found on a page.
type verdict struct {
	page     page
	findings []finding
}

// scores are those of a page, from 1 to 5.
func (v verdict) scores() map[string]int {
	scores := map[string]int{}
	for _, d := range dimensions {
		var blockers, errors, warns int
		for _, f := range v.findings {
			switch {
			case f.dimension != d:
			case f.Severity == issue.Blocker:
				blockers++
			case f.Severity == issue.Error:
				errors++
			case f.Severity == issue.Warn:
				warns++
			}
		}
		scores[string(d)] = score(blockers, errors, warns)
	}
	return scores
}

// score is how good a page is, given what is wrong with it.
func score(blockers, errors, warns int) int {
	switch {
	case blockers > 0:
		return 1
	case errors >= 3 || warns > 6:
		return 2
	case errors > 0 || warns > 3:
		return 3
	case warns > 0:
		return 4
	}
	return 5
}

// worst are the lowest scores of all pages: a bad page does not become better by
// good neighbours.
func worst(pages []verdict) map[string]int {
	lowest := map[string]int{}
	for _, d := range dimensions {
		lowest[string(d)] = 5
	}
	for _, page := range pages {
		for d, n := range page.scores() {
			lowest[d] = min(lowest[d], n)
		}
	}
	return lowest
}

func statusOf(scores map[string]int) string {
	lowest := 5
	for _, n := range scores {
		lowest = min(lowest, n)
	}
	switch {
	case lowest <= 2:
		return Reject
	case lowest == 3:
		return NeedsChanges
	}
	return Pass
}
