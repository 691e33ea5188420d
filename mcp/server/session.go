package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

const (
	// cancelGrace is how long cancelled handlers have to return.
	cancelGrace = 500 * time.Millisecond
	// flushGrace is how long a client has to take the last answers.
	flushGrace = 500 * time.Millisecond
)

// A session is one connection: its handshake, the requests in flight in either
// direction, and who watches what. All that changes is guarded by mu; nothing
// is sent while mu is held.
type session struct {
	srv    *Server
	conn   transport.Conn
	tell   func([]byte) error // sends what no request asked for
	cancel context.CancelFunc // ends every request, and every wait to send
	broken chan error         // capacity 1: writing failed, the client is gone

	mu sync.Mutex

	// The legacy handshake.
	rev         *mcp.Revision // nil before initialize
	initialized bool          // the client has said that it is ready
	client      mcp.ClientCapabilities
	clientInfo  json.RawMessage
	logLevel    mcp.Level

	// Requests of the client.
	inFlight     map[jsonrpc.ID]*Request
	running      int
	resting      int       // goroutines that wait at handOver
	handOver     chan task // capacity maxResting; closed when closing
	waiting      []task
	waitingBytes int
	room         *sync.Cond    // some waiting request left, or closing
	closing      bool          // no new requests
	idle         chan struct{} // closed once closing and nothing is running

	// Requests to the client.
	nextID  int64
	pending map[jsonrpc.ID]chan jsonrpc.Message

	watching watching
	logs     throttle
}

// Serve answers one connection until its input ends, ctx ends or the client is
// gone, lets the calls in flight finish for Options.Drain, and closes the
// connection. It returns nil unless reading or writing failed.
func (srv *Server) Serve(ctx context.Context, conn transport.Conn) error {
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	s := newSession(base, cancel, srv, conn)
	srv.mu.Lock()
	srv.sessions[s] = struct{}{}
	srv.mu.Unlock()

	input := make(chan error, 1)
	go func() { input <- s.readAll(base) }()
	var err error
	select {
	case err = <-input:
	case err = <-s.broken:
	case <-ctx.Done():
	}
	srv.mu.Lock()
	delete(srv.sessions, s)
	srv.mu.Unlock()
	s.drain(base)

	flush, done := context.WithTimeout(base, flushGrace)
	defer done()
	if closeErr := conn.Close(flush); closeErr != nil {
		srv.opts.Log.Debug("closing the connection", "error", closeErr)
	}
	return err
}

func newSession(ctx context.Context, cancel context.CancelFunc, srv *Server, conn transport.Conn) *session {
	s := &session{
		srv: srv, conn: conn, cancel: cancel,
		broken:   make(chan error, 1),
		logLevel: mcp.LevelInfo,
		inFlight: map[jsonrpc.ID]*Request{},
		handOver: make(chan task, maxResting),
		idle:     make(chan struct{}),
		pending:  map[jsonrpc.ID]chan jsonrpc.Message{},
	}
	s.room = sync.NewCond(&s.mu)
	s.tell = func(msg []byte) error { return s.write(ctx, msg) }
	return s
}

// readAll handles frames until there are no more.
func (s *session) readAll(ctx context.Context) error {
	for {
		frame, err := s.conn.Read()
		if err == nil {
			s.handle(ctx, frame)
			continue
		}
		var tooLong *transport.FrameError
		switch {
		case errors.As(err, &tooLong):
			s.refuse(ctx, jsonrpc.ID{}, &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "Invalid Request: " + tooLong.Error()})
		case errors.Is(err, io.EOF):
			return nil
		default:
			return err
		}
	}
}

// handle takes one frame.
func (s *session) handle(ctx context.Context, frame []byte) {
	if err := jsonrpc.Check(frame, s.srv.json); err != nil {
		s.refuse(ctx, jsonrpc.ID{}, err)
		return
	}
	if batch, ok := jsonrpc.Batch(frame); ok {
		s.handleBatch(ctx, batch)
		return
	}
	s.handleMessage(ctx, frame, false)
}

// handleBatch takes an array where the negotiated revision has arrays. The
// answers are sent as they come, each by itself.
func (s *session) handleBatch(ctx context.Context, batch [][]byte) {
	why := ""
	switch rev := s.revision(); {
	case !rev.Batches:
		why = "batches are not part of this protocol revision"
	case len(batch) == 0:
		why = "a batch has at least one message"
	case len(batch) > s.srv.opts.Limits.Batch:
		why = "too many messages in one batch"
	}
	if why != "" {
		s.refuse(ctx, jsonrpc.ID{}, &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "Invalid Request: " + why})
		return
	}
	for _, frame := range batch {
		s.handleMessage(ctx, frame, true)
	}
}

