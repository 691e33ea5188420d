package run

import (
	"context"
	"sync"
)

// A Holder says who wants to change a run: a call of a connection, doing an
// operation. The queue has a connection of its own.
type Holder struct {
	Connection string
	Request    string
	Operation  string
}

// locks are the locks of this process, one per run (5.6). They order calls
// before these turn to the locks between processes, which know no queue. A call
// lets go of its lock, or of its wait for one, when its context ends: so a
// connection that closes keeps nothing.
type locks struct {
	mu      sync.Mutex
	holders map[string]*keyLock
}

// keyLock is there while somebody holds it.
type keyLock struct {
	by   Holder
	free chan struct{} // closed when it is let go
}

// take waits for the lock of a run. On an error it names who has it.
func (l *locks) take(ctx context.Context, runID string, by Holder) (Holder, error) {
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
