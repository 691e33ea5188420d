package main

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"mcpworks/packs/launch"
)

// An event is a line of the log of a run, as far as it is told.
type event struct {
	Seq     int64
	Time    string `json:"ts"`
	Type    string
	Payload payload
}

// A payload is what an event is about. Each kind of event has some of it.
type payload struct {
	Worker    string
	Scope     string `json:"scope_key"`
	Error     string
	Retryable bool
	Gate      string
	Status    string
	Issues    int
	Section   string
	NewState  string `json:"new_state"`
	Name      string
	IssueID   string `json:"issue_id"`
	Outcome   string
	Reason    string
	From, To  string
	Branch    string
}

// about is what an event is about in a few words.
func (p payload) about() string {
	if p.Worker != "" {
		return stageName(p.Worker, p.Scope)
	}
	first := cmp.Or(p.Gate, p.Section, p.Name, p.IssueID, p.Branch, p.From)
	return strings.TrimSpace(first + " " + cmp.Or(p.Status, p.NewState, p.Outcome, p.To, p.Reason))
}

// eventLog is the name of the log among the files of a run.
const eventLog = "events.ndjson"

// A tail reads a log as it grows. What stands after its last whole line may be
// cut off by whoever appends next, and is read again.
type tail struct {
	runID  string
	offset int64 // behind the last whole line
}

// read returns the events that are new.
func (t *tail) read(ctx context.Context, l *launch.Launcher) (events []event, err error) {
	for {
		part, err := readPiece(ctx, l, t.runID, eventLog, t.offset)
		if err != nil {
			return events, err
		}
		if part.Offset < t.offset { // the log has become shorter: what was told stays told
			t.offset = part.Offset
			return events, nil
		}
		whole := bytes.LastIndexByte(part.data, '\n') + 1
		for line := range bytes.Lines(part.data[:whole]) {
			var e event
			if decode(line, &e) == nil {
				events = append(events, e)
			}
		}
		t.offset += int64(whole)
		if part.Complete || whole == 0 {
			return events, nil
		}
	}
}
