package server

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// A Request is one request while it is being answered. Handlers get it inside
// their call, for what they can do besides returning: report progress, log to
// the client and ask it back.
type Request struct {
	session *session
	out     transport.Outlet
	cancel  context.CancelFunc

	id         jsonrpc.ID
	methodName string
	method     *method // nil if there is none of that name
	params     params
	size       int  // of the frame, in bytes
	modern     bool // the transport says so

	principal string // who sent it, as the transport knows

	rev           *mcp.Revision
	client        mcp.ClientCapabilities
	clientInfo    json.RawMessage
	progressToken []byte
	logLevel      mcp.Level
	logs          bool // whether this request may send log messages

	listen  *listen                    // of a subscriptions/listen request
	answers map[string]json.RawMessage // of the client, in this round and before
	used    map[string]json.RawMessage // those that a handler has seen
	retried bool                       // this is not the first round
	asking  sync.Mutex                 // guards used

	lifetime lifetime
	progress progress // guarded by lifetime
}

// Method returns the name of the method.
func (r *Request) Method() string { return r.methodName }

// Target returns the name of the tool or prompt, or the URI of the resource,
// that the request is about; empty if it is about none.
func (r *Request) Target() string {
	for _, raw := range [][]byte{r.params.name, r.params.uri} {
		if text, ok := rawjson.String(raw); ok {
			return text
		}
	}
	return ""
}

// Meta returns a member of the request's _meta as raw JSON, nil if it has none
// of that name.
func (r *Request) Meta(name string) json.RawMessage {
	for member, value := range rawjson.Members(r.params.meta) {
		if string(member) == name {
			return value
		}
	}
	return nil
}

// Revision returns the protocol revision of the request.
func (r *Request) Revision() *mcp.Revision { return r.rev }

// ID returns the id the client gave the request.
func (r *Request) ID() jsonrpc.ID { return r.id }

// ClientInfo returns the client's name and version as it sent them, for
// display and logs only; nil if it said nothing.
func (r *Request) ClientInfo() json.RawMessage { return r.clientInfo }

// Principal returns who sent the request, as the transport knows it; empty
// where all callers are the same.
func (r *Request) Principal() string { return r.principal }

// Connection returns what Options.Connect has made for the connection of the
// request. A modern request over HTTP is a connection of its own.
func (r *Request) Connection() any {
	s := r.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil && s.srv.opts.Connect != nil {
		s.kept = s.srv.opts.Connect()
	}
	return s.kept
}

// CloseStream lets the client fetch the rest of its answers later, where the
// transport can do that; the request goes on either way.
func (r *Request) CloseStream(retry time.Duration) {
	if out, ok := r.out.(transport.StreamCloser); ok {
		out.CloseStream(retry)
	}
}

// ClientCapabilities returns what the client declared it can do.
func (r *Request) ClientCapabilities() mcp.ClientCapabilities { return r.client }

// params are the members of params that any method knows, as raw text; nil
// where absent.
type params struct {
	meta, name, arguments, uri, cursor, level []byte
	ref, argument, context                    []byte
	protocolVersion, capabilities, clientInfo []byte
	inputResponses, requestState              []byte
	notifications, requestID                  []byte
}

func parseParams(raw []byte) (p params, err *jsonrpc.Error) {
	if raw != nil && rawjson.KindOf(raw) != rawjson.Object {
		return p, invalidParams("params must be an object")
	}
	for name, value := range rawjson.Members(raw) {
		member := p.member(name)
		if member == nil {
			continue
		}
		if *member != nil {
			return p, invalidParams("the member " + string(name) + " is there twice")
		}
		*member = value
	}
	return p, nil
}

