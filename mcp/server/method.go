package server

import (
	"context"

	"mcpworks/mcp"
)

// An era says in which revisions a method exists.
type era int

const (
	everywhere era = iota
	legacyOnly     // needs a handshake
	modernOnly     // needs a request that describes itself
)

// A method is one row of the table of requests a client can send.
type method struct {
	era era
	// needs says whether the server declared what the method belongs to; nil
	// means always.
	needs func(*Server) bool
	// quick methods are answered by the goroutine that reads, in order; the
	// others wait for a slot and run beside each other.
	quick bool
	run   func(*Server, context.Context, *Request) (mcp.Result, error)
}

func (m *method) offered(srv *Server) bool { return m.needs == nil || m.needs(srv) }

var methods map[string]*method

func init() { // not a literal: the table and its functions refer to each other
	methods = map[string]*method{
		mcp.MethodInitialize:            {era: legacyOnly, quick: true, run: (*Server).initialize},
		mcp.MethodPing:                  {era: legacyOnly, quick: true, run: (*Server).ping},
		mcp.MethodDiscover:              {era: modernOnly, quick: true, run: (*Server).discover},
		mcp.MethodListen:                {era: modernOnly, run: (*Server).listenTo},
		mcp.MethodListTools:             {needs: (*Server).hasTools, quick: true, run: (*Server).listTools},
		mcp.MethodCallTool:              {needs: (*Server).hasTools, run: (*Server).callTool},
		mcp.MethodListResources:         {needs: (*Server).hasResources, quick: true, run: (*Server).listResources},
		mcp.MethodListResourceTemplates: {needs: (*Server).hasResources, quick: true, run: (*Server).listTemplates},
		mcp.MethodReadResource:          {needs: (*Server).hasResources, run: (*Server).readResource},
		mcp.MethodSubscribe:             {era: legacyOnly, needs: (*Server).hasSubscribe, quick: true, run: (*Server).subscribe},
		mcp.MethodUnsubscribe:           {era: legacyOnly, needs: (*Server).hasSubscribe, quick: true, run: (*Server).unsubscribe},
		mcp.MethodListPrompts:           {needs: (*Server).hasPrompts, quick: true, run: (*Server).listPrompts},
		mcp.MethodGetPrompt:             {needs: (*Server).hasPrompts, run: (*Server).getPrompt},
		mcp.MethodComplete:              {needs: (*Server).hasCompletion, run: (*Server).complete},
		mcp.MethodSetLevel:              {era: legacyOnly, needs: (*Server).hasLogging, quick: true, run: (*Server).setLevel},
	}
}
