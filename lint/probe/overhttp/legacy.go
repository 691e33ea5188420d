package overhttp

import (
	"context"
	"fmt"

	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// madeUpSession is an id that no server gives.
const madeUpSession = "6d63706c-696e-4000-8000-6d6164652d75"

// legacy is one session with one mistake after the other.
func legacy(ctx context.Context, s *wire.Server) {
	t, p := open(ctx, s, false)
	defer t.Close()
	if t.Failed() {
		return
	}
	both(p, s.IsLoopback())
	p.send(step.HTTPResponse, "", wire.Request{Body: []byte(`{"jsonrpc":"2.0","id":"mcplint-none","result":{}}`)})
	p.usual(step.HTTPNoSession, "", wire.Request{Header: with("Mcp-Session-Id", "")})
	p.usual(step.HTTPUnknownSession, "", wire.Request{Header: with("Mcp-Session-Id", madeUpSession)})
	p.usual(step.HTTPVersionMissing, "", wire.Request{Header: with("MCP-Protocol-Version", "")})
	p.usual(step.HTTPVersionBad, "", wire.Request{Header: with("MCP-Protocol-Version", step.UnknownVersion)})
}

// foreignStart is the first message of a web page: a talk of its own, because a
// server that takes it opens a session.
func foreignStart(ctx context.Context, s *wire.Server) {
	version := s.Legacy().Revision
	if mcp.RevisionOf(version) == nil {
		version = mcp.V20251125.Version
	}
	t := s.Open(ctx, wire.Opening{Phase: step.HTTP, Version: version, NoHandshake: true})
	defer t.Close()
	params := fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"mcplint","version":"1"}}`, version)
	newProber(s, t, false).ask(step.HTTPForeignOrigin, mcp.MethodInitialize, mcp.MethodInitialize, params, wire.Request{Header: with("Origin", foreignOrigin)})
}
