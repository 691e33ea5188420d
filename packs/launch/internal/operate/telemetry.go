package operate

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/commitsvc/inprocess"
	"mcpworks/packs/launch/internal/record"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
)

// telemetry keeps records of what was called and done in the store of this data
// directory, and brings them to the services that runs or the operator name as
// well. It also has the events of the server.
type telemetry struct {
	launcher *Launcher
	records  *record.Store
	inside   *record.Sender // to the store
	log      *serverLog

	mu      sync.Mutex
	outside map[endpoint]*record.Sender
	runs    map[string]*followed // whose log this process has looked at
	endings sync.WaitGroup       // what is still to be said about runs that have ended
}

const (
	// flushTime is how long the end of the process, or of a run's records,
	// waits for records to be kept.
	flushTime = 5 * time.Second
	// localOutbox is for records that the store could not take.
	localOutbox = "telemetry_outbox.local.jsonl"
)

func openTelemetry(ctx context.Context, l *Launcher) (*telemetry, error) {
	records, err := record.OpenStore(ctx, filepath.Join(l.options.DataDir, "telemetry"), record.StoreOptions{
		Now: l.options.Clock, Redact: l.secrets.redactor, Events: l.eachEvent,
	})
	if err != nil {
		return nil, err
	}
	inside, err := record.NewSender(record.SenderConfig{
		URL: "http://localhost", Transport: inprocess.Transport(records.Handler(record.HandlerOptions{})), Folder: l.options.DataDir, Outbox: localOutbox,
		Redact: l.secrets.redactor, Now: l.options.Clock, Log: l.options.Logger, Wait: l.options.Wait,
	})
	if err != nil {
		return nil, errors.Join(err, records.Close())
	}
	t := &telemetry{
		launcher: l, records: records, inside: inside, outside: map[endpoint]*record.Sender{}, runs: map[string]*followed{},
		log: &serverLog{folder: l.options.DataDir, clock: l.options.Clock, random: l.options.Random},
	}
	t.takeUp()
	return t, nil
}

// close says all that is left to say, as long as flushTime lasts. What does not
// arrive stays in outboxes.
func (t *telemetry) close() error {
	for _, runID := range t.known() {
		t.note(runID)
	}
	t.endings.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	t.mu.Lock()
	defer t.mu.Unlock()
	var closing sync.WaitGroup
	for _, sender := range t.outside {
		closing.Go(func() { _ = sender.Close(ctx) }) // that a service is down is no error of ours
	}
	err := t.inside.Close(ctx)
	closing.Wait()
	for _, f := range t.runs {
		f.mu.Lock()
		f.save()
		f.mu.Unlock()
	}
	return errors.Join(err, t.records.Close())
}

// eachEvent goes through the log of a run.
func (l *Launcher) eachEvent(_ context.Context, runID string, each func(record.Event) bool) error {
	on := true
	err := l.store.Events(runID, func(e eventlog.Event) {
		if !on {
			return
		}
		line, err := artifact.Canonical(e)
		on = err == nil && each(record.Event{Seq: e.Seq, Type: e.Type, Time: e.Time, Line: line})
	})
	if errors.Is(err, run.ErrNotFound) || errors.Is(err, run.ErrID) {
		return nil
	}
	return err
}

// BeginCall notes that somebody calls; End of what it returns that he was
// answered (12.1).
func (l *Launcher) BeginCall(call record.ToolCall) *record.Ongoing {
	calls := &record.Calls{
		Send: l.sendCall, Redact: l.secrets.redactor, Now: l.options.Clock, Emit: l.emit,
		RunFolder: func(runID string) (string, bool) {
			if _, err := l.versionOf(runID); err != nil {
				return l.options.DataDir, false
			}
			return l.runFolder(runID), true
		},
	}
	return calls.Begin(call)
}

// emit adds an event to those of the server.
func (l *Launcher) emit(event string, payload map[string]any) {
	if err := l.log.append(event, payload); err != nil {
		l.options.Logger.Warn("an event of the server could not be written", "error", l.Redact(err.Error()))
	}
}

func (l *Launcher) runFolder(runID string) string {
	return filepath.Join(l.options.DataDir, "runs", runID)
}

// sendCall sends the record of a call, which may be about a run.
func (l *Launcher) sendCall(folder string, r record.Record) error {
	err := l.inside.Create(folder, r)
	if outside := l.outsideOf(r.ParentRunID); outside != nil {
		err = errors.Join(err, outside.Create(folder, r))
	}
	return err
}

// TelemetryQuestion asks what is known of a run after the fact.
type TelemetryQuestion struct {
	RunID    string   `json:"run_id"`
	Include  []string `json:"include"`
	PageSize int      `json:"page_size"`
	Cursor   string   `json:"cursor"`
}

// TelemetryAnswer is what is known.
type TelemetryAnswer struct {
	OK bool `json:"ok"`
	record.Answer
}

// Telemetry returns the records of a run, with all that this process has made
// until now.
func (l *Launcher) Telemetry(ctx context.Context, q TelemetryQuestion) (TelemetryAnswer, error) {
	current, err := l.store.Status(ctx, q.RunID)
	if err != nil {
		return TelemetryAnswer{}, err
	}
	_, unknown := l.records.Get(ctx, q.RunID)
	if current.Activity != snapshot.Running || unknown != nil { // else whoever executes it does
		l.note(q.RunID)
	}
	if err := l.inside.Flush(ctx); err != nil {
		l.options.Logger.Warn("records are late", "error", l.Redact(err.Error()))
	}
	pending, err := l.pending(q.RunID)
	if err != nil {
		return TelemetryAnswer{}, err
	}
	answer, err := l.records.Telemetry(ctx, record.Query{RunID: q.RunID, Include: q.Include, PageSize: q.PageSize, Cursor: q.Cursor, Pending: pending})
	return TelemetryAnswer{true, answer}, err
}

// pending is how many records of a run wait for delivery.
func (t *telemetry) pending(runID string) (int, error) {
	folder := t.launcher.runFolder(runID)
	count, err := t.inside.Pending(folder)
	if outside := t.outsideOf(runID); outside != nil {
		more, err2 := outside.Pending(folder)
		count, err = count+more, errors.Join(err, err2)
	}
	return count, err
}
