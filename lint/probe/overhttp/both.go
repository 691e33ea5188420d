package overhttp

import (
	"net/http"

	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
)

// What foreign web pages and rebound names send.
const (
	foreignOrigin = "http://evil.example"
	foreignHost   = "evil.example"
)

// both are the probes of both eras.
func both(p *prober, loopback bool) {
	p.send(step.HTTPNotification, "", wire.Request{Body: []byte(`{"jsonrpc":"2.0","method":"notifications/mcplint/unknown"}`)})
	for _, method := range []string{http.MethodPut, http.MethodPatch} {
		p.usual(step.HTTPOtherMethod, method, wire.Request{Method: method, Header: with("Content-Type", "application/json")})
	}
	accepts(p)
	p.usual(step.HTTPPlainText, "", wire.Request{Header: with("Content-Type", "text/plain")})
	p.send(step.HTTPBadJSON, "", wire.Request{Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"` + p.method + `","params":{`)})
	origins(p)
	if loopback {
		p.usual(step.HTTPForeignHost, "", wire.Request{Host: foreignHost})
	}
	keepAlive(p)
}

func accepts(p *prober) {
	for _, form := range [][2]string{
		{"quality values", "application/json;q=0.9, text/event-stream;q=0.8"},
		{"other order", "text/event-stream,application/json"},
		{"extra types", "text/html, application/json, text/event-stream, */*;q=0.1"},
		{step.HTTPAnything, "*/*"},
	} {
		p.usual(step.HTTPAccept, form[0], wire.Request{Header: with("Accept", form[1])})
	}
	p.usual(step.HTTPAcceptJSON, "", wire.Request{Header: with("Accept", "application/json")})
}

func origins(p *prober) {
	p.usual(step.HTTPForeignOrigin, p.method, wire.Request{Header: with("Origin", foreignOrigin)})
	p.usual(step.HTTPNullOrigin, "", wire.Request{Header: with("Origin", "null")})
	p.send(step.HTTPPreflight, "", wire.Request{Method: http.MethodOptions, NoUsual: true, Header: with(
		"Origin", foreignOrigin, "Access-Control-Request-Method", http.MethodPost, "Access-Control-Request-Headers", "content-type")})
}

func keepAlive(p *prober) {
	client, done := p.apart()
	defer done()
	p.t.Step(step.HTTPKeepAlive, "")
	for range 2 {
		_, body := p.t.Request(p.method, "")
		p.exchange(wire.Request{Body: body, Client: client})
	}
}
