package client

import (
	"context"
	"encoding/json"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// Capabilities is what a server offers.
type Capabilities struct {
	Tools, Prompts, Resources bool
	Completions, Logging      bool
	// Subscribe says that resources can be watched.
	Subscribe bool
	// The server tells when these lists change.
	ToolsListChanged, PromptsListChanged, ResourcesListChanged bool
	// Raw is the whole object, with what is not known here.
	Raw json.RawMessage
}

func decodeCapabilities(raw []byte) Capabilities {
	c := Capabilities{Raw: rawMessage(raw)}
	for name, value := range rawjson.Members(raw) {
		listChanged := boolean(rawjson.Member(value, "listChanged"), false)
		switch string(name) {
		case "tools":
			c.Tools, c.ToolsListChanged = true, listChanged
		case "prompts":
			c.Prompts, c.PromptsListChanged = true, listChanged
		case "resources":
			c.Resources, c.ResourcesListChanged = true, listChanged
			c.Subscribe = boolean(rawjson.Member(value, "subscribe"), false)
		case "completions":
			c.Completions = true
		case "logging":
			c.Logging = true
		}
	}
	return c
}

// A need is what a server must have for a method.
type need struct {
	capability string
	has        func(*Capabilities) bool
}

var (
	needTools     = need{"tools", func(c *Capabilities) bool { return c.Tools }}
	needPrompts   = need{"prompts", func(c *Capabilities) bool { return c.Prompts }}
	needResources = need{"resources", func(c *Capabilities) bool { return c.Resources }}
)

var needs = map[string]need{
	mcp.MethodListTools: needTools, mcp.MethodCallTool: needTools,
	mcp.MethodListPrompts: needPrompts, mcp.MethodGetPrompt: needPrompts,
	mcp.MethodListResources: needResources, mcp.MethodListResourceTemplates: needResources,
	mcp.MethodReadResource: needResources,
	mcp.MethodSubscribe:    {"resources.subscribe", func(c *Capabilities) bool { return c.Subscribe }},
	mcp.MethodUnsubscribe:  {"resources.subscribe", func(c *Capabilities) bool { return c.Subscribe }},
	mcp.MethodComplete:     {"completions", func(c *Capabilities) bool { return c.Completions }},
	mcp.MethodSetLevel:     {"logging", func(c *Capabilities) bool { return c.Logging }},
}

// Methods that only one era has.
var (
	onlyLegacy = map[string]bool{mcp.MethodPing: true, mcp.MethodSubscribe: true, mcp.MethodUnsubscribe: true}
	onlyModern = map[string]bool{mcp.MethodDiscover: true, mcp.MethodListen: true}
)

// offered says why a request is not to be sent, unless the caller insists.
func (s *Session) offered(method string) error {
	server := s.server()
	switch {
	case s.per.Force || server.rev == nil:
		return nil
	case onlyLegacy[method] && server.rev.Modern, onlyModern[method] && !server.rev.Modern:
		return &NotOfferedError{Method: method, Missing: "it in revision " + server.rev.Version}
	case method == mcp.MethodComplete && !server.rev.CompletionsCapability:
		return nil // there was nothing to declare
	}
	if n, ok := needs[method]; ok && server.known && !n.has(&server.capabilities) {
		return &NotOfferedError{Method: method, Missing: n.capability}
	}
	return nil
}

// do sends a request that the server offers.
func (s *Session) do(ctx context.Context, method string, params []byte) (json.RawMessage, error) {
	if err := s.offered(method); err != nil {
		return nil, err
	}
	return s.complete(ctx, request{method: method, params: params, opts: s.per, acts: !harmless[method]})
}
