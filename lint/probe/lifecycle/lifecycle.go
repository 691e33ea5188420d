// Package lifecycle is the script about beginnings and ends: which versions a
// server agrees to, what it does for a client without capabilities, how it takes
// an initialize that is none or the second, and how a process reads its input
// and ends.
package lifecycle

import (
	"context"
	"fmt"
	"time"

	"mcpworks/internal/version"
	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// Plans are those for what the server speaks.
func Plans(s *wire.Server) []wire.Plan {
	var plans []wire.Plan
	add := func(phase string, run func(context.Context, *wire.Server)) {
		plans = append(plans, wire.Plan{Phase: phase, Level: lint.Probe, Run: run})
	}
	if main := s.Legacy(); main != nil {
		add(step.Bare, bare)
		add(step.InitializeForms, initializeForms)
		for _, version := range append(lint.Legacy.Versions(), step.UnknownVersion) {
			if version != main.Asked {
				add(step.Version, agreeOn(version))
			}
		}
	}
	if s.Modern() != nil {
		add(step.Undeclared, undeclared)
	}
	if s.Transport() == wire.Stdio {
		add(step.Framing, framing)
	}
	return plans
}

// agreeOn asks for a version. The client has no capabilities: servers that ask it
// for something do not end with their input.
func agreeOn(version string) func(context.Context, *wire.Server) {
	return func(ctx context.Context, s *wire.Server) {
		s.Open(ctx, wire.Opening{Phase: step.Version, Version: version, Client: "{}", NoStream: true}).Close()
	}
}

const (
	// holdBack is how long a server waits for initialized.
	holdBack = time.Second
	// asking is how long it may take to ask a client for something.
	asking = 400 * time.Millisecond
)

// bare is a client that can do nothing. In the end it begins once more.
func bare(ctx context.Context, s *wire.Server) {
	t := s.Open(ctx, wire.Opening{Phase: step.Bare, Client: "{}", HoldInitialized: holdBack})
	defer t.Close()
	tryLists(t)
	t.Step(step.Linger, "")
	t.Wait(asking)
	t.Ask(step.InitializeAgain, "", mcp.MethodInitialize, params(s))
	t.Alive()
}

// undeclared is the same without a handshake.
func undeclared(ctx context.Context, s *wire.Server) {
	t := s.Open(ctx, wire.Opening{Phase: step.Undeclared, Modern: true, Client: "{}"})
	defer t.Close()
	tryLists(t)
}

// tryLists asks for every list, declared or not.
func tryLists(t *wire.Talk) {
	for _, method := range []string{mcp.MethodListTools, mcp.MethodListResources, mcp.MethodListResourceTemplates, mcp.MethodListPrompts} {
		t.AskLong(step.Method, method, method, "")
	}
}

// initializeForms sends an initialize without anything in it. Some servers never
// answer that, and nobody knows how long a process takes to start; so a correct
// one follows, which is answered later.
func initializeForms(ctx context.Context, s *wire.Server) {
	t := s.Open(ctx, wire.Opening{Phase: step.InitializeForms, NoHandshake: true})
	defer t.Close()
	t.Step(step.InitializeEmpty, "")
	id, frame := t.Request(mcp.MethodInitialize, "{}")
	t.Send(frame)
	if s.Transport() == wire.Stdio {
		correct, frame := t.Request(mcp.MethodInitialize, params(s))
		t.Send(frame)
		t.AwaitFor(correct, s.Startup())
	}
	t.AwaitFor(id, time.Second)
}

// params are those of a correct initialize.
func params(s *wire.Server) string {
	return fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"mcplint","version":%q}}`, s.Legacy().Revision, version.Number)
}
