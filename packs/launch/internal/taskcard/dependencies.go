package taskcard

import (
	"fmt"
	"slices"
	"strings"
)

// checkDependencies looks for cards that are not there, and for cards that wait
// for themselves.
func (v *validation) checkDependencies() {
	key := v.keys["depends_on"]
	for _, entry := range key.list {
		switch {
		case entry.value == "":
		case !idForm.MatchString(entry.value):
			v.fail(BadValue, entry.line, "", fmt.Sprintf("%q is not the id of a card", entry.value))
		case v.rules.Others == nil:
		case entry.value == v.report.Card.ID:
			v.fail(BadValue, entry.line, "", "the card depends on itself")
		default:
			v.checkDependency(entry)
		}
	}
}

func (v *validation) checkDependency(entry item) {
	if _, known := v.rules.Others[entry.value]; !known {
		v.fail(DependencyUnknown, entry.line, "", "there is no card "+entry.value)
		return
	}
	if way := wayBack(v.rules.Others, entry.value, v.report.Card.ID, nil); way != nil {
		v.fail(BadValue, entry.line, "", "the card depends on itself: "+strings.Join(append([]string{v.report.Card.ID}, way...), " → "))
	}
}

// wayBack finds a chain of dependencies from one card to another.
func wayBack(cards map[string]Card, from, to string, seen map[string]bool) []string {
	if from == to {
		return []string{to}
	}
	if seen == nil {
		seen = map[string]bool{}
	}
	if seen[from] {
		return nil
	}
	seen[from] = true
	for _, next := range slices.Sorted(slices.Values(cards[from].DependsOn)) {
		if way := wayBack(cards, next, to, seen); way != nil {
			return append([]string{from}, way...)
		}
	}
	return nil
}
