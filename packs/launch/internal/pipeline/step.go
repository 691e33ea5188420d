package pipeline

import (
	"context"
	"time"

	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/run/eventlog"
)

// A Step is the beginning or the end of something that a run does: of a stage,
// of the part of one, or of a gate.
type Step struct {
	Worker        string // the stage: W1 to W9
	Scope         string // the part of the stage, such as a section; may be empty
	Gate          string // empty: it is about the stage itself
	Number, Total int    // the place of the gate among those of this validation
	// Status is how it ended: that of a gate, or finished, failed or skipped.
	// Empty at the beginning.
	Status string
	Took   time.Duration // at the end
}

type watcher struct{}

// Watched returns a context under which all work tells of its steps. Watch is
// called by the one goroutine that does the work, which waits for it.
func Watched(ctx context.Context, watch func(Step)) context.Context {
	return context.WithValue(ctx, watcher{}, watch)
}

// tell tells of a step: whoever watches this work, and those who watch all of it.
func (j *job) tell(ctx context.Context, step Step) {
	if watch, watched := ctx.Value(watcher{}).(func(Step)); watched {
		watch(step)
	}
	if j.options.Noted != nil {
		j.options.Noted(j.held.ID(), step)
	}
}

// The events of gates, which change nothing (5.3).
const (
	gateStarted  = "GATE_RUN_STARTED"
	gateFinished = "GATE_RUN_FINISHED"
)

// watchGates tells of gates; logged says whether the log is told, too.
func (j *job) watchGates(ctx context.Context, worker string, logged bool) func(gate.Moment) error {
	var begun time.Time
	return func(m gate.Moment) error {
		step := Step{Worker: worker, Gate: m.Gate, Number: m.Number, Total: m.Total}
		event := eventlog.Draft{Type: gateStarted, Payload: map[string]any{"gate": m.Gate}}
		if m.Result == nil {
			begun = j.options.Clock()
		} else {
			step.Status, step.Took = m.Result.Status, j.options.Clock().Sub(begun)
			event = eventlog.Draft{Type: gateFinished, Payload: map[string]any{
				"gate": m.Gate, "status": m.Result.Status, "issues": m.Result.Issues, "duration_ms": step.Took.Milliseconds(),
			}}
		}
		j.tell(ctx, step)
		if !logged {
			return nil
		}
		return j.held.Append(ctx, event)
	}
}
