package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/snapshot"
)

// A Run is an open run. One that was opened by Store.Open can be read, and
// cancelled; one that comes from Store.Hold can be changed. Its methods may be
// called at the same time.
type Run struct {
	id    string
	store *Store
	root  *os.Root
	log   *eventlog.Log
	fence int64 // of the lease; 0 without one

	mu       sync.Mutex // taken before the locks of the log
	snapshot *snapshot.Snapshot
	unsaved  bool      // the snapshot has changed since it was written
	indexed  index.Row // the row as this handle has last written it
}

// Open reads and verifies a run. The caller closes it.
func (s *Store) Open(runID string) (*Run, error) {
	root, err := s.folder(runID)
	if err != nil {
		return nil, err
	}
	r := &Run{id: runID, store: s, root: root, snapshot: &snapshot.Snapshot{}}
	if r.log, err = eventlog.Open(root, r.logOptions()); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	if r.snapshot.RunID == "" {
		return nil, errors.Join(eventlog.ErrEmpty, r.log.Broken(), r.Close())
	}
	return r, nil
}

func (r *Run) logOptions() eventlog.Options {
	return eventlog.Options{
		RunID: r.id, Clock: r.store.options.Clock, Random: r.store.options.Random, Redact: r.store.options.Redact,
		Each: func(e eventlog.Event) {
			if r.snapshot.Reduce(e) {
				r.unsaved = true
			}
		},
	}
}

// ID is the name of the run.
func (r *Run) ID() string { return r.id }

// Root is the folder of the run.
func (r *Run) Root() *os.Root { return r.root }

// Snapshot returns the run as this handle knows it.
func (r *Run) Snapshot() *snapshot.Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.snapshot.Clone()
}

// Refresh reads what other processes have appended.
func (r *Run) Refresh() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.Refresh()
}

// Broken says why the run can only be read; nil when all is well.
func (r *Run) Broken() error { return r.log.Broken() }

// Close lets go of the files.
func (r *Run) Close() error { return errors.Join(r.log.Close(), r.root.Close()) }

// Status returns a run as its log has it now. Mostly that is the snapshot on
// disk and the few events after it; if that does not fit together, the whole
// log is read.
func (s *Store) Status(_ context.Context, runID string) (*snapshot.Snapshot, error) {
	root, err := s.folder(runID)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if current, ok := peek(root, runID); ok {
		return current, nil
	}
	r, err := s.Open(runID)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.snapshot, nil
}

func peek(root *os.Root, runID string) (*snapshot.Snapshot, bool) {
	text, err := root.ReadFile(snapshot.FileName)
	if err != nil {
		return nil, false
	}
	current, err := snapshot.Decode(text)
	if err != nil || current.RunID != runID {
		return nil, false
	}
	file, err := root.Open(eventlog.FileName)
	if err != nil {
		return nil, false
	}
	defer file.Close()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, false
	}
	events, ok := eventlog.Tail(file, size, current.LastSeq, current.LastHash)
	for _, event := range events {
		current.Reduce(event)
	}
	return current, ok
}

// Events calls each with the events of a run in order.
func (s *Store) Events(runID string, each func(eventlog.Event)) error {
	root, err := s.folder(runID)
	if err != nil {
		return err
	}
	defer root.Close()
	log, err := eventlog.Open(root, eventlog.Options{RunID: runID, Clock: s.options.Clock, Random: s.options.Random, Each: each})
	if err != nil {
		return fmt.Errorf("read the events of a run: %w", err)
	}
	return log.Close()
}
