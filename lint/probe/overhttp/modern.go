package overhttp

import (
	"context"
	"encoding/base64"
	"net/http"
	"strings"

	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// Names that no server has for its tools.
const (
	noTool    = "mcplint-no-such-tool"
	otherTool = "mcplint-no-other-tool"
)

// modern is one request after the other, each with a mistake.
func modern(ctx context.Context, s *wire.Server) {
	t, p := open(ctx, s, true)
	defer t.Close()
	if t.Failed() {
		return
	}
	both(p, s.IsLoopback())
	p.ask(step.HTTPUnknownMethod, "", "mcplint/doesNotExist", "", wire.Request{})
	p.usual(step.HTTPSessionSent, "", wire.Request{Header: with("Mcp-Session-Id", madeUpSession)})
	methodHeaders(p)
	if s.Modern().Declares("tools") {
		nameHeaders(p)
	}
	p.usual(step.HTTPVersionHeader, step.HTTPMissing, wire.Request{Header: with("MCP-Protocol-Version", "")})
	p.usual(step.HTTPVersionHeader, step.HTTPDifferent, wire.Request{Header: with("MCP-Protocol-Version", mcp.V20251125.Version)})
	spellings(p)
	secondClient(p)
	if s.Legacy() == nil {
		p.send(step.HTTPNoStreams, http.MethodGet, wire.Request{Method: http.MethodGet, Hold: moment})
		p.send(step.HTTPNoStreams, http.MethodDelete, wire.Request{Method: http.MethodDelete})
	}
}

func methodHeaders(p *prober) {
	p.usual(step.HTTPMethodHeader, step.HTTPMissing, wire.Request{Header: with("Mcp-Method", "")})
	p.usual(step.HTTPMethodHeader, step.HTTPDifferent, wire.Request{Header: with("Mcp-Method", mcp.MethodListTools)})
	p.usual(step.HTTPMethodCase, "", wire.Request{Header: with("Mcp-Method", strings.ToUpper(p.method))})
}

func nameHeaders(p *prober) {
	call := func(name, about, header string) {
		p.ask(name, about, mcp.MethodCallTool, `{"name":"`+noTool+`","arguments":{}}`, wire.Request{Header: with("Mcp-Name", header)})
	}
	call(step.HTTPNameHeader, step.HTTPMissing, "")
	call(step.HTTPNameHeader, step.HTTPDifferent, otherTool)
	call(step.HTTPNameCoded, "", "=?base64?"+base64.StdEncoding.EncodeToString([]byte(noTool))+"?=")
}

// spellings are right, and unusual.
func spellings(p *prober) {
	version := p.t.Version()
	p.usual(step.HTTPNameCase, "", wire.Request{Header: http.Header{
		"mcp-protocol-version": {version}, "mcp-method": {p.method}, "content-type": {"application/json"},
	}})
	client, done := p.padded()
	defer done()
	p.usual(step.HTTPBlanks, "", wire.Request{Client: client, Header: with(
		"MCP-Protocol-Version", padding+version+padding, "Mcp-Method", padding+p.method+padding)})
}

func secondClient(p *prober) {
	client, done := p.apart()
	defer done()
	p.usual(step.HTTPSecondClient, "", wire.Request{Client: client})
}