func (p *params) member(name []byte) *[]byte {
	switch string(name) {
	case "_meta":
		return &p.meta
	case "name":
		return &p.name
	case "arguments":
		return &p.arguments
	case "uri":
		return &p.uri
	case "cursor":
		return &p.cursor
	case "level":
		return &p.level
	case "ref":
		return &p.ref
	case "argument":
		return &p.argument
	case "context":
		return &p.context
	case "protocolVersion":
		return &p.protocolVersion
	case "capabilities":
		return &p.capabilities
	case "clientInfo":
		return &p.clientInfo
	case "inputResponses":
		return &p.inputResponses
	case "requestState":
		return &p.requestState
	case "notifications":
		return &p.notifications
	case "requestId":
		return &p.requestID
	}
	return nil
}

// meta is what _meta says about a request.
type meta struct {
	partial                                  bool // some key of the modern era is there
	version, capabilities, clientInfo, level []byte
	progressToken                            []byte
}

func parseMeta(raw []byte) (m meta) {
	for name, value := range rawjson.Members(raw) {
		switch string(name) {
		case "progressToken":
			m.progressToken = value
			continue
		case mcp.MetaProtocolVersion:
			m.version = value
		case mcp.MetaClientCapabilities:
			m.capabilities = value
		case mcp.MetaClientInfo:
			m.clientInfo = value
		case mcp.MetaLogLevel:
			m.level = value
		default:
			continue
		}
		m.partial = true
	}
	return m
}

// parse reads the params and finds out who asks for what.
func (r *Request) parse(raw []byte) *jsonrpc.Error {
	var err *jsonrpc.Error
	if r.params, err = parseParams(raw); err != nil {
		return err
	}
	return r.identify()
}

// identify finds out in which revision a request speaks and for whom, and
// whether its method exists there: from itself in the modern era, from the
// session's handshake before that.
func (r *Request) identify() *jsonrpc.Error {
	if kind := rawjson.KindOf(r.params.meta); kind != rawjson.Invalid && kind != rawjson.Object {
		return invalidParams("_meta must be an object")
	}
	m := parseMeta(r.params.meta)
	if _, ok := jsonrpc.ParseID(m.progressToken); ok { // tokens are made like ids
		r.progressToken = m.progressToken
	}
	if r.modern || r.session.srv.modern() && (m.version != nil || m.partial && r.session.awaitsModern(r)) {
		return r.identifyModern(m)
	}
	return r.session.identify(r)
}

func (r *Request) identifyModern(m meta) *jsonrpc.Error {
	srv := r.session.srv
	if rawjson.KindOf(m.version) != rawjson.StringKind {
		return errNoVersion
	}
	if r.rev = srv.serves(m.version); r.rev == nil || !r.rev.Modern {
		version, _ := rawjson.String(m.version)
		return mcp.UnsupportedVersion(version, srv.versions)
	}
	if rawjson.KindOf(m.capabilities) != rawjson.Object {
		return invalidParams("_meta needs " + mcp.MetaClientCapabilities + ", an object")
	}
	r.client = mcp.ParseClientCapabilities(m.capabilities)
	if m.clientInfo != nil && rawjson.KindOf(m.clientInfo) != rawjson.Object {
		return invalidParams(mcp.MetaClientInfo + " must be an object")
	}
	r.clientInfo = m.clientInfo
	if m.level != nil {
		name, _ := rawjson.String(m.level)
		var ok bool
		if r.logLevel, ok = mcp.ParseLevel(name); !ok {
			return invalidParams(mcp.MetaLogLevel + ": " + unknownLevel)
		}
		r.logs = srv.opts.Logging
	}
	if r.method == nil || r.method.era == legacyOnly || !r.method.offered(srv) {
		return methodNotFound(r.methodName)
	}
	return nil
}

var errNoVersion = invalidParams("_meta needs " + mcp.MetaProtocolVersion + ", a string")

func invalidParams(why string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: why}
}

func methodNotFound(name string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.MethodNotFound, Message: "Method not found: " + shorten(name)}
}

// shorten keeps a name from outside at a length fit for a sentence.
func shorten(name string) string { return bounded.Runes(name, 100) }
