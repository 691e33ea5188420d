package operate

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// How often the data directory is looked after.
const (
	lookEvery   = time.Minute
	expireEvery = time.Hour
)

// partExpired is the event of the server that says what retention has deleted.
const partExpired = "RUN_PART_EXPIRED"

// upkeep looks after the data directory until the context ends: records that are
// late, runs that nobody can work on, and what has been kept long enough.
func (l *Launcher) upkeep(ctx context.Context) {
	look, expire := time.NewTicker(lookEvery), time.NewTicker(expireEvery)
	defer look.Stop()
	defer expire.Stop()
	l.sweepLooks()
	l.lookAfter(ctx)
	l.expire(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			l.lookAfter(ctx)
		case <-expire.C:
			l.expire(ctx)
		}
	}
}

// sweepLooks removes what killed processes were looking at. A look takes minutes
// at most.
func (l *Launcher) sweepLooks() {
	folders, _ := filepath.Glob(filepath.Join(l.options.DataDir, "cache", lookPattern+"*"))
	for _, folder := range folders {
		if info, err := os.Stat(folder); err == nil && l.options.Clock().Sub(info.ModTime()) > expireEvery {
			_ = gitrepo.Remove(folder)
		}
	}
}

func (l *Launcher) lookAfter(ctx context.Context) {
	broken, err := l.store.SettleBroken(ctx)
	for _, id := range broken {
		l.options.Logger.Error("the event log of a run is broken: nobody can work on it", "run_id", id)
	}
	if err != nil && ctx.Err() == nil {
		l.options.Logger.Warn("runs with a broken log were not looked for", "error", l.Redact(err.Error()))
	}
	for _, runID := range l.known() {
		if ctx.Err() == nil {
			l.note(runID)
		}
	}
}

// expire deletes what runs have left behind long enough ago, and tells of each
// deletion (5.5).
func (l *Launcher) expire(ctx context.Context) {
	by := run.Holder{Connection: "upkeep", Request: "retention", Operation: "retention"}
	err := l.store.Expire(ctx, by, l.options.Retention, func(e run.Expired) {
		l.kept.forget(e.RunID)
		payload := map[string]any{"run_id": e.RunID, "part": e.Folder}
		if e.Folder == "" {
			payload["part"] = "run"
		}
		l.emit(partExpired, payload)
	})
	if err != nil && ctx.Err() == nil {
		l.options.Logger.Warn("retention has not come to its end", "error", l.Redact(err.Error()))
	}
}

// brokenCode is the code of a run whose log cannot be trusted (3.6).
const brokenCode = "ORCHESTRATOR_EVENT_CHAIN_BROKEN"

// settled is a run as it stands: one that its log believes to be at work, while
// the index knows that nobody can work on it, has failed.
func (l *Launcher) settled(ctx context.Context, s *snapshot.Snapshot) *snapshot.Snapshot {
	if s.Activity != snapshot.Running && s.Activity != snapshot.Queued {
		return s
	}
	row, known, err := l.store.Index().Get(ctx, s.RunID)
	if err != nil || !known || row.State != state.Failed || row.Activity != snapshot.Finished {
		return s
	}
	s.State, s.Activity, s.PauseReason = state.Failed, snapshot.Finished, ""
	s.Failure = &snapshot.Failure{Class: "FAILED", ErrorCode: brokenCode, Message: "the event log is broken"}
	return s
}
