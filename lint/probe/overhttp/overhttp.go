// Package overhttp has the probes of Streamable HTTP: requests that are wrong in
// one thing (both.go, legacy.go, modern.go), sessions side by side (sessions.go),
// streams that stay open (streams.go) and the other addresses of this machine
// (bind.go). The steps are those of lint/step/streamable.go.
package overhttp

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// Plans are the talks with a server that is spoken to over Streamable HTTP.
func Plans(s *wire.Server) []wire.Plan {
	if s.Transport() != wire.Streamable {
		return nil
	}
	var plans []wire.Plan
	if s.Legacy() != nil {
		plans = append(plans,
			wire.Plan{Phase: step.HTTPSessions, Level: lint.Probe, Run: sessions},
			wire.Plan{Phase: step.HTTPStreams, Level: lint.Probe, Run: streams},
			wire.Plan{Phase: step.HTTP, Level: lint.Probe, Run: foreignStart},
			wire.Plan{Phase: step.HTTP, Level: lint.Probe, Run: legacy},
		)
	}
	if s.Modern() != nil {
		plans = append(plans, wire.Plan{Phase: step.HTTP, Level: lint.Probe, Run: modern})
	}
	if s.IsLoopback() && (s.Legacy() != nil || s.Modern() != nil) {
		plans = append(plans, wire.Plan{Phase: step.HTTPBind, Level: lint.Passive, Run: bind})
	}
	return plans
}

const (
	// probeLimit is how long one probe may take.
	probeLimit = 5 * time.Second
	// probesLost is how many probes in a row may get no response before the rest
	// of the talk is given up.
	probesLost = 2
	// moment is how long to listen for what may not come.
	moment = 300 * time.Millisecond
)

// A prober sends the usual request in unusual ways.
type prober struct {
	s      *wire.Server
	t      *wire.Talk
	method string
	lost   int // probes in a row without a response
}

func newProber(s *wire.Server, t *wire.Talk, isModern bool) *prober {
	if isModern {
		return &prober{s: s, t: t, method: mcp.MethodDiscover}
	}
	return &prober{s: s, t: t, method: mcp.MethodPing}
}

// usual is a step: the usual request, with what r changes.
func (p *prober) usual(name, about string, r wire.Request) {
	p.ask(name, about, p.method, "", r)
}

// ask is a step: one request, with what r changes.
func (p *prober) ask(name, about, method, params string, r wire.Request) {
	_, r.Body = p.t.Request(method, params)
	p.send(name, about, r)
}

// send is a step: whatever r is, by default a POST.
func (p *prober) send(name, about string, r wire.Request) {
	p.t.Step(name, about)
	p.exchange(r)
}

// exchange is one request in the current step.
func (p *prober) exchange(r wire.Request) {
	if p.lost >= probesLost {
		p.t.Outcome(lint.NotSent)
		return
	}
	r.Method, r.Limit = cmp.Or(r.Method, http.MethodPost), cmp.Or(r.Limit, probeLimit)
	if p.lost++; p.t.Exchange(r).Status != 0 {
		p.lost = 0
	}
}

// with is a header with some fields: names and values in turn. An empty value
// takes the field out of a request.
func with(fields ...string) http.Header {
	header := http.Header{}
	for i := 0; i < len(fields); i += 2 {
		name := http.CanonicalHeaderKey(fields[i])
		if header[name] = nil; fields[i+1] != "" {
			header[name] = []string{fields[i+1]}
		}
	}
	return header
}

// apart is an HTTP client with connections of its own, one at a time.
func (p *prober) apart() (client *http.Client, done func()) {
	transport := p.s.NewTransport()
	transport.MaxConnsPerHost = 1
	return &http.Client{Transport: transport, CheckRedirect: stay}, transport.CloseIdleConnections
}

// stay leaves redirects to whoever reads the response.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// open begins the talk of the phase HTTP of an era.
func open(ctx context.Context, s *wire.Server, isModern bool) (*wire.Talk, *prober) {
	t := s.Open(ctx, wire.Opening{Phase: step.HTTP, Modern: isModern})
	return t, newProber(s, t, isModern)
}
