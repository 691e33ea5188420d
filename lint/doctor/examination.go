package doctor

import (
	"context"
	"errors"

	"mcpworks/internal/bounded"
	"mcpworks/internal/secret"
)

// An examination is a diagnosis in the making.
type examination struct {
	opts     Options
	d        *Diagnosis
	heard    *listener
	redactor *secret.Redactor // what is cut is redacted first, or half a secret would stay
}

// How much of what others say is shown.
const (
	maxLines = 8
	maxLine  = 300
)

func required(names ...string) []Step { return planned(true, names) }
func optional(names ...string) []Step { return planned(false, names) }

func planned(required bool, names []string) (steps []Step) {
	for _, name := range names {
		steps = append(steps, Step{Name: name, Required: required})
	}
	return steps
}

// plan says which steps there are, in their order.
func (x *examination) plan(parts ...[]Step) {
	for _, part := range parts {
		x.d.Steps = append(x.d.Steps, part...)
	}
}

// set says how a step of the plan ended.
func (x *examination) set(name string, state State, found string, evidence []string) *Step {
	for i := range x.d.Steps {
		if s := &x.d.Steps[i]; s.Name == name {
			s.State, s.Found, s.Evidence = state, x.short(found, maxLine), x.shortLines(evidence)
			return s
		}
	}
	panic("there is no step " + name)
}

func (x *examination) ok(name, found string, evidence ...string) { x.set(name, OK, found, evidence) }

func (x *examination) skip(name, why string) { x.set(name, Skipped, why, nil) }

func (x *examination) warn(name, found, action string, evidence ...string) {
	x.set(name, Warning, found, evidence).Action = action
}

// fail says that a step did not work. The cause of the first one is that of the
// whole; nil is an unknown one.
func (x *examination) fail(name, found string, cause *Cause, evidence ...string) {
	first := !x.d.Failed()
	s := x.set(name, Failed, found, evidence)
	if cause == nil {
		return
	}
	s.Action = cause.Action
	if first && s.Required {
		x.d.Cause = cause
	}
}

// stopped says whether somebody ended the examination during a step, which has
// then neither worked nor failed. Time that is over is a failure.
func (x *examination) stopped(ctx context.Context, name string) bool {
	if !errors.Is(ctx.Err(), context.Canceled) {
		return false
	}
	x.d.Stopped = context.Cause(ctx).Error()
	x.skip(name, x.d.Stopped)
	return true
}

// finish skips what was not reached.
func (x *examination) finish() {
	failed := ""
	for i := range x.d.Steps {
		switch s := &x.d.Steps[i]; {
		case s.State == Failed && s.Required && failed == "":
			failed = s.Name
		case s.State == "" && failed != "":
			s.State, s.Found = Skipped, "the step "+failed+" failed"
		case s.State == "":
			s.State, s.Found = Skipped, "it was not reached"
		}
	}
}

// short is a text without secrets, and not longer than some bytes.
func (x *examination) short(text string, most int) string {
	return bounded.Bytes(x.redactor.String(text), most, "…")
}

func (x *examination) shortLines(lines []string) (kept []string) {
	for _, line := range lines[:min(len(lines), maxLines)] {
		kept = append(kept, x.short(line, maxLine))
	}
	return kept
}