func (s *session) handleMessage(ctx context.Context, frame []byte, inBatch bool) {
	m, err := jsonrpc.Parse(frame)
	switch {
	case err != nil:
		s.refuse(ctx, m.ID, err)
	case m.IsResponse():
		s.deliver(m)
	case !m.IsRequest():
		s.notification(m)
	case inBatch && m.Method == mcp.MethodInitialize:
		s.refuse(ctx, m.ID, &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "Invalid Request: initialize cannot be part of a batch"})
	default:
		s.request(ctx, m, len(frame))
	}
}

// request takes one request as far as its handler.
func (s *session) request(ctx context.Context, m jsonrpc.Message, size int) {
	r := &Request{session: s, send: s.write, id: m.ID, name: m.Method, method: methods[m.Method], size: size}
	err := r.parse(m.Params)
	if err == nil {
		err = s.admit(r)
	}
	if err != nil {
		s.refuse(ctx, r.id, err)
		return
	}
	ctx, r.cancel = context.WithCancel(ctx)
	if r.method.quick {
		r.answer(ctx)
		return
	}
	if err := s.schedule(ctx, r); err != nil {
		r.respond(ctx, nil, err)
	}
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
		return methodNotFound(r.name)
	case r.method.era == modernOnly:
		if s.rev != nil || !s.srv.modern() {
			return methodNotFound(r.name)
		}
		return invalidParams("_meta needs " + mcp.MetaProtocolVersion + ", a string")
	case newest == nil:
		return s.modernOnlyError(r)
	case r.name == mcp.MethodInitialize && s.rev != nil:
		return &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "Invalid Request: already initialized"}
	case r.name == mcp.MethodInitialize, r.name == mcp.MethodPing:
		return nil
	case s.rev == nil:
		return &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "Server not initialized"}
	case !r.method.offered(s.srv):
		return methodNotFound(r.name)
	}
	return nil
}

// modernOnlyError tells a legacy client which versions it could have asked for.
func (s *session) modernOnlyError(r *Request) *jsonrpc.Error {
	requested, _ := rawjson.String(r.params.protocolVersion)
	if r.name == mcp.MethodInitialize {
		return mcp.UnsupportedVersion(requested, s.srv.versions)
	}
	return invalidParams("_meta needs " + mcp.MetaProtocolVersion + ", a string")
}

// revision is the one the session speaks where a message does not say.
func (s *session) revision() *mcp.Revision {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rev == nil {
		return mcp.V20241105
	}
	return s.rev
}

// refuse answers a message that never became a call.
func (s *session) refuse(ctx context.Context, id jsonrpc.ID, err *jsonrpc.Error) {
	s.srv.opts.Log.Debug("message refused", "id", id, "error", err, "cause", err.Cause)
	_ = s.write(ctx, jsonrpc.AppendErrorResponse(nil, id, err, s.revision().ErrorsMayLackID))
}

// write sends one message. When writing has failed for good, the client is
// gone and its calls are cancelled.
func (s *session) write(ctx context.Context, msg []byte) error {
	err := s.conn.Write(ctx, msg)
	if err != nil && ctx.Err() == nil && !errors.Is(err, transport.ErrClosed) {
		select {
		case s.broken <- err:
			s.cancel()
		default:
		}
	}
	return err
}

// drain ends the session: nothing new is started, subscriptions are closed,
// and what runs may finish for a while.
func (s *session) drain(ctx context.Context) {
	s.mu.Lock()
	s.closing = true
	close(s.handOver)
	s.room.Broadcast()
	if s.running == 0 {
		close(s.idle)
	}
	s.mu.Unlock()

	deadline := time.AfterFunc(max(s.srv.opts.Drain, 0), s.cancel)
	defer deadline.Stop()
	s.endListens(ctx)
	select {
	case <-s.idle:
	case <-ctx.Done():
		timer := time.NewTimer(cancelGrace)
		defer timer.Stop()
		select {
		case <-s.idle:
		case <-timer.C:
			s.srv.opts.Log.Warn("a handler did not return after it was cancelled")
		}
	}
	s.stopWatching()
}
