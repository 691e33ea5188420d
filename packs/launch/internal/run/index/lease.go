package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// A Lease is the right to change a run for a while (5.6).
type Lease struct {
	RunID     string
	Owner     string // the process, or the handle within it
	Operation string
	Profile   string // the site profile, if a place among its executors is taken
	Fence     int64
	Expires   time.Time
	// TakenOver: the holder before never gave it back.
	TakenOver bool
}

// maxLease is longer than any lease is given for. One that ends later is that of
// a clock that has gone back since, and counts as expired: nobody renews it.
const maxLease = 2 * time.Minute

// isOut says whether the lease is held at a time.
func (l Lease) isOut(now time.Time) bool {
	return l.Expires.After(now) && !l.Expires.After(now.Add(maxLease))
}

// ErrProfileFull: as many runs of the site profile are being executed as may be.
var ErrProfileFull = errors.New("the site profile has no free place")

// A LeasedError says who has the lease.
type LeasedError struct{ Lease }

func (e *LeasedError) Error() string {
	return fmt.Sprintf("the run is leased for %s", e.Operation)
}

// Acquire takes the lease if it is free or has expired. Each time the fence
// grows; it is at least floor, which is above the last fence of the log. With a
// limit, no more than so many leases of the profile are out at once, in all
// processes together.
func (db *DB) Acquire(ctx context.Context, want Lease, floor int64, limit int, now time.Time) (Lease, error) {
	err := db.Update(ctx, func(tx *sql.Tx) error {
		held, err := leaseOf(ctx, tx, want.RunID)
		if err != nil {
			return err
		}
		if held.isOut(now) {
			return &LeasedError{held}
		}
		if limit > 0 {
			if taken, err := Taken(ctx, tx, want.Profile, now); err != nil {
				return err
			} else if taken >= limit {
				return ErrProfileFull
			}
		}
		want.Fence = max(held.Fence+1, floor)
		want.TakenOver = held.Fence > 0 && held.Expires.UnixMilli() > 0
		_, err = tx.ExecContext(ctx, `INSERT INTO leases (run_id, owner, operation, site_profile, fence, expires_at) VALUES (?,?,?,?,?,?)
			ON CONFLICT (run_id) DO UPDATE SET owner = excluded.owner, operation = excluded.operation,
				site_profile = excluded.site_profile, fence = excluded.fence, expires_at = excluded.expires_at`,
			want.RunID, want.Owner, want.Operation, want.Profile, want.Fence, want.Expires.UnixMilli())
		if err != nil {
			return fmt.Errorf("take a lease: %w", err)
		}
		return nil
	})
	return want, err
}

// Taken counts the leases of a profile.
func Taken(ctx context.Context, tx *sql.Tx, profile string, now time.Time) (taken int, err error) {
	err = tx.QueryRowContext(ctx, "SELECT count(*) FROM leases WHERE site_profile = ? AND expires_at > ? AND expires_at <= ?",
		profile, now.UnixMilli(), now.Add(maxLease).UnixMilli()).Scan(&taken)
	if err != nil {
		return 0, fmt.Errorf("count the leases of a profile: %w", err)
	}
	return taken, nil
}

// Renew lets a lease last until the given time. It is false if somebody else
// has taken it.
func (db *DB) Renew(ctx context.Context, lease Lease, until time.Time) (bool, error) {
	renewed := false
	err := db.Update(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, "UPDATE leases SET expires_at = ? WHERE run_id = ? AND owner = ? AND fence = ? AND expires_at > 0",
			until.UnixMilli(), lease.RunID, lease.Owner, lease.Fence)
		if err != nil {
			return fmt.Errorf("renew a lease: %w", err)
		}
		count, err := result.RowsAffected()
		renewed = count == 1
		return err
	})
	return renewed, err
}

// Release gives a lease back. One that somebody else has taken stays his.
func Release(ctx context.Context, tx *sql.Tx, lease Lease) error {
	_, err := tx.ExecContext(ctx, "UPDATE leases SET expires_at = 0 WHERE run_id = ? AND owner = ? AND fence = ?",
		lease.RunID, lease.Owner, lease.Fence)
	if err != nil {
		return fmt.Errorf("release a lease: %w", err)
	}
	return nil
}

// Leased returns the lease of a run if one is held.
func (db *DB) Leased(ctx context.Context, runID string, now time.Time) (Lease, bool, error) {
	lease, err := leaseOf(ctx, db.read, runID)
	return lease, err == nil && lease.isOut(now), err
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func leaseOf(ctx context.Context, db querier, runID string) (lease Lease, err error) {
	var expires int64
	err = db.QueryRowContext(ctx, "SELECT run_id, owner, operation, site_profile, fence, expires_at FROM leases WHERE run_id = ?", runID).
		Scan(&lease.RunID, &lease.Owner, &lease.Operation, &lease.Profile, &lease.Fence, &expires)
	if errors.Is(err, sql.ErrNoRows) {
		return Lease{}, nil
	}
	if err != nil {
		return Lease{}, fmt.Errorf("look up a lease: %w", err)
	}
	lease.Expires = time.UnixMilli(expires)
	return lease, nil
}
