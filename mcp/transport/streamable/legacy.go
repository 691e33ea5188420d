package streamable

import (
	"context"
	"net/http"
	"slices"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// postLegacy answers one message of a session, or the initialize that opens it.
func (h *Handler) postLegacy(w http.ResponseWriter, r *http.Request, in transport.Incoming) {
	if h.opts.Stateless {
		if rev := h.statelessRevision(w, r, in.ID); rev != nil {
			h.answerStateless(w, r, rev, []transport.Incoming{in}, false)
		}
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

// postBatch answers an array of messages where the revision has them.
func (h *Handler) postBatch(w http.ResponseWriter, r *http.Request, batch [][]byte) {
	if h.opts.Stateless {
		rev := h.statelessRevision(w, r, jsonrpc.ID{})
		if rev == nil {
			return
		}
		if messages := h.parseBatch(w, r, rev, batch); messages != nil {
			h.answerStateless(w, r, rev, messages, true)
		}
		return
	}
	s := h.session(w, r)
	if s == nil {
		return
	}
	defer h.sessions.release(s)
	if messages := h.parseBatch(w, r, s.Revision(), batch); messages != nil {
		h.answer(w, r, s, messages, true)
	}
}

// parseBatch reads the messages of an array, or says what is wrong with them.
func (h *Handler) parseBatch(w http.ResponseWriter, r *http.Request, rev *mcp.Revision, batch [][]byte) []transport.Incoming {
	if err := h.service.CheckBatch(rev, len(batch)); err != nil {
		h.refuse(w, http.StatusBadRequest, jsonrpc.ID{}, err)
		return nil
	}
	messages := make([]transport.Incoming, 0, len(batch))
	for _, frame := range batch {
		m, err := jsonrpc.Parse(frame)
		if err == nil && m.Method == mcp.MethodInitialize {
			err = invalidRequest("initialize cannot be part of a batch")
		}
		if err != nil {
			h.refuse(w, http.StatusBadRequest, m.ID, err)
			return nil
		}
		messages = append(messages, transport.Incoming{Message: m, Size: len(frame), Principal: h.opts.Principal(r)})
	}
	return messages
}

// answer hands messages to a session. The work goes on when the client hangs
// up, unless it is attached: that is no cancellation before the modern era.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, s *session, messages []transport.Incoming, batch bool) {
	requests := slices.ContainsFunc(messages, func(in transport.Incoming) bool { return in.IsRequest() })
	if requests && !s.begin(h.opts.SessionCalls) {
		w.Header().Set("Retry-After", "1")
		var id jsonrpc.ID
		if !batch {
			id = messages[0].ID
		}
		h.refuse(w, http.StatusTooManyRequests, id, transport.ErrBusy)
		return
	}
	out := newOutlet(w, &h.opts)
	out.batch, out.status, out.resumable = batch, legacyStatus, s.answerStream
	work := func() {
		defer out.close()
		if requests {
			defer s.end()
		}
		ctx := r.Context()
		if !h.opts.Attached {
			ctx = context.WithoutCancel(ctx)
		}
		for _, in := range messages {
			s.Handle(ctx, in, out)
		}
	}
	if !s.Revision().Polling {
		work()
		return
	}
	out.dropped = make(chan struct{}) // a response can end before its request does
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
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
		h.refuse(w, http.StatusServiceUnavailable, in.ID, invalidRequest("too many sessions"))
		return
	}
	defer h.sessions.release(s)
	out := newOutlet(w, &h.opts)
	out.status = func(outcome transport.Outcome) int {
		switch outcome.Code {
		case 0:
			w.Header().Set(headerSession, s.id)
		case mcp.CodeUnsupportedVersion:
			return http.StatusBadRequest
		}
		return http.StatusOK
	}
	s.Handle(r.Context(), in, out)
	out.close()
	if s.Revision() == nil {
		h.sessions.remove(s)
	}
}

// statelessRevision finds the revision that a request without session is in, or
// says that there is none.
func (h *Handler) statelessRevision(w http.ResponseWriter, r *http.Request, id jsonrpc.ID) *mcp.Revision {
	version := r.Header.Get(headerVersion)
	if version == "" {
		version = mcp.V20250326.Version
	}
	rev := h.revision(version)
	if rev == nil || rev.Modern {
		h.refuse(w, http.StatusBadRequest, id, invalidRequest("unsupported "+headerVersion))
		return nil
	}
	return rev
}

// answerStateless answers legacy messages by themselves.
func (h *Handler) answerStateless(w http.ResponseWriter, r *http.Request, rev *mcp.Revision, messages []transport.Incoming, batch bool) {
	out := newOutlet(w, &h.opts)
	out.batch, out.status = batch, legacyStatus
	defer out.close()
	ctx := context.WithoutCancel(r.Context())
	session := h.service.Open(func(msg []byte) error { return out.Notify(ctx, msg) })
	defer session.Close()
	if batch || messages[0].Method != mcp.MethodInitialize {
		session.Assume(rev)
	}
	for _, in := range messages {
		session.Handle(ctx, in, out)
	}
}

// session finds the session a request names, or says what is wrong with it.
func (h *Handler) session(w http.ResponseWriter, r *http.Request) *session {
	id := r.Header.Get(headerSession)
	if id == "" {
		h.refuse(w, http.StatusBadRequest, jsonrpc.ID{}, invalidRequest("the header "+headerSession+" is missing: start with initialize"))
		return nil
	}
	s := h.sessions.use(id, h.opts.Principal(r))
	if s == nil {
		h.refuse(w, http.StatusNotFound, jsonrpc.ID{}, invalidRequest("session not found: start again with initialize"))
		return nil
	}
	if version := r.Header.Get(headerVersion); version != "" {
		rev := h.revision(version)
		if rev == nil {
			h.sessions.release(s)
			h.refuse(w, http.StatusBadRequest, jsonrpc.ID{}, invalidRequest("unsupported "+headerVersion))
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
		h.refuse(w, http.StatusNotAcceptable, jsonrpc.ID{}, invalidRequest("Accept must name text/event-stream"))
		return
	}
	s := h.session(w, r)
	if s == nil {
		return
	}
	defer h.sessions.release(s)
	stream, number, replaced := s.read(r.Header.Get(headerLastEvent), h.opts.SessionStreams)
	if stream == nil {
		h.refuse(w, http.StatusConflict, jsonrpc.ID{}, invalidRequest("too many streams in this session"))
		return
	}
	defer s.leave(stream, replaced)
	startEvents(w)
	control := http.NewResponseController(w)
	draining := h.draining
	if !stream.news {
		draining = nil // the rest of an answer
	}
	keepAlive := time.NewTicker(h.opts.KeepAlive)
	defer keepAlive.Stop()
	for {
		text, next, changed := stream.after(number)
		number = next
		_ = control.SetWriteDeadline(time.Now().Add(h.opts.StallTimeout))
		if _, err := w.Write(text); err != nil || control.Flush() != nil || changed == nil {
			return
		}
		stream.delivered()
		select {
		case <-changed:
		case <-keepAlive.C:
			if _, err := w.Write([]byte(": alive\n\n")); err != nil {
				return
			}
		case <-r.Context().Done():
			return
		case <-replaced:
			return
		case <-s.closed:
			return
		case <-draining:
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
