package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"mcpworks/internal/secret"
	"mcpworks/packs/launch/internal/redact"
)

const (
	createPath = "/api/v1/runs"

	defaultQueue = 10_000
	defaultEvery = time.Minute
	defaultMax   = 10 << 20
)

// SenderConfig says where records go. Zero values have the defaults of 12.3.
type SenderConfig struct {
	// URL is the address of the service, without a path of the API.
	URL       string
	Token     secret.String
	Transport http.RoundTripper // nil means the network
	// Folder is the data directory: it has the outbox of what belongs to no run,
	// and the dead letters.
	Folder string
	// Outbox is the name of the files of what waits; empty means OutboxName.
	// Senders to different services must not share a file.
	Outbox string
	Redact *redact.Redactor
	Queue  int           // how many records may wait in memory
	Every  time.Duration // how often outboxes are tried again
	Max    int64         // bytes of an outbox
	Now    func() time.Time
	Wait   func(ctx context.Context, d time.Duration) error // before another try
	Log    *slog.Logger
}

// Counts are what became of records.
type Counts struct {
	Sent    int // the service has them
	Kept    int // put into an outbox, perhaps sent later
	Dead    int // refused for good
	Dropped int // lost, since an outbox was full
}

// A Sender delivers records, one after the other. Its methods do not wait for
// the network, except Flush and Close.
type Sender struct {
	config SenderConfig
	http   *http.Client
	ctx    context.Context
	cancel context.CancelFunc
	wake   chan struct{} // has one element when there is something to do
	done   chan struct{}

	mu      sync.Mutex
	queue   []item
	sending string // the folder of the item that is on its way; empty if none is
	flushes []chan error
	folders map[string]bool // that may have an outbox
	counts  Counts
	closed  bool
}

// An item is a line on its way, and the folder of its outbox.
type item struct {
	folder string
	line   line
}

