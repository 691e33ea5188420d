// Package state is where a run can be and where it can go from there (5.1).
package state

import (
	"fmt"
	"slices"
)

// A State is a place on the way of a run.
type State string

// The states, in the order of a run that meets no trouble.
const (
	Created      State = "CREATED"
	ClonedInputs State = "CLONED_INPUTS"
	Ingested     State = "INGESTED"
	FactsReady   State = "FACTS_READY"
	PlanReady    State = "PLAN_READY"
	Drafting     State = "DRAFTING"
	DraftReady   State = "DRAFT_READY"
	Linking      State = "LINKING"
	Validating   State = "VALIDATING"
	Fixing       State = "FIXING"
	ReadyForPR   State = "READY_FOR_PR"
	PROpened     State = "PR_OPENED"
	Done         State = "DONE"
	Failed       State = "FAILED"
	Cancelled    State = "CANCELLED"
)

// All are the states in order.
var All = []State{
	Created, ClonedInputs, Ingested, FactsReady, PlanReady, Drafting, DraftReady, Linking, Validating, Fixing,
	ReadyForPR, PROpened, Done, Failed, Cancelled,
}

// forward is where a run goes by its own work. FAILED and CANCELLED, which can
// be reached from every state that has a row, are not repeated.
var forward = map[State][]State{
	Created:      {ClonedInputs},
	ClonedInputs: {Ingested},
	Ingested:     {FactsReady},
	FactsReady:   {PlanReady},
	PlanReady:    {Drafting},
	Drafting:     {DraftReady},
	DraftReady:   {Linking},
	Linking:      {Validating, Fixing}, // FIXING for patch conflicts (18.7)
	Validating:   {ReadyForPR, Fixing},
	Fixing:       {Validating},
	ReadyForPR:   {PROpened, Done}, // DONE when nothing was changed
	PROpened:     {Done},
}

// Stable says whether a run can rest here and go on later.
func (s State) Stable() bool {
	return slices.Contains([]State{Created, ClonedInputs, Ingested, FactsReady, PlanReady, DraftReady, ReadyForPR}, s)
}

// Terminal says whether nothing can follow.
func (s State) Terminal() bool { return s == Done || s == Cancelled }

// Before says whether s comes earlier in a run than other.
func (s State) Before(other State) bool { return slices.Index(All, s) < slices.Index(All, other) }

// Rewound is the stable state from which the work of s is done again (5.7).
func (s State) Rewound() State {
	switch s {
	case Drafting:
		return PlanReady
	case Linking, Validating, Fixing:
		return DraftReady
	}
	return s
}

// CanAdvance says whether a run's own work may take it from one state to the
// other.
func CanAdvance(from, to State) bool {
	next, ok := forward[from]
	return ok && (to == Failed || to == Cancelled || slices.Contains(next, to))
}

// CanReturn says whether resume or re-validation may take a run back. Stable is
// the last stable state the run has reached; it only matters when leaving
// FAILED.
func CanReturn(from, to, stable State) bool {
	switch {
	case from == ReadyForPR && to == Validating: // validated again
		return true
	case from.Terminal() || !to.Stable():
		return false
	case from == Failed:
		return to == stable || to.Before(stable)
	case from == PROpened: // what is published stays published
		return false
	}
	return to.Before(from)
}

// An IllegalError says that a run cannot do that where it is.
type IllegalError struct {
	State  State
	Wanted State // empty if it is no transition
	Reason string
}

func (e *IllegalError) Error() string {
	if e.Wanted != "" {
		return fmt.Sprintf("a run cannot go from %s to %s", e.State, e.Wanted)
	}
	return fmt.Sprintf("the run is %s: %s", e.State, e.Reason)
}
