package run

import (
	"context"
	"fmt"
	"maps"
	"time"

	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
)

// BeginItem begins the work of a worker on a scope, which may be empty. If the
// same inputs have been worked on before and what came of it is all there, the
// item is skipped (5.7).
func (r *Run) BeginItem(ctx context.Context, worker, scope string, inputs map[string]string) (item snapshot.WorkItem, skip bool, err error) {
	s := r.Snapshot()
	last, ok := s.LastItem(worker, scope)
	if ok && r.done(s, last, inputs) {
		return last, true, r.Append(ctx, eventlog.Draft{Type: snapshot.WorkItemSkipped, Payload: last})
	}
	item = snapshot.WorkItem{Worker: worker, Scope: scope, Attempt: last.Attempt + 1, Inputs: inputs, Status: snapshot.ItemRunning}
	item.ID = fmt.Sprintf("%s:%s:%d:%s", r.id, worker, item.Attempt, scope)
	return item, false, r.Append(ctx,
		eventlog.Draft{Type: snapshot.WorkItemQueued, Payload: item}, eventlog.Draft{Type: snapshot.WorkItemStarted, Payload: item})
}

// FinishItem ends an item well. Outputs are the artifacts it has written.
func (r *Run) FinishItem(ctx context.Context, item snapshot.WorkItem, outputs ...string) error {
	return r.append(ctx, r.fence, func(s *snapshot.Snapshot) ([]eventlog.Draft, error) {
		item.Outputs = map[string]string{}
		for _, name := range outputs {
			entry, ok := s.Artifacts[name]
			if !ok {
				return nil, fmt.Errorf("%s has not written %s", item.Worker, name)
			}
			item.Outputs[name] = entry.SHA256
		}
		return []eventlog.Draft{{Type: snapshot.WorkItemFinished, Payload: item}}, nil
	})
}

// FailItem ends an item badly.
func (r *Run) FailItem(ctx context.Context, item snapshot.WorkItem, reason string, retryable bool) error {
	item.Error, item.Retryable = reason, retryable
	return r.Append(ctx, eventlog.Draft{Type: snapshot.WorkItemFailed, Payload: item})
}

func (r *Run) done(s *snapshot.Snapshot, item snapshot.WorkItem, inputs map[string]string) bool {
	if item.Status != snapshot.ItemFinished && item.Status != snapshot.ItemSkipped || !maps.Equal(item.Inputs, inputs) {
		return false
	}
	for name, sha := range item.Outputs {
		entry, ok := s.Artifacts[name]
		if !ok || entry.Stale || entry.SHA256 != sha || !r.intact(entry) {
			return false
		}
	}
	return true
}

// MaxAttempts is how often an item is tried when its errors can be retried.
const MaxAttempts = 3

// Backoff is the pause after a failed attempt, counted from 1: 1 s, 2 s, 4 s up
// to 30 s, give or take a fifth. Chance is between 0 and 1.
func Backoff(attempt int, chance float64) time.Duration {
	pause := time.Second << min(max(attempt-1, 0), 5)
	return time.Duration(float64(min(pause, 30*time.Second)) * (0.8 + 0.4*chance))
}

// timeouts are those of the stages in seconds (5.9).
var timeouts = map[string]int{
	"W1": 600, "W2": 600, "W3": 300, "W4": 120, "W5": 900, "W5.5": 300, "W6": 300, "W7": 900, "W8": 300, "W9": 180,
}

// LongestTimeout is that of the slowest stage.
const LongestTimeout = 900 * time.Second

// Timeout is how long a worker may take, for W5 with each section. The profile
// is the validation profile; workers that are not in the table get 300 s.
func Timeout(worker, profile string) time.Duration {
	seconds, ok := timeouts[worker]
	if !ok {
		seconds = 300
	}
	if worker == "W5.5" && (profile == "ci" || profile == "prod") {
		seconds = 600
	}
	return time.Duration(seconds) * time.Second
}
