package eventlog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"mcpworks/packs/launch/internal/run/flock"
)

const (
	// CurrentFence appends with the fence of the last event: for those who hold
	// no lease, as a call that cancels a run (5.8).
	CurrentFence int64 = -1

	// groupCommit is how long an audit event may wait for its fsync.
	groupCommit = 50 * time.Millisecond
	// patience is how long an append waits for those of others. They are short.
	patience = 10 * time.Second
)

// Append adds the events that decide asks for, or none if it returns an error.
//
//  1. The append lock, a lock on the log file, keeps out all other writers.
//  2. What others appended is read first, a torn tail is cut off.
//  3. A writer whose fence is older than the last event's is refused.
//  4. Decide sees the log as it now is, through what Each was told.
//  5. The events are numbered, chained and written in one piece.
//  6. The file is fsynced, for audit events a little later.
//  7. Settle, which may be nil, is called before others can append: what is
//     derived from the log is written in the order of the log.
func (l *Log) Append(fence int64, decide func() ([]Draft, error), settle func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := flock.Lock(ctx, l.file); err != nil {
		return fmt.Errorf("append to the event log: %w", err)
	}
	defer flock.Unlock(l.file)

	if err := l.catchUp(); err != nil {
		return err
	}
	if fence == CurrentFence {
		fence = l.head.Fence
	}
	if fence < l.head.Fence {
		return fmt.Errorf("append with fence %d after %d: %w", fence, l.head.Fence, ErrFenced)
	}
	drafts, err := decide()
	if err != nil || len(drafts) == 0 {
		return err
	}
	if err := l.write(fence, drafts); err != nil {
		return err
	}
	if settle != nil {
		settle()
	}
	return nil
}

// write appends the drafts. The append lock is held.
func (l *Log) write(fence int64, drafts []Draft) error {
	head, audit := l.head, true
	var events []Event
	var lines bytes.Buffer
	for _, draft := range drafts {
		event, err := l.follow(head, fence, draft)
		if err != nil {
			return fmt.Errorf("make the event %s: %w", draft.Type, err)
		}
		head = event.head()
		audit = audit && draft.Audit
		events = append(events, event)
		line := event.line()
		if len(line) > maxLine {
			return fmt.Errorf("make the event %s: %w", draft.Type, errLongLine)
		}
		lines.Write(line)
	}
	if _, err := l.file.Write(lines.Bytes()); err != nil {
		// What was written of it is cut off now, or by whoever appends next.
		return errors.Join(fmt.Errorf("append to the event log: %w", err), l.file.Truncate(l.end))
	}
	if err := l.settle(audit); err != nil {
		return err
	}
	l.end += int64(lines.Len())
	for _, event := range events {
		l.accept(event)
	}
	return nil
}

// follow makes the event that comes after head.
func (l *Log) follow(head Head, fence int64, draft Draft) (event Event, err error) {
	now := l.options.Clock()
	event = Event{
		Fence: fence, Parent: draft.Parent, Prev: head.Hash, RunID: l.options.RunID, Seq: head.Seq + 1,
		Span: draft.Span, Trace: head.Trace, Time: Time(now), Type: draft.Type,
	}
	if event.ID, err = newID(now, l.options.Random); err != nil {
		return event, err
	}
	if event.Trace == "" {
		if event.Trace, err = newHex(16, l.options.Random); err != nil {
			return event, err
		}
	}
	if event.Span == "" {
		if event.Span, err = newHex(8, l.options.Random); err != nil {
			return event, err
		}
	}
	if event.Payload, err = payloadOf(draft.Payload, l.options.Redact); err != nil {
		return event, err
	}
	event.Hash = event.hashOf()
	return event, nil
}

// settle brings what was written to the disk, at once or in a moment.
func (l *Log) settle(audit bool) error {
	if !audit {
		return l.syncNow()
	}
	if l.flush == nil {
		l.flush = time.AfterFunc(groupCommit, func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.flush != nil && !l.closed {
				_ = l.syncNow() // a failure is kept in broken
			}
		})
	}
	return nil
}

// syncNow makes all that was written last. After a failed fsync nobody knows
// what is on the disk, so this handle writes no more.
func (l *Log) syncNow() error {
	if l.flush != nil {
		l.flush.Stop()
		l.flush = nil
	}
	if err := l.file.Sync(); err != nil {
		l.broken = fmt.Errorf("sync the event log: %w", err)
		return l.broken
	}
	return nil
}
