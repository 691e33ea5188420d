package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"mcpworks/packs/launch/internal/run/index"
)

// park puts a run aside whose site profile is full, until another run of the
// profile gives its place away. If that has just happened it is enqueued.
func (q *Queue) park(ctx context.Context, args advance, profile string) error {
	return q.store.Index().Update(ctx, func(tx *sql.Tx) error {
		taken, err := index.Taken(ctx, tx, profile, q.options.Clock())
		if err != nil {
			return err
		}
		if taken < q.options.PerProfile {
			return q.Again(ctx, tx, args.RunID, args.Seq, time.Time{})
		}
		if waits, err := q.waits(ctx, tx, args.RunID); err != nil || waits {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO queue_parked (run_id, site_profile, turn)
			VALUES (?, ?, (SELECT coalesce(max(turn), 0) + 1 FROM queue_parked))`, args.RunID, profile)
		if err != nil {
			return fmt.Errorf("park a run: %w", err)
		}
		return nil
	})
}

// unpark enqueues the run of the profile that has waited longest. It is called
// in the transaction that gives a place away.
func (q *Queue) unpark(ctx context.Context, tx *sql.Tx, profile string) error {
	var runID string
	err := tx.QueryRowContext(ctx, "SELECT run_id FROM queue_parked WHERE site_profile = ? ORDER BY turn LIMIT 1", profile).Scan(&runID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "DELETE FROM queue_parked WHERE run_id = ?", runID)
	}
	if err != nil {
		return fmt.Errorf("unpark a run: %w", err)
	}
	return q.Again(ctx, tx, runID, 0, time.Time{})
}

// unparkFree enqueues parked runs whose profile has room: the executors that
// had the places have died.
func (q *Queue) unparkFree(ctx context.Context) error {
	return q.store.Index().Update(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT site_profile, count(*) FROM queue_parked GROUP BY site_profile ORDER BY site_profile")
		if err != nil {
			return fmt.Errorf("count the parked runs: %w", err)
		}
		parked := map[string]int{}
		for rows.Next() {
			var profile string
			var count int
			if err := rows.Scan(&profile, &count); err != nil {
				return errors.Join(err, rows.Close())
			}
			parked[profile] = count
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return fmt.Errorf("count the parked runs: %w", err)
		}
		for profile, count := range parked {
			taken, err := index.Taken(ctx, tx, profile, q.options.Clock())
			if err != nil {
				return err
			}
			for range min(count, q.options.PerProfile-taken) {
				if err := q.unpark(ctx, tx, profile); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
