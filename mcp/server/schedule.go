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

// admit books a request under its id, unless that id is still in flight.
func (s *session) admit(r *Request) *jsonrpc.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "server is shutting down"}
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
func (s *session) schedule(ctx context.Context, r *Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	limits := &s.srv.opts.Limits
	for s.running >= limits.Calls && !s.closing &&
		(len(s.waiting) >= limits.Waiting || s.waitingBytes > limits.WaitingBytes) {
		s.room.Wait()
	}
	if s.running >= limits.Calls {
		s.waiting = append(s.waiting, task{ctx, r})
		s.waitingBytes += r.size
		return
	}
	s.running++
	go s.work(task{ctx, r})
}

// work answers a request, then those that waited.
func (s *session) work(t task) {
	for ok := true; ok; t, ok = s.next() {
		t.r.answer(t.ctx)
	}
}

// next gives a goroutine its next request, or ends it.
func (s *session) next() (t task, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		s.running--
		if s.closing && s.running == 0 {
			close(s.idle)
		}
		return task{}, false
	}
	t = s.waiting[0]
	s.waiting[0] = task{}
	s.waiting = s.waiting[1:]
	s.waitingBytes -= t.r.size
	s.room.Signal()
	return t, true
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
