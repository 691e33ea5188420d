package modern

import (
	"context"
	"fmt"
	"net/http"

	"mcpworks/internal/version"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// handshake is the params of an initialize of the newest legacy revision.
var handshake = fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"mcplint","version":%q}}`, mcp.V20251125.Version, version.Number)

// switchEras sends modern requests and then initialize to one process.
func switchEras(ctx context.Context, s *wire.Server) {
	t := s.Open(ctx, wire.Opening{Phase: step.EraSwitch, NoHandshake: true})
	defer t.Close()
	described := `{"_meta":` + wire.MetaOf(s.Modern().Revision, wire.DefaultClient, "") + `}`
	askFirst(s, t, step.ProbeModern, mcp.MethodDiscover, mcp.MethodDiscover, described)
	if method := usual(s.Modern()); method != mcp.MethodDiscover {
		t.Ask(step.ProbeModern, method, method, described)
	}
	if t.Ask(step.InitializeAfter, "", mcp.MethodInitialize, handshake).OK() {
		t.Tell(step.Initialized, "", mcp.NotifyInitialized, "")
	}
	t.Alive()
}

// initializeModern begins with initialize, as a client does that knows nothing
// of this era.
func initializeModern(ctx context.Context, s *wire.Server) {
	t := open(ctx, s, step.ModernInitialize)
	defer t.Close()
	frame := []byte(`{"jsonrpc":"2.0","id":1,"method":"` + mcp.MethodInitialize + `","params":` + handshake + `}`)
	if s.Transport() != wire.Stdio {
		t.HTTP(step.InitializeModern, "", wire.Request{
			Method: http.MethodPost, Body: frame, Header: http.Header{"MCP-Protocol-Version": nil, "Mcp-Method": nil},
		})
		return
	}
	t.Step(step.InitializeModern, "")
	t.Send(frame)
	t.AwaitFor("1", s.Startup())
}
