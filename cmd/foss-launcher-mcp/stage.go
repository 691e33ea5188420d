package main

import (
	"cmp"
	"slices"
)

// stages are those of a run in their order, and what they do.
var stages = []struct{ worker, does string }{
	{"W1", "look at the repository"}, {"W2", "find facts"}, {"W3", "choose examples"}, {"W4", "plan pages"}, {"W5", "write pages"},
	{"W5.5", "review pages"}, {"W6", "put pages into the site"}, {"W7", "validate the pages"}, {"W8", "fix an issue"}, {"W9", "open the pull request"},
}

func stageNumber(worker string) int {
	return 1 + slices.IndexFunc(stages, func(s struct{ worker, does string }) bool { return s.worker == worker })
}

// stageName says what a stage does, or a part of it.
func stageName(worker, scope string) string {
	does := cmp.Or(worker, "an unknown stage")
	if n := stageNumber(worker); n > 0 {
		does = stages[n-1].does
	}
	switch {
	case worker == "W1" && scope == "clone":
		return "fetch the repositories"
	case worker == "W5" && scope == "":
		return "list the pages"
	case scope != "":
		return does + ": " + scope
	}
	return does
}
