package run

import (
	"context"
	"database/sql"
	"errors"

	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// SettleBroken finds runs that the index believes to be running or queued, but
// whose log is broken, so that nobody can ever work on them: for the index they
// have failed for good (5.1, R-4). The log stays as it is. It returns their ids.
func (s *Store) SettleBroken(ctx context.Context) (settled []string, err error) {
	for _, activity := range []snapshot.Activity{snapshot.Running, snapshot.Queued} {
		ids, err := s.index.With(ctx, activity)
		if err != nil {
			return settled, err
		}
		for _, id := range ids {
			if ctx.Err() != nil {
				return settled, context.Cause(ctx)
			}
			broken, err := s.settleBroken(ctx, id)
			if err != nil {
				return settled, err
			}
			if broken {
				settled = append(settled, id)
			}
		}
	}
	return settled, nil
}

func (s *Store) settleBroken(ctx context.Context, runID string) (broken bool, err error) {
	if _, leased, err := s.index.Leased(ctx, runID, s.options.Clock()); err != nil || leased {
		return false, err
	}
	r, err := s.Open(runID)
	if err == nil {
		broken = r.Broken() != nil
		err = r.Close()
	} else if broken = errors.Is(err, eventlog.ErrChainBroken); broken {
		err = nil
	}
	if err != nil || !broken {
		return false, nil // what else is wrong with it is for those to say who want it
	}
	row, known, err := s.index.Get(ctx, runID)
	if err != nil || !known {
		return false, err
	}
	row.State, row.Activity, row.FinishedAt = state.Failed, snapshot.Finished, eventlog.Time(s.options.Clock())
	row.LastSeq++ // as if the log could say so
	return true, s.index.Update(ctx, func(tx *sql.Tx) error { return index.Put(ctx, tx, row) })
}
