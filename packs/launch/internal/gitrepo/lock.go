package gitrepo

import (
	"context"
	"os"
	"sync"
	"time"
)

// retryLock is how often a lock that another process holds is tried again.
const retryLock = 20 * time.Millisecond

// keyed has one lock for each file, which holds within this process and towards
// others.
type keyed struct {
	mu   sync.Mutex
	held map[string]chan struct{} // closed when given back
}

// lock waits until the file is ours or ctx ends. The file itself stays: removing
// it would let two hold it.
func (k *keyed) lock(ctx context.Context, path string) (unlock func(), err error) {
	mine, err := k.own(ctx, path)
	if err != nil {
		return nil, err
	}
	free := func() {
		k.mu.Lock()
		delete(k.held, path)
		k.mu.Unlock()
		close(mine)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		free()
		return nil, err
	}
	if err := waitFor(ctx, file); err != nil {
		file.Close()
		free()
		return nil, err
	}
	return func() { file.Close(); free() }, nil
}

// own takes the lock within this process.
func (k *keyed) own(ctx context.Context, path string) (chan struct{}, error) {
	for {
		k.mu.Lock()
		other := k.held[path]
		if other == nil {
			mine := make(chan struct{})
			if k.held == nil {
				k.held = map[string]chan struct{}{}
			}
			k.held[path] = mine
			k.mu.Unlock()
			return mine, nil
		}
		k.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, cancelled("wait for another fetch", ctx)
		}
	}
}

// waitFor takes the lock towards other processes. The system has no way to wait
// for one and for ctx at once.
func waitFor(ctx context.Context, file *os.File) error {
	for {
		if ok, err := lockFile(file); ok || err != nil {
			return err
		}
		select {
		case <-time.After(retryLock):
		case <-ctx.Done():
			return cancelled("wait for another fetch", ctx)
		}
	}
}

func cancelled(op string, ctx context.Context) error {
	return &Error{Kind: Cancelled, Op: op, Err: context.Cause(ctx)}
}
