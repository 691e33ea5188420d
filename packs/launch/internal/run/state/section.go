package state

import "slices"

// A Section is how far the pages of one section are (5.2).
type Section string

// The states of a section in order; BLOCKED can come and go at any of them.
const (
	NotStarted       Section = "NOT_STARTED"
	Outlined         Section = "OUTLINED"
	Drafted          Section = "DRAFTED"
	MergedInWorktree Section = "MERGED_IN_WORKTREE"
	SectionDone      Section = "DONE"
	Blocked          Section = "BLOCKED"
)

var sections = []Section{NotStarted, Outlined, Drafted, MergedInWorktree, SectionDone}

// CanChange says whether a section may go from one state to the other. Previous
// is the state it had before it was blocked. A section can always go back: its
// run may be rewound.
func CanChange(from, to, previous Section) bool {
	if from == Blocked {
		return to == previous
	}
	if to == Blocked {
		return from != Blocked
	}
	now, then := slices.Index(sections, from), slices.Index(sections, to)
	return now >= 0 && then >= 0 && then != now && then <= now+1
}
