package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// A timeline makes lines of events: one for everything that has ended and is
// worth telling, and one for what is going on.
type timeline struct {
	now     payload // what is being worked on; without a worker nothing is
	since   string
	gate    string // the gate that judges, or has
	number  int    // its place
	judged  int
	failing int // gates that were not passed
	latest  string
}

// The columns of the lines: a time, a word on how it went, and what it was.
const timelineIndent = len("59.9 min  failed  ")

func told(took, how, what string) string {
	lines := wrapped(what, pageWidth-timelineIndent)
	first := fmt.Sprintf("%8s  %-6s  %s", took, how, lines[0])
	return strings.Join(append([]string{first}, lines[1:]...), "\n"+strings.Repeat(" ", timelineIndent))
}

// tell takes an event and returns what is to be told of it, or nothing.
func (t *timeline) tell(e event) string {
	t.latest = e.Time
	p := e.Payload
	switch e.Type {
	case "WORK_ITEM_STARTED":
		t.now, t.since, t.gate, t.judged, t.failing = p, e.Time, "", 0, 0
	case "WORK_ITEM_SKIPPED":
		t.now = payload{}
		return told("", "kept", stageName(p.Worker, p.Scope))
	case "WORK_ITEM_FINISHED":
		return told(t.end(e), "done", stageName(p.Worker, p.Scope)+t.gates())
	case "WORK_ITEM_FAILED":
		what := stageName(p.Worker, p.Scope) + ": " + p.Error
		if p.Retryable {
			what += " (it may be tried again)"
		}
		return told(t.end(e), "failed", what)
	case "GATE_RUN_STARTED":
		t.gate, t.number = p.Gate, t.judged+1
	case "GATE_RUN_FINISHED":
		t.judged++
		if p.Status == "pass" || p.Status == "skipped" {
			return ""
		}
		t.failing++
		return told("", "gate", fmt.Sprintf("%s: %s, %s", p.Gate, cmp.Or(verdicts[p.Status], p.Status), several(p.Issues, "issue")))
	case "SECTION_STATE_CHANGED":
		if p.NewState == "BLOCKED" {
			return told("", "stop", "the section "+p.Section+" is blocked by an issue")
		}
	case "FIX_ATTEMPTED":
		if p.Outcome != "applied" {
			return told("", "fix", fmt.Sprintf("%s: %s", p.IssueID, strings.ReplaceAll(p.Outcome, "_", " ")))
		}
	case "RUN_RESUMED":
		return told("", "again", "the run goes on")
	case "RUN_INTERRUPTED":
		t.now = payload{}
		return told("", "stop", "the process that worked on the run is gone")
	case "RUN_CANCEL_REQUESTED":
		return told("", "stop", "the run is to be cancelled")
	}
	return ""
}

// end ends what is going on and returns how long it took.
func (t *timeline) end(e event) string {
	took := ""
	if t.now.Worker == e.Payload.Worker && t.now.Scope == e.Payload.Scope {
		took = span(between(t.since, e.Time))
	}
	t.now = payload{}
	return took
}

// gates says how many gates have judged, if any have.
func (t *timeline) gates() string {
	if t.judged == 0 {
		return ""
	}
	if t.failing == 0 {
		return fmt.Sprintf(": %d gates, all passed", t.judged)
	}
	return fmt.Sprintf(": %d gates, %d not passed", t.judged, t.failing)
}

// quiet is how long nothing is told before that is worth a word. It is longer
// than the others take to notice that a process is gone.
const quiet = 45 * time.Second

// going is the line for what is going on.
func (t *timeline) going(s status, now time.Time) string {
	silent := now.Sub(timeOf(t.latest))
	switch {
	case s.Activity == "queued":
		return told("", "queued", "waits for its turn"+ifLong(silent, ", or for a process that works here"))
	case t.now.Worker == "":
		return told("", "now", "between two stages"+ifLong(silent, "; nothing new for "+span(silent)))
	}
	what := stageName(t.now.Worker, t.now.Scope)
	if t.gate != "" {
		what = fmt.Sprintf("gate %d, %s", t.number, t.gate)
	}
	number := fmt.Sprintf("%d/%d", stageNumber(t.now.Worker), len(stages))
	return told(span(now.Sub(timeOf(t.since))), number, what+ifLong(silent, "; nothing new for "+span(silent)))
}

func ifLong(silent time.Duration, text string) string {
	if silent < quiet {
		return ""
	}
	return text
}

func timeOf(text string) time.Time {
	at, _ := time.Parse(time.RFC3339, text)
	return at
}
