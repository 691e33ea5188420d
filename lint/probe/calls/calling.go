package calls

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

const (
	// maxTime is how long tools are called; no further one is begun then.
	maxTime = time.Minute
	// long is what a call has to take to be worth cancelling.
	long = time.Second
	// maxAgain is what a call may take to be repeated.
	maxAgain = 5 * time.Second
	// maxCancelled bounds how long is waited after a cancellation, and grace is
	// what comes on top.
	maxCancelled = 5 * time.Second
	grace        = 500 * time.Millisecond
	// moment is how long a call runs before it is cancelled.
	moment = 300 * time.Millisecond
)

// A caller is a talk of phase step.Calling.
type caller struct {
	*wire.Talk
	modern bool
	http   bool // arguments can be in headers
	tokens int  // progress tokens given so far

	slow    *tool // the first whose call took long
	took    time.Duration
	wanting []*tool // whose calls wanted input
}

func callAll(ctx context.Context, s *wire.Server, main *lint.Talk, tools []*tool) {
	c := open(ctx, s, main, clientOf(main))
	began := time.Now()
	for _, t := range tools {
		if c.Failed() || time.Since(began) > maxTime {
			break
		}
		c.callOne(t)
	}
	if c.slow != nil && !c.Failed() {
		c.callCancelled(c.slow)
	}
	c.Close()
	if len(c.wanting) == 0 {
		return
	}
	bare := open(ctx, s, main, "{}")
	defer bare.Close()
	for _, t := range c.wanting {
		bare.ask(step.CallUndeclared, t, t.arguments, "")
	}
}

func open(ctx context.Context, s *wire.Server, main *lint.Talk, capabilities string) *caller {
	t := s.Open(ctx, wire.Opening{Phase: step.Calling, Modern: main.Modern, Client: capabilities})
	return &caller{Talk: t, modern: main.Modern, http: main.Modern && s.Transport() == wire.Streamable}
}

// clientOf are the capabilities of a client that answers whatever it is asked,
// as far as the revision has them.
func clientOf(main *lint.Talk) string {
	switch {
	case main.Modern:
		return `{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}}`
	case lint.D.Has(main.Revision):
		return `{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{},"url":{}}}`
	case lint.C.Has(main.Revision):
		return `{"roots":{"listChanged":true},"sampling":{},"elicitation":{}}`
	}
	return `{"roots":{"listChanged":true},"sampling":{}}`
}

// callOne takes all steps with a tool. Where no arguments could be made, or the
// tool does not answer, it is left alone.
func (c *caller) callOne(t *tool) {
	if t.arguments == "" {
		return
	}
	began := time.Now()
	reply := c.ask(step.Call, t, t.arguments, c.token(true))
	if reply.Frame == nil {
		return
	}
	took := time.Since(began)
	if took > long && c.slow == nil {
		c.slow, c.took = t, took
	}
	if wantsInput(reply.Result) {
		c.wanting = append(c.wanting, t)
		c.answerInput(t, reply.Result)
		return
	}
	if t.idempotent && took < maxAgain {
		c.ask(step.CallAgain, t, t.arguments, c.token(false))
	}
	if arguments, ok := withoutRequired(t); ok {
		c.ask(step.CallMissing, t, arguments, "")
	}
	if arguments, ok := withWrongTypes(t); ok {
		c.ask(step.CallWrongType, t, arguments, "")
	}
	if c.http {
		c.mismatch(t)
	}
	if t.tasks && !c.modern {
		c.runTask(t)
	}
}

// token is a progress token that no other request has, as JSON.
func (c *caller) token(asText bool) string {
	if c.tokens++; asText {
		return `"mcplint-` + strconv.Itoa(c.tokens) + `"`
	}
	return strconv.Itoa(c.tokens)
}

// ask is a step: one call. The token is for progress; more are further members
// of the params. Those that are empty are left out.
func (c *caller) ask(stepName string, t *tool, arguments, token string, more ...string) *wire.Reply {
	params := c.params(t, arguments, token, more...)
	header := c.mirrored(t, arguments)
	if len(header) == 0 {
		return c.AskLong(stepName, t.name, mcp.MethodCallTool, params)
	}
	c.Step(stepName, t.name)
	id, frame := c.Request(mcp.MethodCallTool, params)
	c.Exchange(wire.Request{Method: http.MethodPost, Header: header, Body: frame})
	return c.Await(id)
}

func (c *caller) params(t *tool, arguments, token string, more ...string) string {
	o := rawjson.Begin(nil)
	o.String("name", t.name)
	o.Raw("arguments", []byte(arguments))
	switch progress := `"progressToken":` + token; {
	case token == "":
	case c.modern:
		o.Raw("_meta", []byte(c.Meta(progress)))
	default:
		o.Raw("_meta", []byte("{"+progress+"}"))
	}
	text := o.End()
	for _, member := range more {
		if member == "" {
			continue
		}
		text = append(append(text[:len(text)-1], ','), member+"}"...)
	}
	return string(text)
}

// mirrored are the arguments that go into headers as well.
func (c *caller) mirrored(t *tool, arguments string) http.Header {
	header := http.Header{}
	if !c.http {
		return header
	}
	for _, m := range t.marks {
		if value, ok := plain(m.in([]byte(arguments))); ok {
			header.Set("Mcp-Param-"+m.header, wire.HeaderValue(value))
		}
	}
	return header
}

// callCancelled is a call that is given up while it runs.
func (c *caller) callCancelled(t *tool) {
	c.Step(step.CallCancelled, t.name)
	id, frame := c.Request(mcp.MethodCallTool, c.params(t, t.arguments, c.token(true)))
	rest := min(c.took, maxCancelled) + grace
	if c.http {
		_, stop := c.Background(wire.Request{Method: http.MethodPost, Header: c.mirrored(t, t.arguments), Body: frame})
		c.Wait(moment)
		stop()
		c.Wait(rest)
		return
	}
	c.Send(frame)
	c.Wait(moment)
	c.Send([]byte(`{"jsonrpc":"2.0","method":"` + mcp.NotifyCancelled + `","params":{"requestId":` + id + `,"reason":"no longer needed"}}`))
	c.Wait(rest)
}
