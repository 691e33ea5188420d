package server

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// A schedule runs the requests of one connection beside each other: a bounded
// number at once, a bounded number waiting.
type schedule struct {
	limits  Limits
	sending atomic.Int64 // how many are just handing a message to the connection

	mu           sync.Mutex
	running      int
	resting      int       // goroutines that wait at handOver
	handOver     chan task // capacity maxResting; closed when closing
	waiting      []task
	waitingBytes int
	impatient    bool          // patience has run out; until there is room again
	room         chan struct{} // not nil while start is blocked; closed when it may go on
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

// ErrClosing and ErrBusy answer requests that nobody can take: the server is
// about to end, or too many wait already. A Dialect knows them by their address. A
// handler that has too much to do gives its error ErrBusy as the cause.
var (
	ErrClosing = &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "server is shutting down"}
	ErrBusy    = transport.ErrBusy
)

func newSchedule(limits Limits) *schedule {
	return &schedule{limits: limits, handOver: make(chan task, maxResting), idle: make(chan struct{})}
}

// patience is how long a request waits for a place to wait at.
const patience = time.Second

// start answers a request in a goroutine of its own, once fewer than the
// allowed number are running. Requests that wait are few and small, too: when
// they are not, start blocks, nothing more is read from this client, and only
// this client feels it. But calls that hang, perhaps for an answer of the
// client itself, must not deafen the server: after a while the request is
// refused and reading goes on.
func (s *schedule) start(ctx context.Context, r *Request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.full() {
		if s.impatient || !s.awaitRoom() && s.full() {
			s.impatient = true
			return ErrBusy
		}
	}
	switch {
	case s.closing:
		return ErrClosing
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

// full says whether a request has no place; the caller holds mu.
func (s *schedule) full() bool {
	return s.running >= s.limits.Calls && !s.closing &&
		(len(s.waiting) >= s.limits.Waiting || s.waitingBytes > s.limits.WaitingBytes)
}

// awaitRoom waits for a change and reports whether waiting on makes sense; the
// caller holds mu, which is released meanwhile. When all that runs is waiting
// for the client to read, only the client can help.
func (s *schedule) awaitRoom() bool {
	if s.room == nil {
		s.room = make(chan struct{})
	}
	room := s.room
	s.mu.Unlock()
	defer s.mu.Lock()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-room:
		return true
	case <-timer.C:
		return int(s.sending.Load()) >= s.limits.Calls
	}
}

// makeRoom lets a blocked start look again; the caller holds mu.
func (s *schedule) makeRoom() {
	s.impatient = false
	if s.room != nil {
		close(s.room)
		s.room = nil
	}
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
		s.leaveLocked()
		if rest = !s.closing && s.resting < maxResting; rest {
			s.resting++
		}
		return task{}, false, rest
	}
	t = s.waiting[0]
	s.waiting[0] = task{}
	s.waiting = s.waiting[1:]
	s.waitingBytes -= t.r.size
	s.makeRoom()
	return t, true, false
}

// enter books work that is done beside the schedule and that close waits for,
// up to leave. It reports false when nobody waits for anything more.
func (s *schedule) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing {
		s.running++
	}
	return !s.closing
}

func (s *schedule) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leaveLocked()
}

// leaveLocked is leave for a caller that holds mu.
func (s *schedule) leaveLocked() {
	s.running--
	if s.closing && s.running == 0 {
		close(s.idle)
	}
}

// giveUp takes a request out of those that wait.
func (s *schedule) giveUp(r *Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, t := range s.waiting {
		if t.r == r {
			s.waiting = slices.Delete(s.waiting, i, i+1)
			s.waitingBytes -= r.size
			s.makeRoom()
			return
		}
	}
}

// close takes nothing new; idle is closed when all that was taken is answered.
func (s *schedule) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
	close(s.handOver)
	s.makeRoom()
	if s.running == 0 {
		close(s.idle)
	}
}
