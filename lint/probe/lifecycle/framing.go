package lifecycle

import (
	"context"
	"time"

	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// pause is between the pieces of a message.
const pause = 20 * time.Millisecond

// framing writes lines as no client does that only writes lines. At last the
// process is told to end while its input is open.
func framing(ctx context.Context, s *wire.Server) {
	modern, method := s.Legacy() == nil, mcp.MethodPing
	t := s.Open(ctx, wire.Opening{Phase: step.Framing, Modern: modern})
	defer t.Close()
	if modern {
		method = mcp.MethodDiscover
		t.Discover()
	}
	oneInMany(t, method)
	manyInOne(t, method)
	t.Step(step.CarriageReturn, "")
	id, frame := t.Request(method, "")
	t.SendRaw(append(frame, "\r\n"...))
	t.Await(id)
	t.Step(step.Terminate, "")
	t.Terminate()
}

// oneInMany does not wait for the answer: those to what follows come later.
func oneInMany(t *wire.Talk, method string) {
	t.Step(step.OneInMany, "")
	_, frame := t.Request(method, "")
	third := len(frame) / 3
	for _, piece := range [][]byte{frame[:third], frame[third : 2*third]} {
		t.SendRaw(piece)
		if t.Wait(pause); t.Failed() {
			t.Outcome(lint.Lost) // by the piece alone
			return
		}
	}
	t.SendRaw(append(frame[2*third:], '\n'))
}

// manyInOne waits for the last answer first: the others are there by then, unless
// they never come.
func manyInOne(t *wire.Talk, method string) {
	t.Step(step.ManyInOne, "")
	var ids []string
	var lines []byte
	for range 3 {
		id, frame := t.Request(method, "")
		ids, lines = append(ids, id), append(append(lines, frame...), '\n')
	}
	t.SendRaw(lines)
	t.Await(ids[2])
	for _, id := range ids[:2] {
		t.AwaitFor(id, time.Second)
	}
}
