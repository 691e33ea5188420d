package server

import (
	"context"
	"sync"

	"mcpworks/mcp/jsonrpc"
)

// A schedule runs the requests of one connection beside each other: a bounded
// number at once, a bounded number waiting.
type schedule struct {
	limits Limits

	mu           sync.Mutex
	running      int
	resting      int       // goroutines that wait at handOver
	handOver     chan task // capacity maxResting; closed when closing
	waiting      []task
	waitingBytes int
	room         *sync.Cond    // some waiting request left, or closing
	closing      bool          // nothing new is taken
	idle         chan struct{} // closed once closing and nothing is running
}

// A task is a request on its way to a goroutine.
type task struct {
	ctx context.Context
	r   *Request
}

// maxResting is how many goroutines of a connection are kept for later calls:
// their stacks have grown already.
const maxResting = 16

var errClosing = &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "server is shutting down"}

func newSchedule(limits Limits) *schedule {
	s := &schedule{limits: limits, handOver: make(chan task, maxResting), idle: make(chan struct{})}
	s.room = sync.NewCond(&s.mu)
	return s
}

// start answers a request in a goroutine of its own, once fewer than the
// allowed number are running. Requests that wait are few and small, too: when
// they are not, start blocks, nothing more is read from this client, and only
// this client feels it.
func (s *schedule) start(ctx context.Context, r *Request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.running >= s.limits.Calls && !s.closing &&
		(len(s.waiting) >= s.limits.Waiting || s.waitingBytes > s.limits.WaitingBytes) {
		s.room.Wait()
	}
	switch {
	case s.closing:
		return errClosing
	case s.running >= s.limits.Calls:
		s.waiting = append(s.waiting, task{ctx, r})
		s.waitingBytes += r.size
		return nil
	}
	s.running++
	if s.resting > 0 {
		s.resting--
		s.handOver <- task{ctx, r}
	} else {
		go s.work(task{ctx, r})
	}
	return nil
}

// work answers a request, then those that waited, then those that come.
func (s *schedule) work(t task) {
	for ok := true; ok; {
		t.r.answer(t.ctx)
		var rest bool
		if t, ok, rest = s.next(); rest {
			t, ok = <-s.handOver
		}
	}
}

// next gives a goroutine its next request, or tells it to rest or to end.
func (s *schedule) next() (t task, ok, rest bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		s.running--
		if s.closing && s.running == 0 {
			close(s.idle)
		}
		if rest = !s.closing && s.resting < maxResting; rest {
			s.resting++
		}
		return task{}, false, rest
	}
	t = s.waiting[0]
	s.waiting[0] = task{}
	s.waiting = s.waiting[1:]
	s.waitingBytes -= t.r.size
	s.room.Signal()
	return t, true, false
}

// close takes nothing new; idle is closed when all that was taken is answered.
func (s *schedule) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
	close(s.handOver)
	s.room.Broadcast()
	if s.running == 0 {
		close(s.idle)
	}
}
