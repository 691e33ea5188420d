// Package manners has the probes about JSON-RPC itself: what is well-formed and
// unusual (this file), and what is no message at all (malformed.go). The steps
// are those of lint/step/rpc.go.
package manners

import (
	"bytes"
	"context"
	"time"

	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// Plans are the talks for every era that the server speaks.
func Plans(s *wire.Server) []wire.Plan {
	var plans []wire.Plan
	for _, main := range []*lint.Talk{s.Legacy(), s.Modern()} {
		if main == nil {
			continue
		}
		plans = append(plans,
			wire.Plan{Phase: step.Manners, Level: lint.Probe, Run: func(ctx context.Context, s *wire.Server) { unusual(ctx, s, main) }},
			wire.Plan{Phase: step.Malformed, Level: lint.Probe, Run: func(ctx context.Context, s *wire.Server) { malformed(ctx, s, main.Modern) }},
		)
	}
	return plans
}

// unusual is the talk of the phase Manners.
func unusual(ctx context.Context, s *wire.Server, main *lint.Talk) {
	t := s.Open(ctx, wire.Opening{Phase: step.Manners, Modern: main.Modern})
	defer t.Close()
	method := harmless(main.Modern)
	notifications(t, s.Transport())
	t.Ask(step.UnknownMethod, "", "mcplint/doesNotExist", "")
	idForms(t, method)
	wrongParams(t, main)
	parallel(t, method)
	t.Alive()
	batch(t, method)
	alive(t, step.ABatch, method)
}

// harmless is a method that every server of an era has, and that changes
// nothing.
func harmless(modern bool) string {
	if modern {
		return mcp.MethodDiscover
	}
	return mcp.MethodPing
}

// silence is how long to wait for what should not come.
const silence = time.Second

func notifications(t *wire.Talk, transport string) {
	t.Tell(step.Unasked, "unknown", "notifications/mcplint/unknown", "")
	t.Tell(step.Unasked, "cancelled unknown", mcp.NotifyCancelled, `{"requestId":"mcplint-never-asked"}`)
	t.Tell(step.Unasked, "cancelled malformed", mcp.NotifyCancelled, `{"requestId":{}}`)
	if transport != wire.Streamable { // there, an answer is in the response
		t.Wait(silence)
	}
}

// The forms of ids, as JSON.
var ids = []struct{ form, id string }{
	{"a string", `"mcplint-id"`},
	{"zero", `0`},
	{"a negative number", `-7`},
	{"a large number", `9007199254740991`},
	{"odd characters", `"\u0001\t\"\\ 😀"`},
}

func idForms(t *wire.Talk, method string) {
	for _, one := range ids {
		t.Step(step.IDForm, one.form)
		t.Send(t.RequestAs(one.id, method, ""))
		if one.form == "odd characters" {
			t.AwaitFor(one.id, silence) // it may come back with other escapes, which are not recognised here
		} else {
			t.Await(one.id)
		}
	}
}

func wrongParams(t *wire.Talk, main *lint.Talk) {
	if main.Declares("tools") {
		t.Ask(step.WrongParams, "tools/call without name", mcp.MethodCallTool, `{"arguments":{}}`)
		if !main.Modern {
			t.Ask(step.WrongParams, "tools/call without params", mcp.MethodCallTool, "")
		}
	}
	if main.Declares("resources") {
		t.Ask(step.WrongParams, "resources/read without uri", mcp.MethodReadResource, `{}`)
	}
}

// atOnce is how many requests are made in parallel.
const atOnce = 25

func parallel(t *wire.Talk, method string) {
	t.Step(step.Parallel, "")
	var open []string
	for range atOnce {
		id, frame := t.Request(method, "")
		open = append(open, id)
		t.Send(frame)
	}
	for _, id := range open {
		if t.Await(id).Silent {
			return // the others had as much time
		}
	}
}

// batch sends two requests in one array. Only where that has to be understood is
// an answer waited for.
func batch(t *wire.Talk, method string) {
	t.Step(step.Batch, "")
	first, one := t.Request(method, "")
	second, two := t.Request(method, "")
	t.Send(bytes.Join([][]byte{[]byte("["), one, []byte(","), two, []byte("]")}, nil))
	if lint.B.Has(t.Version()) && !t.AwaitFor(first, silence).Silent {
		t.AwaitFor(second, silence)
	}
}
