package cache

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"mcpworks/packs/contextengine/internal/document"
)

// batch is how many documents a worker takes at a time: few enough to share
// the work evenly, enough not to quarrel over it.
const batch = 16

// Workers is how many workers make the best of the machine as it is now.
func Workers() int { return runtime.GOMAXPROCS(0) }

// Each reads and checks all documents and shows them to visit, which is called
// by so many workers at once, each with a number of its own. The first entry
// that fails, in the order of the manifest, decides the error. It stops at the
// next document when ctx ends.
func (c *Cache) Each(ctx context.Context, workers int, visit func(worker, i int, d *document.Document)) error {
	all := c.order
	if all == nil {
		all = make([]int, len(c.manifest.Entries))
		for i := range all {
			all[i] = i
		}
	}
	return c.EachOf(ctx, workers, all, visit)
}

// EachOf is Each for some of the entries; the first of them that fails decides.
func (c *Cache) EachOf(ctx context.Context, workers int, entries []int, visit func(worker, i int, d *document.Document)) error {
	var next atomic.Int64
	failed := failure{at: len(entries)}
	work := func(worker int) {
		var r reader
		for {
			from := int(next.Add(batch)) - batch
			to := min(from+batch, len(entries))
			if from >= to {
				return
			}
			for at := from; at < to; at++ {
				if ctx.Err() != nil || at > failed.first() {
					return
				}
				if err := c.show(&r, worker, entries[at], visit); err != nil {
					failed.record(at, err)
					return
				}
			}
		}
	}
	var all sync.WaitGroup
	for worker := range min(workers, (len(entries)+batch-1)/batch) {
		all.Go(func() { work(worker) })
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return failed.err
}

// show reads a document and shows it. A panic is this document's error.
func (c *Cache) show(r *reader, worker, i int, visit func(worker, i int, d *document.Document)) (err error) {
	defer Recovered(&err)
	d, err := r.read(c, i)
	if err == nil {
		visit(worker, i, &d)
	}
	return err
}

// Recovered, deferred, makes a panic an error: in a goroutine that serves others
// it would end the process.
func Recovered(err *error) {
	if cause := recover(); cause != nil {
		*err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
	}
}

// A failure is the first error in the order of the work. What comes before it
// has been handed out, so that it is known once all workers are done.
type failure struct {
	mu  sync.Mutex
	at  int
	err error
}

func (f *failure) first() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at
}

func (f *failure) record(at int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at < f.at {
		f.at, f.err = at, err
	}
}
