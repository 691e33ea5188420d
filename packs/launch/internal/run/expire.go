package run

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/index"
)

// A Retention says how long the parts of a run are kept after its end (5.5).
// Zero values mean the defaults.
type Retention struct {
	Work    time.Duration // work and drafts: 7 days
	Reports time.Duration // reports and logs: 30 days
	Run     time.Duration // all the rest: 90 days
}

// An Expired part of a run was deleted.
type Expired struct {
	RunID  string
	Folder string // empty: the run as a whole
}

// Expire deletes what has been kept long enough, and tells of each deletion. A
// run that somebody holds is left for the next time.
func (s *Store) Expire(ctx context.Context, by Holder, keep Retention, tell func(Expired)) error {
	const day = 24 * time.Hour
	parts := []struct {
		after   time.Duration
		folders []string
	}{
		{orElse(keep.Work, 7*day), []string{"work", "drafts"}},
		{orElse(keep.Reports, 30*day), []string{"reports", "logs"}},
		{orElse(keep.Run, 90*day), []string{""}},
	}
	for _, part := range parts {
		rows, err := s.index.EndedBefore(ctx, eventlog.Time(s.options.Clock().Add(-part.after)))
		if err != nil {
			return err
		}
		for _, row := range rows {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := s.expire(ctx, row.RunID, by, part.folders, tell); err != nil {
				s.options.Logger.Warn("parts of a run could not be deleted", "run_id", row.RunID, "error", err)
			}
		}
	}
	return nil
}

func orElse(value, otherwise time.Duration) time.Duration {
	if value == 0 {
		return otherwise
	}
	return value
}

func (s *Store) expire(ctx context.Context, runID string, by Holder, folders []string, tell func(Expired)) error {
	if !slices.Contains(folders, "") && !slices.ContainsFunc(folders, func(folder string) bool {
		_, err := s.root.Lstat(runsFolder + "/" + runID + "/" + folder)
		return err == nil
	}) {
		return nil
	}
	h, err := s.TryHold(ctx, runID, by, Place{})
	if locked := (*LockedError)(nil); errors.As(err, &locked) {
		return nil
	}
	if err != nil {
		return err
	}
	var errs []error
	for _, folder := range folders {
		err := h.delete(ctx, folder)
		if err == nil {
			tell(Expired{runID, folder})
		}
		errs = append(errs, err)
	}
	return errors.Join(append(errs, h.Release(ctx))...)
}

// delete removes a folder of the run, or the run: first from the index, so that
// nobody finds half of it.
func (h *Held) delete(ctx context.Context, folder string) error {
	s := h.store
	if folder != "" {
		return removeAll(h.root, folder)
	}
	if err := s.index.Update(ctx, func(tx *sql.Tx) error { return index.Forget(ctx, tx, h.id) }); err != nil {
		return err
	}
	gone := runsFolder + "/" + unfinished + h.id // a name that the next Open clears, should this be the end
	if err := s.root.Rename(runsFolder+"/"+h.id, gone); err != nil {
		return fmt.Errorf("delete a run: %w", err)
	}
	return removeAll(s.root, gone)
}

// removeAll also removes folders that were made read-only.
func removeAll(root *os.Root, folder string) error {
	err := fs.WalkDir(root.FS(), folder, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			return root.Chmod(name, 0o700)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete a folder of a run: %w", err)
	}
	if err := root.RemoveAll(folder); err != nil {
		return fmt.Errorf("delete a folder of a run: %w", err)
	}
	return nil
}
