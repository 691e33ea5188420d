package gitrepo

import (
	"context"
	"os"
	"sync"

	"mcpworks/packs/launch/internal/run/flock"
)

// keyed has one lock for each file, which holds within this process and towards
// others.
type keyed struct {
	mu   sync.Mutex
	held map[string]chan struct{} // closed when given back
}

// lock waits until the file is ours or ctx ends. The file itself stays: removing
// it would let two hold it.
func (k *keyed) lock(ctx context.Context, path string) (file *os.File, unlock func(), err error) {
	mine, err := k.own(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	free := func() {
		k.mu.Lock()
		delete(k.held, path)
		k.mu.Unlock()
		close(mine)
	}
	if file, err = os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		free()
		return nil, nil, err
	}
	if err := flock.Lock(ctx, file); err != nil {
		file.Close()
		free()
		if ctx.Err() != nil {
			err = cancelled("wait for the repository", ctx)
		}
		return nil, nil, err
	}
	return file, func() { file.Close(); free() }, nil
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
			return nil, cancelled("wait for the repository", ctx)
		}
	}
}

func cancelled(op string, ctx context.Context) error {
	return &Error{Kind: Cancelled, Op: op, Err: context.Cause(ctx)}
}
