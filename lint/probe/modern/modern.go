// Package modern probes servers that need no handshake: whether requests stand
// for themselves (stateless.go), what comes of those that describe themselves
// wrongly (describing.go), subscriptions (listening.go), and what happens where
// the two eras meet (eras.go).
package modern

import (
	"context"

	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// Plans are those for a server that speaks the modern era.
func Plans(s *wire.Server) []wire.Plan {
	if s.Modern() == nil {
		return nil
	}
	plans := []wire.Plan{
		{Phase: step.Describing, Level: lint.Probe, Run: describe},
		{Phase: step.Listening, Level: lint.Probe, Run: listen},
		{Phase: step.Stateless, Level: lint.Probe, Run: beginWithLists},
	}
	switch {
	case s.Legacy() == nil:
		plans = append(plans, wire.Plan{Phase: step.ModernInitialize, Level: lint.Probe, Run: initializeModern})
	case s.Transport() == wire.Stdio:
		plans = append(plans, wire.Plan{Phase: step.EraSwitch, Level: lint.Probe, Run: switchEras})
	}
	return plans
}

// lists are the methods of the lists that the server declares.
func lists(main *lint.Talk) []string {
	var methods []string
	for _, list := range []struct{ method, capability string }{
		{mcp.MethodListTools, "tools"},
		{mcp.MethodListResources, "resources"},
		{mcp.MethodListResourceTemplates, "resources"},
		{mcp.MethodListPrompts, "prompts"},
	} {
		if main.Declares(list.capability) {
			methods = append(methods, list.method)
		}
	}
	return methods
}

// usual is a request that the server serves: its first list, or else
// server/discover.
func usual(main *lint.Talk) string {
	if methods := lists(main); len(methods) > 0 {
		return methods[0]
	}
	return mcp.MethodDiscover
}

// firstResource is the URI of a resource that the server lists; empty if it has
// none.
func firstResource(main *lint.Talk) string {
	for _, item := range main.Items(step.List, mcp.MethodListResources) {
		if item.Name != "" {
			return item.Name
		}
	}
	return ""
}

// askFirst is Ask for the first request of a talk, with the time that a server
// may take to start.
func askFirst(s *wire.Server, t *wire.Talk, name, about, method, params string) *wire.Reply {
	t.Step(name, about)
	id, frame := t.Request(method, params)
	t.Send(frame)
	return t.AwaitFor(id, s.Startup())
}

// open begins a modern talk.
func open(ctx context.Context, s *wire.Server, phase string) *wire.Talk {
	return s.Open(ctx, wire.Opening{Phase: phase, Modern: true})
}
