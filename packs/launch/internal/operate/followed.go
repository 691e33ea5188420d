package operate

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mcpworks/packs/launch/internal/record"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/durable"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/state"
)

// seqName is the file of a run that says up to which event its records are safe.
// A process that was killed leaves it behind its log: the next one sends what is
// between the two, which no service takes twice (12.3).
const seqName = "telemetry_seq"

// maxFollowed is how many runs a process remembers the records of.
const maxFollowed = 32

// A followed run is one whose records this process has sent, up to an event.
type followed struct {
	telemetry *telemetry
	id        string
	outside   *record.Sender // nil: only the store has records of it

	mu      sync.Mutex
	history *record.History
	seq     int64 // of the last event that was looked at
	saved   int64 // what seqName says
	size    int64 // of the log when it was last looked at
}

// follow begins to follow a run, or finds the one that is followed.
func (t *telemetry) follow(runID string) *followed {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f := t.runs[runID]; f != nil {
		return f
	}
	if len(t.runs) >= maxFollowed {
		t.forget()
	}
	f := &followed{telemetry: t, id: runID, history: record.NewHistory(), outside: t.senderFor(runID)}
	text, err := os.ReadFile(filepath.Join(t.launcher.runFolder(runID), seqName))
	if err == nil {
		f.saved, _ = strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // 0: everything is sent again
	}
	t.runs[runID] = f
	return f
}

// forget drops runs whose records are all safe: they can be taken up again at any
// time. The lock is held.
func (t *telemetry) forget() {
	for id, f := range t.runs {
		if f.mu.TryLock() {
			if f.save(); f.seq == f.saved {
				delete(t.runs, id)
			}
			f.mu.Unlock()
		}
	}
}

// known are the runs that are followed.
func (t *telemetry) known() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Sorted(maps.Keys(t.runs))
}

// outsideOf is the sender for what is about a run, or about none, beside the
// store's; nil if there is none.
func (t *telemetry) outsideOf(runID string) *record.Sender {
	if runID != "" {
		return t.follow(runID).outside
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sender(t.launcher.serverEndpoint())
}

// note sends what the log of a run has told since the last time. It waits for no
// service, and no fault of it is one of the run.
func (t *telemetry) note(runID string) {
	if err := t.follow(runID).note(); err != nil && !errors.Is(err, run.ErrNotFound) {
		t.launcher.options.Logger.Warn("records of a run could not be sent", "run_id", runID, "error", t.launcher.Redact(err.Error()))
	}
}

func (f *followed) note() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.save()
	size, err := f.telemetry.launcher.versionOf(f.id)
	if err != nil || size == f.size {
		return err
	}
	before, first := f.history.State(), f.seq == 0
	sent := !first || f.saved == 0
	err = f.telemetry.launcher.store.Events(f.id, func(e eventlog.Event) {
		if e.Seq <= f.seq {
			return
		}
		if !sent && e.Seq > f.saved {
			f.history.Sent()
			sent = true
		}
		f.history.Add(e)
		f.seq = e.Seq
	})
	if err != nil {
		return err
	}
	if !sent {
		f.history.Sent()
	}
	if err := f.history.Deliver(f.telemetry.launcher.runFolder(f.id), f.senders()...); err != nil {
		return err
	}
	f.size = size
	if at := f.history.State(); at != before && f.seq > f.saved {
		f.reached(at)
	}
	return nil
}

func (f *followed) senders() []record.Recipient {
	senders := []record.Recipient{f.telemetry.inside}
	if f.outside != nil {
		senders = append(senders, f.outside)
	}
	return senders
}

// save notes what is safe, as soon as it is. The lock is held.
func (f *followed) save() {
	folder := f.telemetry.launcher.runFolder(f.id)
	if f.seq <= f.saved || !f.telemetry.inside.Safe(folder) || f.outside != nil && !f.outside.Safe(folder) {
		return
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return // the run is gone
	}
	defer root.Close()
	if _, err := durable.Write(root, seqName, []byte(strconv.FormatInt(f.seq, 10)+"\n")); err == nil {
		f.saved = f.seq
	}
}

// reached does what is due at some states: outboxes are tried again, and the
// records of a run that has ended get their last words (11.3, 12.3).
func (f *followed) reached(at state.State) {
	ended := at.Terminal() || at == state.Failed
	if at != state.PlanReady && at != state.DraftReady && at != state.ReadyForPR && !ended {
		return
	}
	if f.outside != nil {
		f.outside.FlushSoon()
	}
	if !ended {
		return
	}
	commit := f.history.Commit()
	f.telemetry.endings.Go(func() { f.end(at, commit) })
}

// end waits for what was sent, says so if not all of it has arrived, and
// associates all records of the run with its commit.
func (f *followed) end(at state.State, commit string) {
	t, folder := f.telemetry, f.telemetry.launcher.runFolder(f.id)
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	errs := []error{t.inside.Flush(ctx)}
	if f.outside != nil && f.outside.Flush(ctx) != nil && at == state.Done {
		status := record.Partial
		u := record.Update{Status: &status, Metrics: map[string]any{"api_posted": false}}
		errs = append(errs, t.inside.Update(folder, record.EventID(f.id), u), f.outside.Update(folder, record.EventID(f.id), u))
	}
	if commit != "" {
		ids, err := t.records.Family(ctx, f.id)
		c := record.Commit{Hash: commit, Source: "ci"}
		errs = append(errs, err, t.inside.Associate(folder, ids, c))
		if f.outside != nil {
			errs = append(errs, f.outside.Associate(folder, ids, c))
		}
	}
	if err := errors.Join(errs...); err != nil {
		t.launcher.options.Logger.Warn("the records of a run could not be completed", "run_id", f.id, "error", t.launcher.Redact(err.Error()))
	}
}
