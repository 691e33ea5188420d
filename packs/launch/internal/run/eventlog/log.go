// Package eventlog is the one truth about a run: a file of events that is only
// ever appended to, each event holding the hash of the one before (5.3).
//
// Several processes may have one log open. Append says how they keep out of
// each other's way; Refresh reads what others have written.
package eventlog

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// FileName is the name of the log in the folder of a run.
const FileName = "events.ndjson"

// Errors that callers act on.
var (
	// ErrChainBroken: a line is not what was written. The events before it can
	// be read, and nothing can be appended.
	ErrChainBroken = errors.New("the event log was changed")
	// ErrFenced: another process has taken over since the writer's lease began.
	ErrFenced = errors.New("the lease has been taken over")
	// ErrEmpty: there is no event at all.
	ErrEmpty = errors.New("the event log is empty")
)

// Options are what a log needs to know.
type Options struct {
	RunID  string
	Clock  func() time.Time
	Random io.Reader
	// Redact takes secrets out of a payload before it is written; it may be nil.
	Redact func(any) any
	// Each sees every event in order: those that were there, those of other
	// processes and those appended here. It must not call the log.
	Each func(Event)
}

// Head is the end of a log.
type Head struct {
	Seq   int64
	Hash  string
	Fence int64  // of the last event
	Trace string // of the run
}

// A Log is an open event log. Its methods may be called at the same time.
type Log struct {
	options Options
	root    *os.Root
	file    *os.File

	mu     sync.Mutex
	head   Head
	end    int64 // of the last event read or written, in bytes
	broken error // why nothing may be appended
	flush  *time.Timer
	closed bool
}

// Create makes an empty log in the folder of a run. The first append makes it
// last.
func Create(root *os.Root, options Options) (*Log, error) {
	return open(root, options, os.O_CREATE|os.O_EXCL)
}

// Open reads and verifies a log. A broken chain is no error here: Broken tells,
// and what comes before the break can be used.
func Open(root *os.Root, options Options) (*Log, error) {
	log, err := open(root, options, 0)
	if err != nil {
		return nil, err
	}
	if err := log.Refresh(); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	return log, nil
}

func open(root *os.Root, options Options, flags int) (*Log, error) {
	file, err := root.OpenFile(FileName, os.O_RDWR|os.O_APPEND|flags, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the event log: %w", err)
	}
	return &Log{options: options, root: root, file: file, head: Head{Hash: strings.Repeat("0", 64)}}, nil
}

// Head returns the end of what is known here.
func (l *Log) Head() Head {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.head
}

// Broken says why nothing can be appended; nil when all is well.
func (l *Log) Broken() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.broken
}

// Close makes all events last and lets go of the file.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	var err error
	if l.flush != nil { // audit events wait for their fsync
		err = l.syncNow()
	}
	return errors.Join(err, l.file.Close())
}
