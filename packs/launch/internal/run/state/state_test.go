package state_test

import (
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/run/state"
)

// table is that of 5.1 with 18.7: what work may do, and after the bar what only
// resume and re-validation may do.
const table = `
CREATED       CLONED_INPUTS FAILED CANCELLED |
CLONED_INPUTS INGESTED FAILED CANCELLED | CREATED
INGESTED      FACTS_READY FAILED CANCELLED | CREATED CLONED_INPUTS
FACTS_READY   PLAN_READY FAILED CANCELLED | CREATED CLONED_INPUTS INGESTED
PLAN_READY    DRAFTING FAILED CANCELLED | CREATED CLONED_INPUTS INGESTED FACTS_READY
DRAFTING      DRAFT_READY FAILED CANCELLED | CREATED CLONED_INPUTS INGESTED FACTS_READY PLAN_READY
DRAFT_READY   LINKING FAILED CANCELLED | CREATED CLONED_INPUTS INGESTED FACTS_READY PLAN_READY
LINKING       VALIDATING FIXING FAILED CANCELLED | CREATED CLONED_INPUTS INGESTED FACTS_READY PLAN_READY DRAFT_READY
VALIDATING    READY_FOR_PR FIXING FAILED CANCELLED | CREATED CLONED_INPUTS INGESTED FACTS_READY PLAN_READY DRAFT_READY
FIXING        VALIDATING FAILED CANCELLED | CREATED CLONED_INPUTS INGESTED FACTS_READY PLAN_READY DRAFT_READY
READY_FOR_PR  PR_OPENED DONE FAILED CANCELLED | VALIDATING CREATED CLONED_INPUTS INGESTED FACTS_READY PLAN_READY DRAFT_READY
PR_OPENED     DONE FAILED CANCELLED |
DONE          |
FAILED        | CREATED CLONED_INPUTS INGESTED FACTS_READY
CANCELLED     |
`

// R-1, with a failed run whose last stable state was FACTS_READY.
func TestEveryTransition(t *testing.T) {
	rows := strings.Split(strings.TrimSpace(table), "\n")
	if len(rows) != len(state.All) {
		t.Fatalf("%d rows for %d states", len(rows), len(state.All))
	}
	for _, row := range rows {
		work, resume, _ := strings.Cut(row, "|")
		words := strings.Fields(work)
		from := state.State(words[0])
		for _, to := range state.All {
			if got, want := state.CanAdvance(from, to), slices.Contains(words[1:], string(to)); got != want {
				t.Errorf("work may take %s to %s: %v, want %v", from, to, got, want)
			}
			if got, want := state.CanReturn(from, to, state.FactsReady), slices.Contains(strings.Fields(resume), string(to)); got != want {
				t.Errorf("resume may take %s to %s: %v, want %v", from, to, got, want)
			}
		}
	}
}

func TestSections(t *testing.T) {
	for _, c := range []struct {
		from, to, previous state.Section
		want               bool
	}{
		{state.NotStarted, state.Outlined, "", true},
		{state.NotStarted, state.Drafted, "", false},
		{state.Drafted, state.MergedInWorktree, "", true},
		{state.SectionDone, state.Outlined, "", true}, // rewound
		{state.Drafted, state.Blocked, "", true},
		{state.Blocked, state.Drafted, state.Drafted, true},
		{state.Blocked, state.MergedInWorktree, state.Drafted, false},
		{state.Blocked, state.Blocked, state.Drafted, false},
		{state.Drafted, "NOWHERE", "", false},
	} {
		if got := state.CanChange(c.from, c.to, c.previous); got != c.want {
			t.Errorf("%s to %s (before: %q): %v, want %v", c.from, c.to, c.previous, got, c.want)
		}
	}
}
