package overhttp

import (
	"context"
	"net/http"

	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
)

// sessionsAtOnce is how many sessions are compared.
const sessionsAtOnce = 4

// sessions opens some at the same time, and ends the first by hand.
func sessions(ctx context.Context, s *wire.Server) {
	var talks []*wire.Talk
	for range sessionsAtOnce {
		t := s.Open(ctx, wire.Opening{Phase: step.HTTPSessions, NoStream: true})
		defer t.Close()
		talks = append(talks, t)
	}
	first := talks[0]
	if first.Failed() || !hasSession(first) {
		return
	}
	p := newProber(s, first, false)
	p.send(step.HTTPDelete, "", wire.Request{Method: http.MethodDelete})
	p.usual(step.HTTPEnded, "", wire.Request{})
}

// hasSession says whether the server has given the talk an id.
func hasSession(t *wire.Talk) bool {
	s := t.Snapshot().Step(step.Initialize, "")
	if s == nil {
		return false
	}
	for _, x := range s.Exchanges() {
		if x.Response.Get("Mcp-Session-Id") != "" {
			return true
		}
	}
	return false
}
