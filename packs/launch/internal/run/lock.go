package run

import (
	"context"
	"errors"
	"sync"
)

// A Holder says who wants to change a run: a call of a connection, doing an
// operation. The queue has a connection of its own.
type Holder struct {
	Connection string
	Request    string
	Operation  string
}

// errConnectionClosed ends the waits of a connection that is gone.
var errConnectionClosed = errors.New("the connection was closed")

// locks are the locks of this process, one per run (5.6). They order calls
// before these turn to the locks between processes, which know no queue.
type locks struct {
	mu      sync.Mutex
	holders map[string]*keyLock
	held    map[string]map[*Held]bool                    // by connection
	waiting map[string]map[*context.CancelCauseFunc]bool // by connection
}

// keyLock is there while somebody holds it.
type keyLock struct {
	by   Holder
	free chan struct{} // closed when it is let go
}

// take waits for the lock of a run. On an error it names who has it.
func (l *locks) take(ctx context.Context, runID string, by Holder) (Holder, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer l.wait(by.Connection, &cancel)()
	for {
		other, ok := l.try(runID, by)
		if ok {
			return by, nil
		}
		select {
		case <-other.free:
		case <-ctx.Done():
			return other.by, context.Cause(ctx)
		}
	}
}

func (l *locks) try(runID string, by Holder) (*keyLock, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if other := l.holders[runID]; other != nil {
		return other, false
	}
	if l.holders == nil {
		l.holders = map[string]*keyLock{}
	}
	l.holders[runID] = &keyLock{by, make(chan struct{})}
	return nil, true
}

func (l *locks) release(runID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.holders[runID].free)
	delete(l.holders, runID)
}

// wait remembers how to end a wait of a connection, until done is called.
func (l *locks) wait(connection string, cancel *context.CancelCauseFunc) (done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = remember(l.waiting, connection, cancel)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		forget(l.waiting, connection, cancel)
	}
}

// ReleaseConnection ends the waits of a connection and lets go of what it
// holds. Its calls have to be cancelled before.
func (s *Store) ReleaseConnection(ctx context.Context, connection string) error {
	var held []*Held
	s.locks.mu.Lock()
	for cancel := range s.locks.waiting[connection] {
		(*cancel)(errConnectionClosed)
	}
	for h := range s.locks.held[connection] {
		held = append(held, h)
	}
	s.locks.mu.Unlock()
	var errs []error
	for _, h := range held {
		errs = append(errs, h.Release(ctx))
	}
	return errors.Join(errs...)
}

func remember[T comparable](sets map[string]map[T]bool, key string, value T) map[string]map[T]bool {
	if sets == nil {
		sets = map[string]map[T]bool{}
	}
	if sets[key] == nil {
		sets[key] = map[T]bool{}
	}
	sets[key][value] = true
	return sets
}

func forget[T comparable](sets map[string]map[T]bool, key string, value T) {
	delete(sets[key], value)
	if len(sets[key]) == 0 {
		delete(sets, key)
	}
}
