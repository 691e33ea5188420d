package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"
)

// advance is the one kind of job: do the next step of a run whose log has at
// least so many events (15.2).
type advance struct {
	RunID string `json:"run_id"`
	Seq   int64  `json:"expected_seq"`
}

// Kind names the job.
func (advance) Kind() string { return "advance_run" }

// waiting are the states of a job that will still be worked on.
const waiting = "('available', 'scheduled', 'retryable', 'pending')"

// Enqueue takes a new run in, unless too many wait. It is a run.Enqueue.
func (q *Queue) Enqueue(ctx context.Context, tx *sql.Tx, runID string, seq int64, notBefore time.Time) error {
	var depth int
	if err := tx.QueryRowContext(ctx, depthQuery).Scan(&depth); err != nil {
		return fmt.Errorf("count the waiting runs: %w", err)
	}
	if depth >= q.options.Limit {
		return ErrFull
	}
	return q.Again(ctx, tx, runID, seq, notBefore)
}

// Again enqueues a run that has been taken in before, as one that is resumed: it
// is never refused. A run that waits already keeps its place.
func (q *Queue) Again(ctx context.Context, tx *sql.Tx, runID string, seq int64, notBefore time.Time) error {
	if waits, err := q.waits(ctx, tx, runID); err != nil || waits {
		return err
	}
	var owner string
	if err := tx.QueryRowContext(ctx, "SELECT owner FROM runs WHERE run_id = ?", runID).Scan(&owner); err != nil {
		return fmt.Errorf("look up the owner of a run: %w", err)
	}
	turn, err := nextTurn(ctx, tx, owner)
	if err != nil {
		return err
	}
	return q.insert(ctx, tx, advance{runID, seq}, turn, notBefore)
}

// waits says whether the run has a job or is parked.
func (q *Queue) waits(ctx context.Context, tx *sql.Tx, runID string) (waits bool, err error) {
	err = tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM queue_jobs JOIN river_job ON id = job_id WHERE run_id = ?1 AND state IN `+waiting+`)
		OR EXISTS (SELECT 1 FROM queue_parked WHERE run_id = ?1)`, runID).Scan(&waits)
	if err != nil {
		return false, fmt.Errorf("look for the job of a run: %w", err)
	}
	return waits, nil
}

// insert adds the job. River takes an available job when its time has come, but
// makes a job with a time of its own wait for its scheduler, which runs every
// five seconds: so the time is set afterwards.
func (q *Queue) insert(ctx context.Context, tx *sql.Tx, args advance, turn int64, notBefore time.Time) error {
	inserted, err := q.client.InsertTx(ctx, tx, args, &river.InsertOpts{Queue: queueName})
	if err != nil {
		return fmt.Errorf("enqueue a run: %w", err)
	}
	at := turnTime(turn)
	if notBefore.After(q.options.Clock()) {
		at = notBefore
	}
	const layout = "2006-01-02 15:04:05.000" // that of SQLite
	if _, err := tx.ExecContext(ctx, "UPDATE river_job SET scheduled_at = ? WHERE id = ?", at.UTC().Format(layout), inserted.Job.ID); err != nil {
		return fmt.Errorf("enqueue a run: %w", err)
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO queue_jobs (run_id, job_id) VALUES (?,?) ON CONFLICT (run_id) DO UPDATE SET job_id = excluded.job_id",
		args.RunID, inserted.Job.ID)
	if err != nil {
		return fmt.Errorf("enqueue a run: %w", err)
	}
	return nil
}

// Owners take turns: each new job of an owner gets the turn after his last one,
// but none that has already been. River works on jobs in the order of their
// times, so a turn is written as a time long ago. An owner with a thousand runs
// delays the one run of another by one step, not by a thousand (15.1).
func nextTurn(ctx context.Context, tx *sql.Tx, owner string) (int64, error) {
	var own, now sql.NullInt64
	err := tx.QueryRowContext(ctx, "SELECT turn FROM queue_turns WHERE owner = ?", owner).Scan(&own)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("find the turn of an owner: %w", err)
	}
	err = tx.QueryRowContext(ctx, `SELECT coalesce(
			(SELECT min(CAST(strftime('%s', scheduled_at) AS integer)) FROM river_job WHERE state = 'available' AND scheduled_at < '2020-01-01'),
			(SELECT max(turn) FROM queue_turns) + ?)`, firstTurn.Unix()).Scan(&now)
	if err != nil {
		return 0, fmt.Errorf("find the present turn: %w", err)
	}
	turn := own.Int64 + 1
	if now.Valid {
		turn = max(turn, now.Int64-firstTurn.Unix())
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO queue_turns (owner, turn) VALUES (?,?) ON CONFLICT (owner) DO UPDATE SET turn = excluded.turn", owner, turn)
	if err != nil {
		return 0, fmt.Errorf("take the turn of an owner: %w", err)
	}
	return turn, nil
}

// firstTurn begins 50 years of seconds, more than a thousand million turns.
var firstTurn = time.Date(1970, 1, 2, 0, 0, 0, 0, time.UTC)

func turnTime(turn int64) time.Time { return firstTurn.Add(time.Duration(turn) * time.Second) }

const depthQuery = "SELECT (SELECT count(*) FROM river_job WHERE kind = 'advance_run' AND state IN " + waiting + ") + (SELECT count(*) FROM queue_parked)"

// Depth is how many runs wait.
func (q *Queue) Depth(ctx context.Context) (depth int, err error) {
	if err := q.store.Index().Reader().QueryRowContext(ctx, depthQuery).Scan(&depth); err != nil {
		return 0, fmt.Errorf("count the waiting runs: %w", err)
	}
	return depth, nil
}

// Drop takes the waiting job of a run away: the run was cancelled.
func (q *Queue) Drop(ctx context.Context, runID string) error {
	return q.store.Index().Update(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM queue_parked WHERE run_id = ?", runID); err != nil {
			return fmt.Errorf("drop a run: %w", err)
		}
		var job int64
		err := tx.QueryRowContext(ctx, "SELECT job_id FROM queue_jobs JOIN river_job ON id = job_id WHERE run_id = ? AND state IN "+waiting, runID).Scan(&job)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			_, err = q.client.JobCancelTx(ctx, tx, job)
		}
		if err != nil {
			return fmt.Errorf("drop a run: %w", err)
		}
		return nil
	})
}
