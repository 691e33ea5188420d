package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"time"

	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/snapshot"

	"github.com/riverqueue/river"
)

// A worker does the jobs.
type worker struct {
	river.WorkerDefaults[advance]
	queue *Queue
}

// Work does a job. One that the end of the process has stopped before it began
// goes back as it was.
func (w *worker) Work(ctx context.Context, job *river.Job[advance]) error {
	err := w.queue.advance(ctx, job.ID, job.Args, true)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return river.JobSnooze(0)
	}
	return err
}

// advance does one step of one run, or several while no other run waits: hold it,
// start, step, and let go of it in the way that fits how the step has ended. With
// requeue, others go on with a run that the end of the context has stopped.
func (q *Queue) advance(ctx context.Context, job int64, args advance, requeue bool) error {
	row, ok, err := q.store.Index().Get(ctx, args.RunID)
	if err != nil {
		return err
	}
	if !ok {
		return river.JobCancel(run.ErrNotFound)
	}
	by := run.Holder{Connection: "queue", Request: strconv.FormatInt(job, 10), Operation: "advance_run"}
	place := run.Place{Profile: row.SiteProfile, Limit: q.options.PerProfile}
	held, err := q.store.TryHold(ctx, args.RunID, by, place)
	if err != nil {
		return q.refused(ctx, args, row.SiteProfile, err)
	}
	current := held.Snapshot()
	switch {
	case current.CancelRequested && !current.State.Terminal():
		return errors.Join(held.EndCancelled(ctx), q.release(ctx, held, row))
	case current.Activity == snapshot.Running: // its executor has died
		return held.Interrupt(ctx, q.options.Requeue, q.handOver(row))
	case current.Activity != snapshot.Queued:
		return q.release(ctx, held, row)
	case current.LastSeq < args.Seq:
		return errors.Join(q.release(ctx, held, row), river.JobSnooze(time.Second))
	}
	if err := held.Start(ctx, q.stages); err != nil {
		if errors.Is(err, run.ErrCancelled) {
			err = held.EndCancelled(ctx)
		}
		return errors.Join(err, q.release(ctx, held, row)) // it still waits, and is tried again
	}
	guarded, stop := held.Guard(ctx)
	again, err := q.safely(guarded, held)
	for err == nil && again && q.mayGoOn(guarded, held) {
		again, err = q.safely(guarded, held)
	}
	cause := context.Cause(guarded)
	stop()
	return q.conclude(ctx, held, row, again, requeue, err, cause)
}

// mayGoOn says whether the next step of a run may follow at once: nobody waits for
// a place, so there is nobody to make room for, and no time is lost until the
// queue is looked at again.
func (q *Queue) mayGoOn(ctx context.Context, held *run.Held) bool {
	if ctx.Err() != nil || held.Snapshot().Activity != snapshot.Running {
		return false
	}
	waiting, err := q.Depth(ctx)
	return err == nil && waiting == 0
}

// refused is what becomes of a job whose run cannot be held now.
func (q *Queue) refused(ctx context.Context, args advance, profile string, err error) error {
	locked := (*run.LockedError)(nil)
	switch {
	case errors.Is(err, index.ErrProfileFull):
		return q.park(ctx, args, profile)
	case errors.As(err, &locked):
		return river.JobSnooze(time.Second)
	case errors.Is(err, eventlog.ErrChainBroken), errors.Is(err, run.ErrNotFound):
		return river.JobCancel(err)
	}
	return err
}

// safely turns a panic of the step into an error.
func (q *Queue) safely(ctx context.Context, held *run.Held) (again bool, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			q.options.Logger.Error("a step panicked", "run_id", held.ID(), "reason", reason, "stack", string(debug.Stack()))
			err = fmt.Errorf("a step panicked: %v", reason)
		}
	}()
	return q.step(ctx, held)
}

// conclude lets go of a run after its step.
func (q *Queue) conclude(ctx context.Context, held *run.Held, row index.Row, again, requeue bool, err, cause error) error {
	after := context.WithoutCancel(ctx)
	switch {
	case errors.Is(err, eventlog.ErrFenced), errors.Is(cause, run.ErrLeaseLost):
		return held.Release(after) // others go on
	case errors.Is(err, run.ErrCancelled), errors.Is(cause, run.ErrCancelled):
		return errors.Join(held.EndCancelled(after), q.release(after, held, row))
	case err != nil && ctx.Err() != nil && held.Snapshot().Activity == snapshot.Running: // this process ends
		return held.Interrupt(after, requeue, q.handOver(row))
	case err != nil:
		q.options.Logger.Error("a step failed", "run_id", held.ID(), "error", err)
		failure := snapshot.Failure{Class: "FAILED", ErrorCode: "INTERNAL_UNEXPECTED", Message: "the step ended unexpectedly", Resumable: true}
		if run.Full(err) {
			failure.ErrorCode, failure.Message = run.CodeFull, run.ErrFull.Error()
		}
		return errors.Join(held.Fail(after, failure), q.release(after, held, row))
	}
	current := held.Snapshot()
	if current.Activity != snapshot.Running {
		return q.release(after, held, row)
	}
	if !again {
		return errors.Join(held.Pause(after, snapshot.StopAt), q.release(after, held, row))
	}
	if err := held.Queue(after, snapshot.Order{Until: current.Until}); err != nil {
		if errors.Is(err, run.ErrCancelled) {
			err = held.EndCancelled(after)
		}
		return errors.Join(err, q.release(after, held, row))
	}
	seq := held.Snapshot().LastSeq
	return held.ReleaseWith(after, func(ctx context.Context, tx *sql.Tx) error {
		return q.handOver(row)(ctx, tx, held.ID(), seq, time.Time{})
	})
}

// handOver enqueues a run and gives its place to the next one of its profile.
func (q *Queue) handOver(row index.Row) run.Enqueue {
	return func(ctx context.Context, tx *sql.Tx, runID string, seq int64, notBefore time.Time) error {
		return errors.Join(q.unpark(ctx, tx, row.SiteProfile), q.Again(ctx, tx, runID, seq, notBefore))
	}
}

// release lets go of a run and gives its place to the next one.
func (q *Queue) release(ctx context.Context, held *run.Held, row index.Row) error {
	return held.ReleaseWith(ctx, func(ctx context.Context, tx *sql.Tx) error { return q.unpark(ctx, tx, row.SiteProfile) })
}
