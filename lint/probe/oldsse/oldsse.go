// Package oldsse probes servers over HTTP+SSE, the transport of 2024-11-05: what
// they say to strangers, and whether their sessions can be guessed.
package oldsse

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// Plans are those for a server that is spoken to over HTTP+SSE.
func Plans(s *wire.Server) []wire.Plan {
	if s.Transport() != wire.SSE {
		return nil
	}
	return []wire.Plan{
		{Phase: step.OldStream, Level: lint.Probe, Run: probe},
		{Phase: step.OldSessions, Level: lint.Probe, Run: openStreams},
	}
}

const (
	// streams is how many are opened to compare their sessions.
	streams = 4
	// refusal is how long a response may take that should be a refusal.
	refusal = time.Second
	// glimpse is how long a stream is looked at that should not be there.
	glimpse = 250 * time.Millisecond
	// besides is how long another transport may take to answer.
	besides = 3 * time.Second
)

// openStreams opens one stream after the other.
func openStreams(ctx context.Context, s *wire.Server) {
	for range streams {
		s.Open(ctx, wire.Opening{Phase: step.OldSessions, NoHandshake: true}).Close()
	}
}

// probe asks what a stranger would, beside a client as it should be.
func probe(ctx context.Context, s *wire.Server) {
	t := s.Open(ctx, wire.Opening{Phase: step.OldStream})
	defer t.Close()
	if t.Failed() {
		return
	}
	if where := otherSession(t.Endpoint()); where != "" {
		t.HTTP(step.UnknownSession, "", wire.Request{Method: http.MethodPost, URL: where, Body: ping(t, "unknown"), Limit: refusal})
	}
	foreign := http.Header{"Origin": {"http://evil.example"}}
	t.HTTP(step.ForeignOrigin, http.MethodPost, wire.Request{Method: http.MethodPost, URL: t.Endpoint(), Header: foreign, Body: ping(t, "foreign"), Limit: refusal})
	t.HTTP(step.ForeignOrigin, http.MethodGet, wire.Request{Method: http.MethodGet, Header: foreign, Hold: glimpse, Limit: refusal})
	lookBeside(s, t)
}

func ping(t *wire.Talk, id string) []byte { return t.RequestAs(`"mcplint-`+id+`"`, mcp.MethodPing, "") }

// otherSession is the endpoint of a session that there is not: the last value in
// its query, or the last part of its path, is changed and keeps its form. It is
// empty if the endpoint has neither.
func otherSession(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	text, last := &u.RawQuery, "="
	if u.RawQuery == "" {
		text, last = &u.Path, "/"
		u.RawPath = ""
	}
	cut := strings.LastIndex(*text, last) + 1
	if cut == len(*text) {
		return ""
	}
	*text = (*text)[:cut] + strings.Map(turn, (*text)[cut:])
	return u.String()
}

// turn makes another digit of a digit, and another letter of a letter, so that
// what is hexadecimal stays so.
func turn(r rune) rune {
	const digits, low, high = "1234567890", "bcdefa", "BCDEFA"
	switch {
	case r >= '0' && r <= '9':
		return rune(digits[r-'0'])
	case r >= 'a' && r <= 'f':
		return rune(low[r-'a'])
	case r >= 'A' && r <= 'F':
		return rune(high[r-'A'])
	case r >= 'g' && r < 'z' || r >= 'G' && r < 'Z':
		return r + 1
	case r == 'z' || r == 'Z':
		return r - 1
	}
	return r
}

// lookBeside looks for Streamable HTTP, at the address of the stream and next to
// it.
func lookBeside(s *wire.Server, t *wire.Talk) {
	places := []struct{ name, url string }{{step.SameAddress, s.URL()}}
	if next := neighbour(s.URL()); next != s.URL() {
		places = append(places, struct{ name, url string }{step.NeighbourAddress, next})
	}
	body := t.RequestAs(`"mcplint-beside"`, mcp.MethodInitialize, `{"protocolVersion":"`+mcp.V20251125.Version+`","capabilities":{},"clientInfo":{"name":"mcplint","version":"1"}}`)
	for _, place := range places {
		x := t.HTTP(step.Beside, place.name, wire.Request{
			Method: http.MethodPost, URL: place.url, Body: body, Limit: besides,
			Header: http.Header{"Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": nil},
		})
		if session := x.Response.Get("Mcp-Session-Id"); session != "" {
			t.Exchange(wire.Request{Method: http.MethodDelete, URL: place.url, Header: http.Header{"Mcp-Session-Id": {session}}, Limit: besides})
		}
		if x.Status/100 == 2 {
			return
		}
	}
}

// neighbour is the address with mcp for its last part.
func neighbour(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.ResolveReference(&url.URL{Path: "mcp"}).String()
}
