// Package sse is the HTTP+SSE transport of revision 2024-11-05, both ends: a GET
// opens a stream of events, and messages are POSTed to the address the first
// event names. It is for old clients and servers, and finished.
package sse

import (
	"context"
	"crypto/rand"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"sync"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// Options are the limits of a handler; zero means the default.
type Options struct {
	MaxMessage   int64         // one request body in bytes; 4 MiB
	MaxSessions  int           // open streams; 1,000
	SessionCalls int           // requests of one session at once; 64
	MaxUnsent    int           // bytes queued for a reader before it is cut off; 4 MiB
	StallTimeout time.Duration // a reader that takes nothing for so long is cut off; 30 s
	KeepAlive    time.Duration // between comments on a quiet stream; 20 s
	// Principal says who sent a request: a session stays with the one who
	// opened it. Nil means that all are the same.
	Principal func(*http.Request) string
	Log       *slog.Logger
}

func (o *Options) setDefaults() {
	setDefault(&o.MaxMessage, 4<<20)
	setDefault(&o.MaxSessions, 1000)
	setDefault(&o.SessionCalls, 64)
	setDefault(&o.MaxUnsent, 4<<20)
	setDefault(&o.StallTimeout, 30*time.Second)
	setDefault(&o.KeepAlive, 20*time.Second)
	if o.Principal == nil {
		o.Principal = func(*http.Request) string { return "" }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

func setDefault[T int | int64 | time.Duration](value *T, fallback T) {
	if *value == 0 {
		*value = fallback
	}
}

// parameter is the part of the POST address that names the session.
const parameter = "session"

// A Handler serves one endpoint: the stream by GET, messages by POST.
type Handler struct {
	service transport.Service
	opts    Options

	mu       sync.Mutex
	sessions map[string]*session
	draining bool
}

// New returns the handler for a service. Close ends its streams.
func New(service transport.Service, opts Options) *Handler {
	opts.setDefaults()
	opts.Log.Warn("serving the deprecated HTTP+SSE transport")
	return &Handler{service: service, opts: opts, sessions: map[string]*session{}}
}

// Drain takes no further messages and ends each stream when its requests are
// answered.
func (h *Handler) Drain() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.draining = true
	for _, s := range h.sessions {
		s.drain()
	}
}

// Close ends all streams.
func (h *Handler) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sessions {
		s.end()
	}
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	switch r.Method {
	case http.MethodGet:
		h.stream(w, r)
	case http.MethodPost:
		h.post(w, r)
	default:
		w.Header().Set("Allow", "GET, POST")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

// stream is a session from its first event to its last.
func (h *Handler) stream(w http.ResponseWriter, r *http.Request) {
	s := &session{id: rand.Text(), principal: h.opts.Principal(r), max: h.opts.MaxUnsent, more: make(chan struct{}, 1), ended: make(chan struct{})}
	s.service = h.service.Open(s.put)
	if !h.add(s) {
		s.service.Close()
		w.Header().Set("Retry-After", "60")
		http.Error(w, "too many sessions", http.StatusServiceUnavailable)
		return
	}
	defer func() {
		h.remove(s)
		s.end()
		s.service.Close()
		s.work.Wait()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	control := http.NewResponseController(w)
	send := func(text []byte) bool {
		_ = control.SetWriteDeadline(time.Now().Add(h.opts.StallTimeout))
		_, err := w.Write(text)
		return err == nil && control.Flush() == nil
	}
	address := r.URL.EscapedPath() + "?" + url.Values{parameter: {s.id}}.Encode()
	if !send([]byte("event: endpoint\ndata: " + address + "\n\n")) {
		return
	}
	keepAlive := time.NewTicker(h.opts.KeepAlive)
	defer keepAlive.Stop()
	for {
		text := []byte(": alive\n\n")
		select {
		case <-s.more:
			text = s.take()
		case <-keepAlive.C:
		case <-s.ended:
			send(s.take())
			return
		case <-r.Context().Done():
			return
		}
		if !send(text) {
			return
		}
	}
}

// post takes one message of a session; what it leads to comes on the stream.
func (h *Handler) post(w http.ResponseWriter, r *http.Request) {
	s := h.find(r.URL.Query().Get(parameter), h.opts.Principal(r))
	if s == nil {
		http.Error(w, "session not found", http.StatusNotFound)
		return
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "Content-Type must be application/json", http.StatusUnsupportedMediaType)
		return
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(h.opts.StallTimeout))
	body, tooLong, err := bounded.Read(r.Body, h.opts.MaxMessage)
	if err == nil && !tooLong { // what is left of a body must not be waited for
		_ = control.SetReadDeadline(time.Time{})
	}
	switch {
	case tooLong:
		http.Error(w, "the message is too long", http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, "the body could not be read", http.StatusBadRequest)
		return
	}
	messages, id, bad := h.parse(body, s)
	if bad != nil {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(h.service.Refusal(s.service.Revision(), id, bad))
		return
	}
	for _, m := range messages {
		if !h.take(r.Context(), s, transport.Incoming{Message: m, Size: len(body), Principal: s.principal}) {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "too many requests in flight in this session", http.StatusTooManyRequests)
			return
		}
	}
	w.WriteHeader(http.StatusAccepted)
}

// take hands a message to its session, unless there are too many of them. A
// request is under way, and can be cancelled, when this returns.
func (h *Handler) take(ctx context.Context, s *session, in transport.Incoming) bool {
	ctx = context.WithoutCancel(ctx)
	if !in.IsRequest() {
		s.service.Handle(ctx, in, s)
		return true
	}
	if !s.begin(h.opts.SessionCalls) {
		return false
	}
	admitted := make(chan struct{})
	in.Admitted = func() { close(admitted) }
	go func() {
		defer s.done()
		s.service.Handle(ctx, in, s)
	}()
	<-admitted
	return true
}

// parse returns the messages of a body: one, or those of a batch where the
// session has batches. A bad message has an id if that can be read.
func (h *Handler) parse(body []byte, s *session) ([]jsonrpc.Message, jsonrpc.ID, *jsonrpc.Error) {
	if err := jsonrpc.Check(body, h.service.Limits()); err != nil {
		return nil, jsonrpc.ID{}, err
	}
	elements, isBatch := jsonrpc.Batch(body)
	if !isBatch {
		elements = [][]byte{body}
	} else if err := h.service.CheckBatch(s.service.Revision(), len(elements)); err != nil {
		return nil, jsonrpc.ID{}, err
	}
	var messages []jsonrpc.Message
	for _, element := range elements {
		m, bad := jsonrpc.Parse(element)
		if bad != nil {
			return nil, m.ID, bad
		}
		messages = append(messages, m)
	}
	return messages, jsonrpc.ID{}, nil
}

func (h *Handler) add(s *session) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.draining || len(h.sessions) >= h.opts.MaxSessions {
		return false
	}
	h.sessions[s.id] = s
	return true
}

func (h *Handler) remove(s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.sessions, s.id)
}

func (h *Handler) find(id, principal string) *session {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.sessions[id]; s != nil && s.principal == principal && !s.isOver() {
		return s
	}
	return nil
}
