package operate

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/commitsvc/inprocess"
	"mcpworks/packs/launch/internal/record"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
)

// telemetry keeps records of what was called, in the store of this data
// directory, and the events of the server.
type telemetry struct {
	records *record.Store
	sender  *record.Sender
	log     *serverLog
}

// flushTime is how long the end of the process waits for records to be kept.
const flushTime = 5 * time.Second

func openTelemetry(ctx context.Context, l *Launcher) (*telemetry, error) {
	records, err := record.OpenStore(ctx, filepath.Join(l.options.DataDir, "telemetry"), record.StoreOptions{
		Now: l.options.Clock, Redact: l.secrets.current(), Events: l.eachEvent,
	})
	if err != nil {
		return nil, err
	}
	sender, err := record.NewSender(record.SenderConfig{
		URL: "http://localhost", Transport: inprocess.Transport(records.Handler(record.HandlerOptions{})), Folder: l.options.DataDir,
		Redact: l.secrets.current(), Now: l.options.Clock, Log: l.options.Logger,
	})
	if err != nil {
		return nil, errors.Join(err, records.Close())
	}
	return &telemetry{records, sender, &serverLog{folder: l.options.DataDir, clock: l.options.Clock, random: l.options.Random}}, nil
}

func (t *telemetry) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	return errors.Join(t.sender.Close(ctx), t.records.Close())
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
		Send: l.sender.Create, Redact: l.secrets.current(), Now: l.options.Clock,
		Emit: func(event string, payload map[string]any) {
			if err := l.log.append(event, payload); err != nil {
				l.options.Logger.Warn("an event of the server could not be written", "error", l.Redact(err.Error()))
			}
		},
		RunFolder: func(runID string) (string, bool) {
			if _, err := l.versionOf(runID); err != nil {
				return l.options.DataDir, false
			}
			return filepath.Join(l.options.DataDir, "runs", runID), true
		},
	}
	return calls.Begin(call)
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
	if _, err := l.store.Status(ctx, q.RunID); err != nil {
		return TelemetryAnswer{}, err
	}
	if err := l.sender.Flush(ctx); err != nil {
		l.options.Logger.Warn("records are late", "error", l.Redact(err.Error()))
	}
	pending, err := l.sender.Pending(filepath.Join(l.options.DataDir, "runs", q.RunID))
	if err != nil {
		return TelemetryAnswer{}, err
	}
	answer, err := l.records.Telemetry(ctx, record.Query{RunID: q.RunID, Include: q.Include, PageSize: q.PageSize, Cursor: q.Cursor, Pending: pending})
	if errors.Is(err, record.ErrNotFound) { // nobody has called about it yet
		answer = record.Answer{RunID: q.RunID, Runs: []record.Record{}, Summary: record.Summary{
			ByJobType: map[string]int{}, ByStatus: map[string]int{}, EventTypes: map[string]int{}, APIPosted: pending == 0, OutboxPending: pending,
		}}
		err = nil
	}
	return TelemetryAnswer{true, answer}, err
}
