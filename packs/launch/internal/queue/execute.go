package queue

import (
	"context"
	"errors"
	"time"

	"mcpworks/packs/launch/internal/run/snapshot"

	"github.com/riverqueue/river"
)

// Execute executes one run, and no other, until it rests. If the context ends
// before, the run is interrupted and waits for somebody to resume it: whoever
// asked for this run alone has stopped it. A run that another process works on is
// waited for.
func (q *Queue) Execute(ctx context.Context, runID string) error {
	for ctx.Err() == nil {
		before, err := q.store.Status(ctx, runID)
		if err != nil || before.Activity != snapshot.Queued && before.Activity != snapshot.Running {
			return err
		}
		if err := q.Drop(ctx, runID); err != nil { // this is the job now
			return err
		}
		err = q.advance(ctx, 0, advance{RunID: runID}, false)
		if snoozed := (*river.JobSnoozeError)(nil); err != nil && !errors.As(err, &snoozed) && ctx.Err() == nil {
			return err
		}
		if now, err := q.store.Status(ctx, runID); err == nil && now.LastSeq == before.LastSeq {
			q.pause(ctx)
		}
	}
	return nil
}

// pause waits until the queue is looked at again.
func (q *Queue) pause(ctx context.Context) {
	timer := time.NewTimer(q.options.Poll)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
