package launch

import (
	"context"
	"io"
	"sync"

	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/run"
)

// A departure executes runs, and knows which of them are on their way from one
// stable state to the next (5.1), so that a process can end between two of them.
type departure struct {
	operate.Executor

	mu      sync.Mutex
	under   map[string]*run.Held // the runs on their way, by id
	leaving bool
	idle    chan struct{} // closed when leaving and no run is on its way
}

// departing makes the executor of another one that can be left in order.
func (d *departure) departing(executor func(operate.Rooms) (operate.Executor, error)) func(operate.Rooms) (operate.Executor, error) {
	d.under, d.idle = map[string]*run.Held{}, make(chan struct{})
	return func(rooms operate.Rooms) (made operate.Executor, err error) {
		d.Executor, err = executor(rooms)
		return d, err
	}
}

// Execute implements operate.Executor. When the process is about to end, a run that
// is not on its way waits for that, and one that is goes on to the next stable state
// without being handed to others. The context ends when the run is let go of: it is
// then no longer this process that has it on its way.
func (d *departure) Execute(ctx context.Context, held *run.Held) (again bool, err error) {
	if !d.begin(held) {
		<-ctx.Done()
		return false, context.Cause(ctx)
	}
	for again = true; again; {
		if again, err = d.Executor.Execute(ctx, held); !d.end(held, again && err == nil) || err != nil {
			break
		}
	}
	context.AfterFunc(ctx, func() { d.drop(held) })
	return again, err
}

func (d *departure) begin(held *run.Held) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.leaving && d.under[held.ID()] == nil {
		return false
	}
	d.under[held.ID()] = held
	return true
}

// end notes that a step has ended, and says whether the next one has to follow.
func (d *departure) end(held *run.Held, again bool) (further bool) {
	if !again || held.Snapshot().State.Stable() {
		d.drop(held)
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.leaving
}

// drop notes that a run is not on its way here, unless it was taken up again since.
func (d *departure) drop(held *run.Held) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.under[held.ID()] == held {
		delete(d.under, held.ID())
	}
	d.look()
}

// look tells those who wait that nothing is on its way. The lock is held.
func (d *departure) look() {
	if d.leaving && len(d.under) == 0 {
		select {
		case <-d.idle:
		default:
			close(d.idle)
		}
	}
}

// Close ends what the executor holds.
func (d *departure) Close() error {
	if closer, ok := d.Executor.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// Linger waits, if the operator wants that, until the runs at work have come to
// their next stable state, or until ctx ends; none goes on from there. Work has
// to end afterwards (14.4).
func (l *Launcher) Linger(ctx context.Context) {
	if !l.cfg.Linger {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, l.cfg.Grace)
	defer cancel()
	d := &l.departure
	d.mu.Lock()
	d.leaving = true
	d.look()
	d.mu.Unlock()
	select {
	case <-d.idle:
	case <-ctx.Done():
	}
}
