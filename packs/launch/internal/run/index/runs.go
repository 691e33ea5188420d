package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// A Row is a run as lists show it.
type Row struct {
	RunID       string
	ProductSlug string
	Family      string
	Platform    string
	SiteProfile string
	Owner       string
	State       state.State
	Activity    snapshot.Activity
	StartedAt   string
	FinishedAt  string // empty while it goes on
	LastSeq     int64
}

// RowOf is the row for a snapshot.
func RowOf(s *snapshot.Snapshot) Row {
	row := Row{
		s.RunID, s.ProductSlug, s.Family, s.Platform, s.SiteProfile, s.Owner, s.State, s.Activity, s.CreatedAt, "", s.LastSeq,
	}
	if s.Activity == snapshot.Finished {
		row.FinishedAt = s.EndedAt
	}
	return row
}

const columns = "run_id, product_slug, family, platform, site_profile, owner, state, activity, started_at, finished_at, last_seq"

func (r *Row) fields() []any {
	return []any{
		&r.RunID, &r.ProductSlug, &r.Family, &r.Platform, &r.SiteProfile, &r.Owner, &r.State, &r.Activity, &r.StartedAt,
		&r.FinishedAt, &r.LastSeq,
	}
}

// Put writes a row unless the index knows a later one.
func Put(ctx context.Context, tx *sql.Tx, row Row) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO runs ("+columns+") VALUES (?,?,?,?,?,?,?,?,?,?,?)"+
		` ON CONFLICT (run_id) DO UPDATE SET state = excluded.state, activity = excluded.activity,
			finished_at = excluded.finished_at, last_seq = excluded.last_seq WHERE excluded.last_seq > runs.last_seq`,
		row.RunID, row.ProductSlug, row.Family, row.Platform, row.SiteProfile, row.Owner, row.State, row.Activity, row.StartedAt,
		row.FinishedAt, row.LastSeq)
	if err != nil {
		return fmt.Errorf("write the index row of a run: %w", err)
	}
	return nil
}

// Get returns the row of a run; ok is false if there is none.
func (db *DB) Get(ctx context.Context, runID string) (row Row, ok bool, err error) {
	err = db.read.QueryRowContext(ctx, "SELECT "+columns+" FROM runs WHERE run_id = ?", runID).Scan(row.fields()...)
	if errors.Is(err, sql.ErrNoRows) {
		return Row{}, false, nil
	}
	if err != nil {
		return Row{}, false, fmt.Errorf("look up a run: %w", err)
	}
	return row, true, nil
}

// Known returns the ids of all runs.
func Known(ctx context.Context, tx *sql.Tx) (map[string]bool, error) {
	rows, err := tx.QueryContext(ctx, "SELECT run_id FROM runs")
	if err != nil {
		return nil, fmt.Errorf("list the runs: %w", err)
	}
	defer rows.Close()
	known := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("list the runs: %w", err)
		}
		known[id] = true
	}
	return known, rows.Err()
}

// With returns the ids of the runs that have one of the activities, sorted.
func (db *DB) With(ctx context.Context, activities ...snapshot.Activity) (ids []string, err error) {
	for _, activity := range activities {
		rows, err := db.read.QueryContext(ctx, "SELECT run_id FROM runs WHERE activity = ? ORDER BY run_id", activity)
		if err != nil {
			return nil, fmt.Errorf("list the runs: %w", err)
		}
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				return nil, errors.Join(fmt.Errorf("list the runs: %w", err), rows.Close())
			}
			ids = append(ids, id)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return nil, fmt.Errorf("list the runs: %w", err)
		}
	}
	return ids, nil
}

// EndedBefore returns the runs that ended before a time, the earliest first.
func (db *DB) EndedBefore(ctx context.Context, when string) (rows []Row, err error) {
	found, err := db.read.QueryContext(ctx, "SELECT "+columns+" FROM runs WHERE activity = ? AND finished_at <> '' AND finished_at < ? ORDER BY finished_at, run_id",
		snapshot.Finished, when)
	if err != nil {
		return nil, fmt.Errorf("list the runs that have ended: %w", err)
	}
	defer found.Close()
	for found.Next() {
		var row Row
		if err := found.Scan(row.fields()...); err != nil {
			return nil, fmt.Errorf("list the runs that have ended: %w", err)
		}
		rows = append(rows, row)
	}
	return rows, found.Err()
}

// Forget removes all that is known of a run.
func Forget(ctx context.Context, tx *sql.Tx, runID string) error {
	for _, table := range []string{"runs", "idempotency_keys", "leases"} {
		if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE run_id = ?", runID); err != nil {
			return fmt.Errorf("forget a run: %w", err)
		}
	}
	return nil
}
