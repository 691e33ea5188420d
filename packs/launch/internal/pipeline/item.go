package pipeline

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
)

// A task is one piece of work: what it reads, and what it does. Do returns the
// names of the artifacts that it has written.
type task struct {
	worker, scope string
	reads         map[string]string // names to hashes
	do            func(ctx context.Context) (outputs []string, err error)
}

// perform does a task, unless it has been done on the same inputs before (5.7).
// What fails for reasons that pass is tried again, three times in all (5.9).
func (j *job) perform(ctx context.Context, t task) error {
	for try := 1; ; try++ {
		item, skip, err := j.held.BeginItem(ctx, t.worker, t.scope, t.reads)
		if err != nil {
			return err
		}
		if skip {
			j.tell(ctx, Step{Worker: t.worker, Scope: t.scope, Status: string(snapshot.ItemSkipped)})
			return nil
		}
		j.tell(ctx, Step{Worker: t.worker, Scope: t.scope})
		begun := j.options.Clock()
		outputs, err := j.inTime(ctx, t)
		took := j.options.Clock().Sub(begun)
		if err == nil {
			err := j.held.FinishItem(ctx, item, outputs...)
			j.tell(ctx, Step{Worker: t.worker, Scope: t.scope, Status: string(snapshot.ItemFinished), Took: took})
			return err
		}
		j.tell(ctx, Step{Worker: t.worker, Scope: t.scope, Status: string(snapshot.ItemFailed), Took: took})
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if errors.Is(err, run.ErrCancelled) || errors.Is(err, eventlog.ErrFenced) {
			return err
		}
		fault := faultOf(err)
		if fault == nil {
			return errors.Join(err, j.held.FailItem(ctx, item, "the stage ended unexpectedly", false))
		}
		fault.Stage = t.worker
		if err := j.held.FailItem(ctx, item, fault.Error(), fault.Retryable); err != nil {
			return err
		}
		if !fault.Retryable || try == run.MaxAttempts {
			return fault
		}
		if err := j.options.Wait(ctx, run.Backoff(try, j.options.Chance())); err != nil {
			return err
		}
	}
}

// inTime does a task within the time of its stage and what is left of the run's.
func (j *job) inTime(ctx context.Context, t task) ([]string, error) {
	limit, code := run.Timeout(t.worker, j.config.ValidationProfile), CodeStageTimeout
	if left := j.runtimeLeft(j.held.Snapshot()); left < limit {
		limit, code = left, CodeRuntime
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	outputs, err := t.do(within)
	if err != nil && ctx.Err() == nil && within.Err() != nil {
		return nil, &Fault{Code: code, Message: "the stage did not end in time", Resumable: true, Retryable: code == CodeStageTimeout, Err: err}
	}
	return outputs, err
}

// reading is what a task reads: what the run was told, the rules as they are
// now, and artifacts by their names.
func (j *job) reading(names ...string) (map[string]string, error) {
	s := j.held.Snapshot()
	in, err := readInputs(s)
	if err != nil {
		return nil, err
	}
	hash, err := j.inputsHash(in)
	if err != nil {
		return nil, err
	}
	reads := map[string]string{"run_config": s.ConfigSHA256, "inputs": hash}
	for _, name := range names {
		reads[name] = s.Artifacts[name].SHA256
	}
	return reads, nil
}

// lastItem is the latest attempt of a worker at a scope that has ended well.
func lastItem(s *snapshot.Snapshot, worker, scope string) (last snapshot.WorkItem, ok bool) {
	last, _ = s.LastItem(worker, scope)
	return last, last.Status == snapshot.ItemFinished || last.Status == snapshot.ItemSkipped
}

// withinRuntime refuses to begin what the run has no time for.
func (j *job) withinRuntime(s *snapshot.Snapshot) error {
	if j.runtimeLeft(s) > 0 {
		return nil
	}
	return &Fault{Code: CodeRuntime, Message: "the run has used up its time", Resumable: true}
}

// runtimeLeft is what is left of max_runtime_s. A run that is resumed gets the
// time anew: else its budget would have ended it for good.
func (j *job) runtimeLeft(s *snapshot.Snapshot) time.Duration {
	budget := time.Duration(j.config.Budgets.MaxRuntimeS) * time.Second
	left := budget - runtime(s, "")
	if left > 0 {
		return left
	}
	resumed := ""
	_ = j.store.Events(s.RunID, func(e eventlog.Event) { // without them nothing is given anew
		if e.Type == snapshot.RunResumed {
			resumed = e.Time
		}
	})
	return budget - runtime(s, resumed)
}

// runtime is how long work items took that began at a time or later.
func runtime(s *snapshot.Snapshot, since string) (total time.Duration) {
	for _, item := range s.WorkItems {
		if item.Status == snapshot.ItemSkipped || item.StartedAt < since {
			continue // the times of a skipped one are those of two attempts
		}
		from, err := time.Parse(time.RFC3339, item.StartedAt)
		to, err2 := time.Parse(time.RFC3339, item.FinishedAt)
		if err == nil && err2 == nil && to.After(from) {
			total += to.Sub(from)
		}
	}
	return total
}

// merged is a map with the members of others.
func merged(into map[string]string, others ...map[string]string) map[string]string {
	for _, other := range others {
		maps.Copy(into, other)
	}
	return into
}

// sortedKeys are the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
