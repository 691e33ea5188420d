package server

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// A session is one conversation: its handshake, the requests in flight in
// either direction, and who watches what. All that changes is guarded by mu;
// nothing is sent while mu is held.
type session struct {
	srv  *Server
	tell func([]byte) error // sends what no request asked for
	// start runs a request that may take long. Quick ones are answered by
	// whoever brought the message.
	start func(context.Context, *Request) error
	// giveUp frees the place of a request that was cancelled while it waited.
	giveUp func(*Request)
	// holds says that a subscription lasts only while its request is being
	// handled, and that it is to be handled until it ends.
	holds bool

	mu      sync.Mutex
	closing bool // no new requests

	// The legacy handshake.
	rev         *mcp.Revision // nil before initialize
	initialized bool          // the client has said that it is ready
	client      mcp.ClientCapabilities
	clientInfo  json.RawMessage
	logLevel    mcp.Level

	// Requests of the client, and to the client.
	inFlight map[jsonrpc.ID]*Request
	nextID   int64
	pending  map[jsonrpc.ID]chan jsonrpc.Message
	deaf     chan struct{} // closed when no response can come any more; nil if that is not known

	watching watching
	logs     throttle
	kept     any // what Options.Connect made; nil before anybody asked
}

func (srv *Server) newSession(tell func([]byte) error) *session {
	return &session{srv: srv, tell: tell, giveUp: func(*Request) {}, logLevel: mcp.LevelInfo}
}

// Handle implements transport.Session.
func (s *session) Handle(ctx context.Context, in transport.Incoming, out transport.Outlet) {
	switch {
	case in.IsRequest():
		s.request(ctx, in, out)
	case in.IsResponse():
		s.deliver(in.Message)
	default:
		s.notification(in.Message)
	}
}

// request takes one request as far as its handler.
func (s *session) request(ctx context.Context, in transport.Incoming, out transport.Outlet) {
	r := &Request{session: s, out: out, id: in.ID, methodName: in.Method, method: methods[in.Method], size: in.Size, modern: in.Modern, principal: in.Principal}
	err := r.parse(in.Params)
	if err == nil && in.Verify != nil {
		err = in.Verify()
	}
	inner, cancel := ctx, context.CancelFunc(func() {})
	if !s.isAlone(r) {
		inner, cancel = context.WithCancel(ctx)
	}
	r.cancel = cancel // before others can find the request
	if err == nil {
		err = s.admit(r)
	}
	if in.Admitted != nil {
		in.Admitted()
	}
	if err != nil {
		cancel()
		r.refuse(ctx, err)
		return
	}
	if r.method.quick && !s.srv.looksUp(r) {
		r.answer(inner)
		return
	}
	if err := s.start(inner, r); err != nil {
		r.respond(ctx, nil, err)
		cancel()
	}
}

// isAlone says whether a request has its session for itself, as modern ones over
// HTTP do. Only its own context can cancel it, so it is not booked. A
// subscription is: it is found again when the server ends it.
func (s *session) isAlone(r *Request) bool {
	return s.holds && r.modern && r.methodName != mcp.MethodListen
}

// admit books a request under its id, unless that id is still in flight.
func (s *session) admit(r *Request) *jsonrpc.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return cmp.Or(s.srv.dialect.Closing, ErrClosing)
	}
	if s.inFlight[r.id] != nil {
		return invalidRequest("a request with this id is still in flight")
	}
	if s.isAlone(r) {
		return nil
	}
	if s.inFlight == nil {
		s.inFlight = map[jsonrpc.ID]*Request{}
	}
	s.inFlight[r.id] = r
	return nil
}

// notification takes one notification; those that are not known are ignored.
func (s *session) notification(m jsonrpc.Message) {
	p, err := parseParams(m.Params)
	if err != nil {
		return
	}
	switch m.Method {
	case mcp.NotifyInitialized:
		s.mu.Lock()
		s.initialized = s.rev != nil
		s.mu.Unlock()
	case mcp.NotifyCancelled:
		if id, ok := jsonrpc.ParseID(p.requestID); ok {
			s.cancelRequest(id)
		}
	}
}

// cancelRequest stops a request; it is then not answered. Unknown ids are
// ignored. One that waits is passed over when its turn comes.
func (s *session) cancelRequest(id jsonrpc.ID) {
	s.mu.Lock()
	r := s.inFlight[id]
	if r != nil {
		delete(s.inFlight, id)
		s.forgetListen(r)
	}
	s.mu.Unlock()
	if r != nil {
		r.lifetime.cancelled.Store(true)
		r.cancel()
		s.giveUp(r)
	}
}

// identify finds the revision of a request that does not describe itself, and
// whether the handshake allows it.
func (s *session) identify(r *Request) *jsonrpc.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	newest := s.srv.legacy()
	r.rev = s.rev
	if r.rev == nil {
		r.rev = newest
	}
	r.client, r.clientInfo = s.client, s.clientInfo
	r.logs = s.srv.opts.Logging
	switch {
	case r.method == nil:
		return methodNotFound(r.methodName)
	case r.method.era == modernOnly:
		if s.rev != nil || !s.srv.modern() {
			return methodNotFound(r.methodName)
		}
		return errNoVersion
	case newest == nil && r.methodName == mcp.MethodInitialize:
		requested, _ := rawjson.String(r.params.protocolVersion)
		return mcp.UnsupportedVersion(requested, s.srv.versions)
	case newest == nil:
		return errNoVersion
	case r.methodName == mcp.MethodInitialize && s.rev != nil && !s.srv.dialect.Reinitialize:
		return invalidRequest("already initialized")
	case r.methodName == mcp.MethodInitialize, r.methodName == mcp.MethodPing:
		return nil
	case s.rev == nil:
		return &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "Server not initialized"}
	case !r.method.offered(s.srv):
		return methodNotFound(r.methodName)
	}
	return nil
}

// awaitsModern says whether a request with only some of the modern keys is a
// modern one that forgot the rest: unless it opens a legacy session, or is in
// one.
func (s *session) awaitsModern(r *Request) bool {
	return r.methodName != mcp.MethodInitialize && s.Revision() == nil
}

func (s *session) isInitialized() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.initialized
}

// Revision implements transport.Session.
func (s *session) Revision() *mcp.Revision {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rev
}

// refuse answers a request that never became a call.
func (r *Request) refuse(ctx context.Context, err *jsonrpc.Error) {
	r.session.srv.opts.Log.Debug("request refused", "id", r.id, "error", err, "cause", err.Cause)
	msg, code := r.appendError(nil, err)
	_ = r.out.Answer(ctx, msg, transport.Outcome{Code: code, Refused: true, Busy: transport.IsBusy(err)})
}

// refuse answers a message that never became a request.
func (s *session) refuse(ctx context.Context, id jsonrpc.ID, err *jsonrpc.Error, out transport.Outlet) {
	s.srv.opts.Log.Debug("message refused", "id", id, "error", err, "cause", err.Cause)
	_ = out.Answer(ctx, s.srv.Refusal(s.Revision(), id, err), transport.Outcome{Code: err.Code, Refused: true})
}
