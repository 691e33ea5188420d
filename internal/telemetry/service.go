package telemetry

import (
	"context"
	"sync"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/transport"
)

// Service returns a service that answers as the given one does and records
// every request, those too that are refused before a handler sees them.
func (p *Pack) Service(inner transport.Service) transport.Service {
	return service{inner, p}
}

type service struct {
	transport.Service
	pack *Pack
}

func (s service) Open(tell func([]byte) error) transport.Session {
	return session{s.Service.Open(tell), s.pack}
}

type session struct {
	transport.Session
	pack *Pack
}

func (s session) Handle(ctx context.Context, in transport.Incoming, out transport.Outlet) {
	if !in.IsRequest() {
		s.Session.Handle(ctx, in, out)
		return
	}
	p := readParams(in.Params)
	ctx, o := s.pack.begin(ctx, request{method: in.Method, name: p.name, id: in.ID, size: in.Size, meta: p.meta})
	watched := &outlet{Outlet: out, ending: ending{outcome: OutcomeCancelled}, method: in.Method}
	defer func() {
		e := watched.seen()
		if e.revision = p.revision(); e.revision == nil {
			e.revision = s.Revision()
		}
		o.end(ctx, e)
	}()
	s.Session.Handle(ctx, in, watched)
}

// params are the members that a record is made of.
type params struct {
	name string
	raw  []byte // of _meta
}

func readParams(raw []byte) (p params) {
	for member, value := range rawjson.Members(raw) {
		switch string(member) {
		case "name", "uri":
			if text, ok := rawjson.String(value); ok && p.name == "" {
				p.name = text
			}
		case "_meta":
			p.raw = value
		}
	}
	return p
}

func (p params) meta(name string) []byte {
	for member, value := range rawjson.Members(p.raw) {
		if string(member) == name {
			return value
		}
	}
	return nil
}

// revision is that of a request which describes itself.
func (p params) revision() *mcp.Revision {
	version, _ := rawjson.String(p.meta(mcp.MetaProtocolVersion))
	return mcp.RevisionOf(version)
}

// An outlet notes how a request ends on its way out. The answer can come from
// another goroutine: that of whoever ends subscriptions.
type outlet struct {
	transport.Outlet
	method string

	mu     sync.Mutex
	ending ending
}

func (o *outlet) Answer(ctx context.Context, msg []byte, outcome transport.Outcome) error {
	e := ending{outcome: OutcomeOK, code: outcome.Code, size: len(msg)}
	switch {
	case outcome.Refused:
		e.outcome = OutcomeRefused
	case outcome.Code != 0:
		e.outcome = OutcomeError
	case o.method == mcp.MethodCallTool && saysError(msg):
		e.outcome = OutcomeToolError
	}
	o.mu.Lock()
	o.ending = e
	o.mu.Unlock()
	return o.Outlet.Answer(ctx, msg, outcome)
}

func (o *outlet) seen() ending {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.ending
}

// CloseStream implements transport.StreamCloser where the outlet inside does.
func (o *outlet) CloseStream(retry time.Duration) {
	if inner, ok := o.Outlet.(transport.StreamCloser); ok {
		inner.CloseStream(retry)
	}
}

// saysError reports whether a response is a tool result with isError.
func saysError(msg []byte) bool {
	for member, result := range rawjson.Members(msg) {
		if string(member) != "result" {
			continue
		}
		for name, value := range rawjson.Members(result) {
			if string(name) == "isError" {
				return string(value) == "true"
			}
		}
	}
	return false
}
