package manners

import (
	"bytes"
	"context"
	"time"

	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
)

// A form is one malformed message. Those with an edit or an id are made of a
// request that is right.
type form struct {
	name, about string
	text        string
	from, to    string // what is replaced in the text of the request
	id          string // that the request gets instead of its own
}

// forms are the 15 malformed messages, in the order in which they are sent: one
// of each kind first, since a server may not live to see the rest.
var forms = []form{
	{name: step.BadRequest, about: "jsonrpc 1.0", from: `"jsonrpc":"2.0"`, to: `"jsonrpc":"1.0"`},
	{name: step.Unparsable, about: "truncated", text: `{"jsonrpc":"2.0","id":"mcplint-truncated","method":"pi`},
	{name: step.BadID, about: "an object", id: `{"a":1}`},
	{name: step.WrongShape, about: "a number", text: `42`},
	{name: step.StrayResponse, about: "a result", text: `{"jsonrpc":"2.0","id":"mcplint-stray","result":{}}`},
	{name: step.Blank, about: "an empty line"},
	{name: step.BadRequest, about: "no jsonrpc", from: `"jsonrpc":"2.0",`},
	{name: step.BadRequest, about: "a number as method", from: `"method":"{method}"`, to: `"method":5`},
	{name: step.Unparsable, about: "words", text: `these words are no message`},
	{name: step.BadID, about: "an array", id: `[1]`},
	{name: step.BadID, about: "a fraction", id: `4000000.5`},
	{name: step.WrongShape, about: "a string", text: `"a string"`},
	{name: step.WrongShape, about: "an empty object", text: `{}`},
	{name: step.WrongShape, about: "an empty array", text: `[]`},
	{name: step.StrayResponse, about: "an error", text: `{"jsonrpc":"2.0","id":"mcplint-stray","error":{"code":-32603,"message":"never asked"}}`},
}

const (
	// deaths is how often a server is started again to see the rest.
	deaths = 5
	// life is how long a server may take to show that it is alive.
	life = 5 * time.Second
	// lateness is how long answers may take after everything was sent.
	lateness = 300 * time.Millisecond
)

// malformed sends all forms. What a server does not survive ends its talk, and
// the next goes on after it.
func malformed(ctx context.Context, s *wire.Server, modern bool) {
	rest := forms
	for range deaths + 1 {
		t := s.Open(ctx, wire.Opening{Phase: step.Malformed, Modern: modern})
		opened := !t.Failed()
		rest = send(t, s.Transport(), harmless(modern), rest)
		t.Close()
		if len(rest) == 0 || !opened || ctx.Err() != nil {
			return
		}
	}
}

// send sends forms until the server does not answer any more, and returns those
// that are left.
func send(t *wire.Talk, transport, method string, forms []form) (rest []form) {
	for i, f := range forms {
		t.Step(f.name, f.about)
		frame, id := f.frame(t, method)
		t.Send(frame)
		if id != "" && transport == wire.Streamable {
			t.AwaitFor(id, silence) // its response, whatever that is
		}
		if !alive(t, f.about, method) {
			return forms[i+1:]
		}
	}
	t.Step(step.Linger, "")
	if transport != wire.Streamable {
		t.Wait(lateness)
	}
	return nil
}

// frame is the message, with its id if it is a request.
func (f form) frame(t *wire.Talk, method string) (frame []byte, id string) {
	switch {
	case f.id != "":
		return t.RequestAs(f.id, method, ""), f.id
	case f.from != "":
		id, frame = t.Request(method, "")
		from := bytes.ReplaceAll([]byte(f.from), []byte("{method}"), []byte(method))
		return bytes.Replace(frame, from, []byte(f.to), 1), id
	}
	return []byte(f.text), ""
}

// alive asks whether the server is still there after a form of message.
func alive(t *wire.Talk, about, method string) bool {
	t.Step(step.Alive, about)
	id, frame := t.Request(method, "")
	t.Send(frame)
	return t.AwaitFor(id, life).Frame != nil
}
