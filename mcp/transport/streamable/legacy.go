package streamable

import (
	"context"
	"net/http"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// postLegacy answers one message of a session, or the initialize that opens it.
func (h *Handler) postLegacy(w http.ResponseWriter, r *http.Request, in transport.Incoming) {
	if h.opts.Stateless {
		h.postStateless(w, r, in)
		return
	}
	if in.IsRequest() && in.Method == mcp.MethodInitialize && r.Header.Get(headerSession) == "" {
		h.open(w, r, in)
		return
	}
	s := h.session(w, r)
	if s == nil {
		return
	}
	defer h.sessions.release(s)
	h.answer(w, r, s, []transport.Incoming{in}, false)
}

// postBatch answers an array of messages where the session's revision has them.
func (h *Handler) postBatch(w http.ResponseWriter, r *http.Request, batch [][]byte) {
	s := h.session(w, r)
	if s == nil {
		return
	}
	defer h.sessions.release(s)
	if err := h.service.CheckBatch(s.Revision(), len(batch)); err != nil {
		refuse(w, http.StatusBadRequest, jsonrpc.ID{}, err)
		return
	}
	messages := make([]transport.Incoming, 0, len(batch))
	for _, frame := range batch {
		m, err := jsonrpc.Parse(frame)
		if err == nil && m.Method == mcp.MethodInitialize {
			err = invalidRequest("initialize cannot be part of a batch")
		}
		if err != nil {
			refuse(w, http.StatusBadRequest, m.ID, err)
			return
		}
		messages = append(messages, transport.Incoming{Message: m, Size: len(frame)})
	}
	h.answer(w, r, s, messages, true)
}

// answer hands messages to a session. The work goes on when the client hangs
// up: that is no cancellation before the modern era.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, s *session, messages []transport.Incoming, batch bool) {
	if !s.begin(h.opts.SessionCalls) {
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusTooManyRequests, jsonrpc.ID{}, invalidRequest("too many requests in flight in this session"))
		return
	}
	out := newOutlet(w, h.opts)
	out.batch, out.status, out.resumable, out.dropped = batch, legacyStatus, s.answerStream, make(chan struct{})
	done := make(chan struct{})
	go func() { // a response can end before its request does
		defer close(done)
		defer s.end()
		defer out.close()
		ctx := context.WithoutCancel(r.Context())
		for _, in := range messages {
			s.Handle(ctx, in, out)
		}
	}()
	select {
	case <-done:
	case <-out.dropped:
	}
}

func legacyStatus(transport.Outcome) int { return http.StatusOK }

// open answers initialize and, if it succeeded, keeps the session.
func (h *Handler) open(w http.ResponseWriter, r *http.Request, in transport.Incoming) {
	s := newSession(h.service, h.opts.Principal(r))
	if !h.sessions.add(s) {
		s.close()
		w.Header().Set("Retry-After", "60")
		refuse(w, http.StatusServiceUnavailable, in.ID, invalidRequest("too many sessions"))
		return
	}
	defer h.sessions.release(s)
	out := newOutlet(w, h.opts)
	out.status = func(outcome transport.Outcome) int {
		if outcome.Code == 0 {
			w.Header().Set(headerSession, s.id)
		}
		return http.StatusOK
	}
	s.Handle(r.Context(), in, out)
	out.close()
	if s.Revision() == nil {
		h.sessions.remove(s)
	}
}

// postStateless answers a legacy request by itself.
func (h *Handler) postStateless(w http.ResponseWriter, r *http.Request, in transport.Incoming) {
	version := r.Header.Get(headerVersion)
	if version == "" {
		version = mcp.V20250326.Version
	}
	rev := mcp.RevisionOf(version)
	if rev == nil || rev.Modern {
		refuse(w, http.StatusBadRequest, in.ID, invalidRequest("unsupported "+headerVersion))
		return
	}
	out := newOutlet(w, h.opts)
	out.status = legacyStatus
	defer out.close()
	session := h.service.Open(func(msg []byte) error { return out.Notify(r.Context(), msg) })
	defer session.Close()
	if !in.IsRequest() || in.Method != mcp.MethodInitialize {
		session.Assume(rev)
	}
	session.Handle(r.Context(), in, out)
}

// session finds the session a request names, or says what is wrong with it.
func (h *Handler) session(w http.ResponseWriter, r *http.Request) *session {
	id := r.Header.Get(headerSession)
	if id == "" {
		refuse(w, http.StatusBadRequest, jsonrpc.ID{}, invalidRequest("the header "+headerSession+" is missing: start with initialize"))
		return nil
	}
	s := h.sessions.use(id, h.opts.Principal(r))
	if s == nil {
		refuse(w, http.StatusNotFound, jsonrpc.ID{}, invalidRequest("session not found: start again with initialize"))
		return nil
	}
	if version := r.Header.Get(headerVersion); version != "" {
		rev := mcp.RevisionOf(version)
		if rev == nil {
			h.sessions.release(s)
			refuse(w, http.StatusBadRequest, jsonrpc.ID{}, invalidRequest("unsupported "+headerVersion))
			return nil
		}
		if rev != s.Revision() {
			h.opts.Log.Debug("a client sends another version than it agreed to", "header", version, "session", s.Revision().Version)
		}
	}
	return s
}

// get opens a stream of what no request asked for, or goes on with one that
// broke.
func (h *Handler) get(w http.ResponseWriter, r *http.Request) {
	if !accepts(r.Header, "text/event-stream") {
		refuse(w, http.StatusNotAcceptable, jsonrpc.ID{}, invalidRequest("Accept must name text/event-stream"))
		return
	}
	s := h.session(w, r)
	if s == nil {
		return
	}
	defer h.sessions.release(s)
	stream, number := s.read(r.Header.Get(headerLastEvent), h.opts.SessionStreams)
	if stream == nil {
		refuse(w, http.StatusConflict, jsonrpc.ID{}, invalidRequest("too many streams in this session"))
		return
	}
	defer s.leave(stream)
	startEvents(w)
	control := http.NewResponseController(w)
	keepAlive := time.NewTicker(h.opts.KeepAlive)
	defer keepAlive.Stop()
	for {
		text, next, changed := stream.after(number)
		number = next
		_ = control.SetWriteDeadline(time.Now().Add(h.opts.StallTimeout))
		if _, err := w.Write(text); err != nil || control.Flush() != nil || changed == nil {
			return
		}
		select {
		case <-changed:
		case <-keepAlive.C:
			if _, err := w.Write([]byte(": alive\n\n")); err != nil {
				return
			}
		case <-r.Context().Done():
			return
		case <-s.closed:
			return
		case <-h.draining:
			return
		}
	}
}

// delete ends a session.
func (h *Handler) delete(w http.ResponseWriter, r *http.Request) {
	s := h.session(w, r)
	if s == nil {
		return
	}
	h.sessions.remove(s)
	h.sessions.release(s)
	w.WriteHeader(http.StatusNoContent)
}
