// Package streamable is MCP's Streamable HTTP transport, both ends: the legacy
// revisions with their sessions and the stateless modern one, on one URL.
//
// The client end is a [Line]. At the server end, a request goes from [Handler.ServeHTTP] to its era (modern.go, legacy.go),
// and its answers come back through an outlet (outlet.go), which is a plain
// JSON response until the first notification makes it an event stream. Who may
// speak at all is decided by guards in front of the handler.
package streamable

import (
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// Options are the limits of a handler and what it knows about its callers; zero
// means the default.
type Options struct {
	// MaxMessage is the size of one request body in bytes; 4 MiB.
	MaxMessage int64
	// MaxSessions is how many legacy sessions there are at once; 10,000.
	MaxSessions int
	// PrincipalSessions is how many of them one principal has; a tenth. It does
	// not matter where all callers are the same.
	PrincipalSessions int
	// MaxListens is how many modern subscriptions are open at once, and
	// PrincipalListens how many of them one principal has; 1,000 and a tenth.
	MaxListens, PrincipalListens int
	// SessionCalls is how many requests of one session run at once; 64.
	SessionCalls int
	// SessionStreams is how many GET streams one session has; 4.
	SessionStreams int
	// IdleTimeout ends a session that was not used for so long; 30 minutes.
	IdleTimeout time.Duration
	// StallTimeout cuts off a client that neither sends the rest of its body
	// nor takes what is sent to it for so long; 30 seconds.
	StallTimeout time.Duration
	// KeepAlive is the time between comments on a quiet stream; 20 seconds.
	KeepAlive time.Duration
	// Stateless serves legacy requests without sessions: each by itself, and
	// no GET or DELETE.
	Stateless bool
	// Attached cancels a legacy request when its client hangs up, which the
	// protocol only does in the modern era. To close its stream cancels it,
	// too.
	Attached bool
	// Principal says who sent a request, so that a session stays with the one
	// who opened it; nil means that all are the same.
	Principal func(*http.Request) string
	// Log gets what the client must not see; nil means nowhere.
	Log *slog.Logger
}

func (o *Options) setDefaults() {
	setDefault(&o.MaxMessage, 4<<20)
	setDefault(&o.MaxSessions, 10_000)
	setDefault(&o.PrincipalSessions, max(o.MaxSessions/10, 1))
	setDefault(&o.MaxListens, 1000)
	setDefault(&o.PrincipalListens, max(o.MaxListens/10, 1))
	setDefault(&o.SessionCalls, 64)
	setDefault(&o.SessionStreams, 4)
	setDefault(&o.IdleTimeout, 30*time.Minute)
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

// The headers of the protocol.
const (
	headerVersion     = "Mcp-Protocol-Version"
	headerSession     = "Mcp-Session-Id"
	headerMethod      = "Mcp-Method"
	headerName        = "Mcp-Name"
	headerParamPrefix = "Mcp-Param-"
	headerLastEvent   = "Last-Event-Id"
)

// A Handler serves one endpoint.
type Handler struct {
	service  transport.Service
	opts     Options
	legacy   bool // some legacy revision is served
	sessions *sessions
	listens  *places
	draining chan struct{} // closed when streams without a request are to end
	drain    sync.Once
}

// New returns the handler for a service. Close ends its sessions.
func New(service transport.Service, opts Options) *Handler {
	opts.setDefaults()
	return &Handler{
		service: service, opts: opts,
		legacy:   slices.ContainsFunc(service.Revisions(), func(rev *mcp.Revision) bool { return !rev.Modern }),
		sessions: newSessions(newPlaces(opts.MaxSessions, opts.PrincipalSessions), opts.IdleTimeout),
		listens:  newPlaces(opts.MaxListens, opts.PrincipalListens),
		draining: make(chan struct{}),
	}
}

// Drain ends the streams that belong to no request. Requests may finish.
func (h *Handler) Drain() { h.drain.Do(func() { close(h.draining) }) }

// Close ends everything: requests are cancelled, sessions forgotten.
func (h *Handler) Close() {
	h.Drain()
	h.sessions.closeAll()
}

// Header values that are never changed, and so need not be made anew.
var (
	noStore    = []string{"no-store"}
	noSniff    = []string{"nosniff"}
	typeJSON   = []string{"application/json"}
	typeEvents = []string{"text/event-stream"}
	noBuffer   = []string{"no"}
)

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header["Cache-Control"], header["X-Content-Type-Options"] = noStore, noSniff
	switch {
	case r.Method == http.MethodPost:
		h.post(w, r)
	case h.opts.Stateless, !h.legacy, isModern(r.Header.Get(headerVersion)):
		h.methodNotAllowed(w, "POST")
	case r.Method == http.MethodGet:
		h.get(w, r)
	case r.Method == http.MethodDelete:
		h.delete(w, r)
	default:
		h.methodNotAllowed(w, "GET, POST, DELETE")
	}
}

// post takes a body as far as its era.
func (h *Handler) post(w http.ResponseWriter, r *http.Request) {
	switch {
	case !hasMediaType(r.Header.Get("Content-Type"), "application/json"):
		h.refuse(w, http.StatusUnsupportedMediaType, jsonrpc.ID{}, invalidRequest("Content-Type must be application/json"))
		return
	case !accepts(r.Header, "application/json") || !accepts(r.Header, "text/event-stream"):
		h.refuse(w, http.StatusNotAcceptable, jsonrpc.ID{}, invalidRequest("Accept must name application/json and text/event-stream"))
		return
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(h.opts.StallTimeout))
	body, tooLong, err := h.readBody(r)
	if err == nil && !tooLong { // what is left of a body must not be waited for
		_ = control.SetReadDeadline(time.Time{})
	}
	switch {
	case tooLong:
		h.refuse(w, http.StatusRequestEntityTooLarge, jsonrpc.ID{}, invalidRequest("the message is too long"))
		return
	case err != nil:
		h.refuse(w, http.StatusBadRequest, jsonrpc.ID{}, invalidRequest("the body could not be read"))
		return
	}
	if err := jsonrpc.Check(body, h.service.Limits()); err != nil {
		status := http.StatusBadRequest
		if err.Code != jsonrpc.ParseError { // sound, but beyond a limit
			status = http.StatusRequestEntityTooLarge
		}
		h.refuse(w, status, jsonrpc.ID{}, err)
		return
	}
	version := r.Header.Get(headerVersion)
	if batch, ok := jsonrpc.Batch(body); ok {
		if isModern(version) {
			h.refuse(w, http.StatusBadRequest, jsonrpc.ID{}, invalidRequest("batches are not part of this protocol revision"))
			return
		}
		h.postBatch(w, r, batch)
		return
	}
	m, bad := jsonrpc.Parse(body)
	if bad != nil {
		h.refuse(w, http.StatusBadRequest, m.ID, bad)
		return
	}
	in := transport.Incoming{
		Message: m, Size: len(body), Principal: h.opts.Principal(r),
		Modern: isModern(version) || describesItself(m.Params),
	}
	if in.Modern {
		h.postModern(w, r, in)
	} else {
		h.postLegacy(w, r, in)
	}
}

// trustedLength is how much memory is set aside for a body before it arrives.
const trustedLength = 64 << 10

func (h *Handler) readBody(r *http.Request) (body []byte, tooLong bool, err error) {
	if r.ContentLength > h.opts.MaxMessage {
		return nil, true, nil
	}
	if n := r.ContentLength; n >= 0 && n <= trustedLength {
		body = make([]byte, n)
		_, err := io.ReadFull(r.Body, body)
		return body, false, err
	}
	return bounded.Read(r.Body, h.opts.MaxMessage)
}

// isModern says whether a version names the modern era. Versions are dates, so
// those not known yet are modern, too.
func isModern(version string) bool {
	return isDate(version) && version >= mcp.V20260728.Version
}

func isDate(s string) bool {
	for i, c := range []byte(s) {
		if isDash := i == 4 || i == 7; isDash != (c == '-') || !isDash && (c < '0' || c > '9') {
			return false
		}
	}
	return len(s) == len(time.DateOnly)
}

// revision returns the revision of that version if it is served.
func (h *Handler) revision(version string) *mcp.Revision {
	for _, rev := range h.service.Revisions() {
		if rev.Version == version {
			return rev
		}
	}
	return nil
}

// describesItself says whether params have the modern version key.
func describesItself(params []byte) bool {
	for name, value := range rawjson.Members(params) {
		if string(name) == "_meta" {
			for key := range rawjson.Members(value) {
				if string(key) == mcp.MetaProtocolVersion {
					return true
				}
			}
		}
	}
	return false
}

func hasMediaType(value, want string) bool {
	if value == want {
		return true
	}
	got, _, err := mime.ParseMediaType(value)
	return err == nil && got == want
}

// accepts says whether the Accept headers, or their absence of a choice, allow
// a media type.
func accepts(header http.Header, want string) bool {
	kind, _, _ := strings.Cut(want, "/")
	for _, line := range header.Values("Accept") {
		for part := range strings.SplitSeq(line, ",") {
			name, _, _ := strings.Cut(part, ";")
			switch strings.ToLower(strings.TrimSpace(name)) {
			case want, kind + "/*", "*/*":
				return true
			}
		}
	}
	return false
}

// refuse answers a request that never reached a session.
func (h *Handler) refuse(w http.ResponseWriter, status int, id jsonrpc.ID, err *jsonrpc.Error) {
	writeJSON(w, status, h.service.Refusal(nil, id, err))
}

func (h *Handler) methodNotAllowed(w http.ResponseWriter, allow string) {
	w.Header().Set("Allow", allow)
	err := &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "Method not allowed."}
	if h.opts.Stateless {
		err.Code = -32000 // as deployed servers without sessions say it
	}
	h.refuse(w, http.StatusMethodNotAllowed, jsonrpc.ID{}, err)
}

func writeJSON(w http.ResponseWriter, status int, msg []byte) {
	w.Header()["Content-Type"] = typeJSON
	w.WriteHeader(status)
	_, _ = w.Write(msg)
}

func invalidRequest(why string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "Invalid Request: " + why}
}

var errDisconnected = errors.New("the client is gone")
