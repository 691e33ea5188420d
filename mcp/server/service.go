package server

import (
	"context"
	"sync"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// The server as transport.Service: for HTTP, where every message comes by
// itself and is answered by the goroutine that brought it.

// Limits implements transport.Service.
func (srv *Server) Limits() rawjson.Limits { return srv.json }

// Revisions implements transport.Service.
func (srv *Server) Revisions() []*mcp.Revision { return srv.opts.Revisions }

// CheckBatch implements transport.Service.
func (srv *Server) CheckBatch(rev *mcp.Revision, messages int) *jsonrpc.Error {
	switch {
	case rev == nil || !rev.Batches:
		return invalidRequest("batches are not part of this protocol revision")
	case messages == 0:
		return invalidRequest("a batch has at least one message")
	case messages > srv.opts.Limits.Batch:
		return invalidRequest("too many messages in one batch")
	}
	return nil
}

// Refusal implements transport.Service.
func (srv *Server) Refusal(rev *mcp.Revision, id jsonrpc.ID, err *jsonrpc.Error) []byte {
	if rev == nil {
		rev = srv.opts.Revisions[0]
	}
	return jsonrpc.AppendErrorResponse(nil, id, srv.dialect.tell(nil, err), rev.ErrorsMayLackID && !srv.dialect.NullID)
}

// Open implements transport.Service.
func (srv *Server) Open(tell func([]byte) error) transport.Session {
	s := srv.newSession(tell)
	s.start = answerHere
	s.holds = true
	return s
}

// Assume implements transport.Session.
func (s *session) Assume(rev *mcp.Revision) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rev, s.initialized = rev, true
}

// Close implements transport.Session.
func (s *session) Close() {
	s.refuseNew()
	s.mu.Lock()
	var open []*Request
	for _, r := range s.inFlight {
		open = append(open, r)
	}
	s.mu.Unlock()
	for _, r := range open {
		s.cancelRequest(r.id)
	}
	s.stopWatching()
}

// hearChanges books a session for news of changes, unless it or the server is
// going.
func (s *session) hearChanges() bool {
	s.srv.mu.Lock() // before the session's own
	defer s.srv.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || s.srv.ending {
		return false
	}
	s.srv.sessions[s] = struct{}{}
	return true
}

// refuseNew lets no further request in, and no news.
func (s *session) refuseNew() {
	s.srv.mu.Lock()
	defer s.srv.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
	delete(s.srv.sessions, s)
}

// HeaderParams implements transport.Service.
func (srv *Server) HeaderParams(tool string) []transport.HeaderParam {
	if t, ok := srv.tools.Load().find(tool); ok {
		return t.headers
	}
	return nil
}

// EndSubscriptions tells all who listen that the server is going, and answers
// their requests, until ctx ends. Nobody can begin to listen after it.
func (srv *Server) EndSubscriptions(ctx context.Context) {
	srv.mu.Lock()
	srv.ending = true
	srv.mu.Unlock()
	var all sync.WaitGroup
	for _, s := range srv.openSessions() {
		all.Go(func() { s.endListens(ctx) })
	}
	all.Wait()
}
