package server

import (
	"context"

	"mcpworks/mcp/jsonrpc"
)

// A task is a request on its way to a goroutine.
type task struct {
	ctx context.Context
	r   *Request
}

var errClosing = &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "server is shutting down"}

// admit books a request under its id, unless that id is still in flight.
func (s *session) admit(r *Request) *jsonrpc.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return errClosing
	}
	if s.inFlight[r.id] != nil {
		return &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "Invalid Request: a request with this id is still in flight"}
	}
	s.inFlight[r.id] = r
	return nil
}

// schedule runs a request in a goroutine of its own, once fewer than the
// allowed number are running. Requests that wait are few and small, too: when
// they are not, schedule blocks, nothing more is read from this client, and
// only this client feels it.
func (s *session) schedule(ctx context.Context, r *Request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	limits := &s.srv.opts.Limits
	for s.running >= limits.Calls && !s.closing &&
		(len(s.waiting) >= limits.Waiting || s.waitingBytes > limits.WaitingBytes) {
		s.room.Wait()
	}
	switch {
	case s.closing:
		return errClosing
	case s.running >= limits.Calls:
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

// maxResting is how many goroutines of a connection are kept for later calls:
// their stacks have grown already.
const maxResting = 16

// work answers a request, then those that waited, then those that come.
func (s *session) work(t task) {
	for ok := true; ok; {
		t.r.answer(t.ctx)
		var rest bool
		if t, ok, rest = s.next(); rest {
			t, ok = <-s.handOver
		}
	}
}

// next gives a goroutine its next request, or tells it to rest or to end.
func (s *session) next() (t task, ok, rest bool) {
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

// cancelRequest stops a request; it is then not answered. Unknown ids are
// ignored, and so is one that waits: it is passed over when its turn comes.
func (s *session) cancelRequest(id jsonrpc.ID) {
	s.mu.Lock()
	r := s.inFlight[id]
	if r != nil {
		delete(s.inFlight, id)
		s.forgetListen(r)
	}
	s.mu.Unlock()
	if r != nil {
		r.finish()
		r.cancel()
	}
}

// finish marks a request as over and reports whether it was not so before. An
// answer may be sent only by the one who finished the request.
func (r *Request) finish() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := !r.over
	r.over = true
	return first
}