// NewSender starts a sender. Close ends it.
func NewSender(config SenderConfig) (*Sender, error) {
	if err := os.MkdirAll(config.Folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the outbox: %w", err)
	}
	if config.Redact == nil {
		config.Redact = redact.New(redact.Rules{})
	}
	config.Outbox = orDefault(config.Outbox, OutboxName)
	config.Queue = orDefault(config.Queue, defaultQueue)
	config.Every = orDefault(config.Every, defaultEvery)
	config.Max = orDefault(config.Max, defaultMax)
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Wait == nil {
		config.Wait = wait
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &Sender{
		config: config, ctx: ctx, cancel: cancel, wake: make(chan struct{}, 1), done: make(chan struct{}), folders: map[string]bool{config.Folder: true},
		http: &http.Client{Transport: config.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
	go s.run()
	return s, nil
}

func orDefault[T comparable](value, fallback T) T {
	var zero T
	if value == zero {
		return fallback
	}
	return value
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// Create sends a new record. Folder is that of the run, where its outbox is;
// empty means the data directory.
func (s *Sender) Create(folder string, r Record) error {
	if err := r.complete(); err != nil {
		return err
	}
	return s.put(folder, http.MethodPost, createPath, r.EventID, r)
}

// Update sends a change of a record, behind the record itself.
func (s *Sender) Update(folder, eventID string, u Update) error {
	if err := u.check(); err != nil {
		return err
	}
	return s.put(folder, http.MethodPatch, createPath+"/"+eventID, eventID, u)
}

// Associate sends the commit that came of each of the records (11.3).
func (s *Sender) Associate(folder string, eventIDs []string, c Commit) error {
	if err := c.check(); err != nil {
		return err
	}
	var faults []error
	for _, id := range eventIDs {
		faults = append(faults, s.put(folder, http.MethodPost, createPath+"/"+id+"/associate-commit", id, c))
	}
	return errors.Join(faults...)
}

// put redacts a payload and queues it. When the queue is full, all of it moves
// to the outboxes: what comes later never overtakes what came before.
func (s *Sender) put(folder, method, endpoint, eventID string, payload any) error {
	text, err := json.Marshal(s.config.Redact.Value(payload))
	if err != nil {
		return err
	}
	if info, err := os.Stat(folder); folder == "" || err != nil || !info.IsDir() {
		folder = s.config.Folder // the run is gone, and must not come back
	}
	next := item{folder, line{Endpoint: endpoint, Method: method, Payload: text, EventID: eventID, TS: Time(s.config.Now())}}
	s.mu.Lock()
	s.folders[folder] = true
	s.queue = append(s.queue, next)
	var over []item
	if len(s.queue) > s.config.Queue || s.closed {
		over, s.queue = s.queue, nil
		err = s.spill(over)
	}
	s.mu.Unlock()
	s.signal()
	return err
}

func (s *Sender) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// spill writes items into their outboxes, in order. The lock is held.
func (s *Sender) spill(items []item) error {
	byFolder := map[string][]line{}
	for _, it := range items {
		byFolder[it.folder] = append(byFolder[it.folder], it.line)
	}
	var faults []error
	for _, folder := range slices.Sorted(maps.Keys(byFolder)) {
		faults = append(faults, s.keep(folder, byFolder[folder]))
	}
	return errors.Join(faults...)
}

// keep puts lines into an outbox. The lock is held.
func (s *Sender) keep(folder string, lines []line) error {
	dropped, err := s.outbox(folder).add(lines, func(now int, earlier *line) line { return s.truncated(folder, now, earlier) })
	if err != nil {
		s.counts.Dropped += len(lines)
		s.config.Log.Error("telemetry is lost: the outbox cannot be written", "records", len(lines), "error", err)
		return err
	}
	s.counts.Kept += len(lines)
	if dropped > 0 {
		s.counts.Dropped += dropped
		s.config.Log.Error("telemetry is lost: the outbox is full", "records", dropped)
	}
	return nil
}

func (s *Sender) outbox(folder string) outbox { return outbox{folder, s.config.Outbox, s.config.Max} }

// truncated is the line that stands for lines that were dropped: a record, which
// is delivered with the others (C-35).
func (s *Sender) truncated(folder string, now int, earlier *line) line {
	at, runID := s.config.Now(), "server"
	if folder != s.config.Folder {
		runID = filepath.Base(folder)
	}
	child := ChildID(runID, Telemetry, Time(at))
	l := line{Endpoint: createPath, Method: http.MethodPost, EventID: EventID(child), TS: Time(at), Dropped: now}
	if earlier != nil {
		l.EventID, l.Dropped = earlier.EventID, earlier.Dropped+now
	}
	r := Record{
		EventID: l.EventID, RunID: child, ParentRunID: runID, AgentName: Delivery, JobType: Telemetry, Status: Failure,
		StartTime: l.TS, ItemName: TruncatedItem, ItemsFailed: &l.Dropped, Metrics: map[string]any{"dropped": l.Dropped}, Context: map[string]any{},
	}
	l.Payload, _ = json.Marshal(r) // it has nothing that could fail
	return l
}

// Watch makes an outbox of an earlier process known, so that it is delivered.
func (s *Sender) Watch(folder string) {
	s.mu.Lock()
	s.folders[folder] = true
	s.mu.Unlock()
}

// Pending is how many records wait, in an outbox or in memory; empty means those
// of the data directory.
func (s *Sender) Pending(folder string) (int, error) {
	if folder == "" {
		folder = s.config.Folder
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting, err := s.outbox(folder).read()
	return len(waiting) + s.inMemory(folder), err
}

// Safe says whether nothing of a folder would be lost if the process were killed
// now: everything has arrived or is in the outbox.
func (s *Sender) Safe(folder string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inMemory(folder) == 0
}

// inMemory counts what is neither sent nor in an outbox. The lock is held.
func (s *Sender) inMemory(folder string) (count int) {
	for _, it := range s.queue {
		if it.folder == folder {
			count++
		}
	}
	if s.sending == folder {
		count++
	}
	return count
}

// Counts returns what became of records so far.
func (s *Sender) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// Flush waits until all records of before were sent or put into an outbox, and
// all outboxes were tried. Its error is that of ctx, or why an outbox is not
// empty.
func (s *Sender) Flush(ctx context.Context) error {
	done := make(chan error, 1)
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return errors.New("the sender is closed")
	}
	s.flushes = append(s.flushes, done)
	s.mu.Unlock()
	s.signal()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-s.done:
		return errors.New("the sender is closed")
	}
}

// FlushSoon has all outboxes tried, and waits for nothing.
func (s *Sender) FlushSoon() {
	s.mu.Lock()
	s.flushes = append(s.flushes, make(chan error, 1))
	s.mu.Unlock()
	s.signal()
}

// Close flushes as long as ctx lasts. What is left then goes to the outboxes.
func (s *Sender) Close(ctx context.Context) error {
	err := s.Flush(ctx)
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	<-s.done
	s.http.CloseIdleConnections()
	s.mu.Lock()
	defer s.mu.Unlock()
	left := s.queue
	s.queue = nil
	return errors.Join(err, s.spill(left))
}
