// Package run keeps runs: each one a folder with its event log, its snapshot
// and its files, found through one index, changed by one holder at a time (5).
//
// The log is the truth. The snapshot and the index row are made from it and can
// be made again. Several processes may share a data directory, and any of them
// may be killed at any point.
//
//   - append.go: what happens when an event is appended
//   - resume.go: how a run goes on after a stop, a crash or a failure
//   - hold.go: who may change a run
package run

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

const runsFolder = "runs"

// Errors that callers act on, beside those of the rooms below.
var (
	ErrNotFound = errors.New("there is no such run")
	ErrID       = errors.New("a run id has 8 to 64 letters, digits, _ and -")
	// ErrCancelled: the run is being cancelled, so its work has to stop.
	ErrCancelled = errors.New("the run was cancelled")
	// ErrLeaseLost: the lease could not be renewed, and others may go on.
	ErrLeaseLost = errors.New("the lease of the run was lost")
)

// Options are what a store is made with. Zero values mean the defaults.
type Options struct {
	Clock  func() time.Time
	Random io.Reader // must bear being read at the same time
	Logger *slog.Logger
	// Redact takes secrets out of the payloads of events: decoded JSON in and
	// out. Nil leaves them as they are.
	Redact func(any) any
	// Migrate prepares tables of others in the index, those of the queue.
	Migrate func(context.Context, *sql.DB) error

	LeaseTTL    time.Duration // how long a dead holder keeps others out: 30 s
	RenewEvery  time.Duration // 10 s
	WatchEvery  time.Duration // how often a holder looks whether it is cancelled: 1 s
	LockWait    time.Duration // how long a call waits for another holder: 5 s
	CancelGrace time.Duration // how long cancel waits for a stage to stop: 10 s
}

// Enqueue asks for a run to be executed, within a transaction of the index. Seq
// is the number of events the executor must find; before that time it shall not
// begin.
type Enqueue func(ctx context.Context, tx *sql.Tx, runID string, seq int64, notBefore time.Time) error

// A Store is a data directory. Its methods may be called at the same time.
type Store struct {
	options  Options
	root     *os.Root // the data directory
	index    *index.DB
	instance string // this process among those on the data directory
	locks    locks
	sums     sums
}

// Open opens or makes a data directory. Runs that the index does not know are
// taken in: those whose making was cut short, or all of them if it was lost.
func Open(ctx context.Context, folder string, options Options) (*Store, error) {
	options = options.withDefaults()
	if err := os.MkdirAll(filepath.Join(folder, runsFolder), 0o700); err != nil {
		return nil, fmt.Errorf("make the data directory: %w", err)
	}
	id := make([]byte, 8)
	if _, err := io.ReadFull(options.Random, id); err != nil {
		return nil, fmt.Errorf("draw an instance id: %w", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("open the data directory: %w", err)
	}
	db, err := index.Open(ctx, folder, options.Migrate)
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	s := &Store{options: options, root: root, index: db, instance: hex.EncodeToString(id)}
	if err := s.adopt(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.keepReserve(); err != nil { // there is much that can be done without
		s.options.Logger.Warn("no room could be reserved", "error", err)
	}
	return s, nil
}

func (o Options) withDefaults() Options {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	for _, d := range []struct {
		value     *time.Duration
		otherwise time.Duration
	}{
		{&o.LeaseTTL, 30 * time.Second}, {&o.RenewEvery, 10 * time.Second}, {&o.WatchEvery, time.Second},
		{&o.LockWait, 5 * time.Second}, {&o.CancelGrace, 10 * time.Second},
	} {
		if *d.value == 0 {
			*d.value = d.otherwise
		}
	}
	return o
}

// Close lets go of the data directory. All runs have to be closed before.
func (s *Store) Close() error { return errors.Join(s.index.Close(), s.root.Close()) }

// Index is the index, for the queue.
func (s *Store) Index() *index.DB { return s.index }

// List returns a page of runs, the latest first.
func (s *Store) List(ctx context.Context, filter index.Filter, size int, after string) (page []index.Row, next string, err error) {
	return s.index.List(ctx, filter, size, after)
}

var idPattern = regexp.MustCompile(`^[a-zA-Z0-9_-]{8,64}$`)

// folder opens the folder of a run. The id is checked before any file is
// touched.
func (s *Store) folder(runID string) (*os.Root, error) {
	if !idPattern.MatchString(runID) {
		return nil, ErrID
	}
	root, err := s.root.OpenRoot(runsFolder + "/" + runID)
	if errors.Is(err, os.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("open the folder of a run: %w", err)
	}
	return root, nil
}

// adopt brings the index up to the folders. While it holds the write lock no
// run is being made, so what has no row lost it to a crash.
func (s *Store) adopt(ctx context.Context) error {
	return s.index.Update(ctx, func(tx *sql.Tx) error {
		known, err := index.Known(ctx, tx)
		if err != nil {
			return err
		}
		runs, err := s.root.Open(runsFolder)
		if err != nil {
			return fmt.Errorf("list the runs: %w", err)
		}
		defer runs.Close()
		names, err := runs.Readdirnames(-1)
		if err != nil {
			return fmt.Errorf("list the runs: %w", err)
		}
		for _, name := range names {
			if strings.HasPrefix(name, unfinished) {
				err = removeAll(s.root, runsFolder+"/"+name)
			} else if idPattern.MatchString(name) && !known[name] {
				err = s.adoptRun(ctx, tx, name)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// adoptRun takes a run in. If its key stands for another run by now, that keeps
// it; if this one is as its making left it, nobody was ever told of it, and it
// goes.
func (s *Store) adoptRun(ctx context.Context, tx *sql.Tx, runID string) error {
	r, err := s.Open(runID)
	if err != nil {
		s.options.Logger.Warn("a folder among the runs is no run", "run_id", runID, "error", err)
		return nil
	}
	defer r.Close()
	if key := r.snapshot.KeyHash; key != "" {
		switch other, err := index.Claim(ctx, tx, key, r.snapshot.RequestHash); {
		case errors.Is(err, index.ErrKeyConflict), err == nil && other != "":
			if r.snapshot.State == state.Created && r.snapshot.Activity == snapshot.Queued {
				return s.root.RemoveAll(runsFolder + "/" + runID)
			}
		case err != nil:
			return err
		default:
			if err := index.Bind(ctx, tx, key, r.snapshot.RequestHash, runID); err != nil {
				return err
			}
		}
	}
	return index.Put(ctx, tx, index.RowOf(r.snapshot))
}
