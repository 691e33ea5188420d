package client

import (
	"context"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// A question is a request of the server that is being answered.
type question struct {
	link   *link
	cancel context.CancelFunc
}

// question takes a request of the server. What can be answered at once goes to
// the one goroutine for that, the rest each has its own.
func (c *core) question(ctx context.Context, l *link, m jsonrpc.Message) (odd string, act func()) {
	inner, cancel := context.WithCancel(ctx)
	q := &question{link: l, cancel: cancel}
	var refusal *jsonrpc.Error
	c.update(func(st *state) {
		switch {
		case l.rev != nil && l.rev.Modern:
			odd = "a request of the server, in a revision without them"
		case m.Method == mcp.MethodPing:
		case !c.offers(m.Method):
			refusal = notOffered(m.Method)
		case st.asked[m.ID] != nil:
			odd = "a request with the id of one that is being answered"
			refusal = &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "a request with this id is being answered"}
		case len(st.asked) >= c.opts.Limits.Questions:
			refusal = &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "too many requests at once"}
		case st.phase != over:
			st.asked[m.ID] = q
			act = func() { c.background(func() { c.answerQuestion(inner, q, m) }) }
		}
	})
	if act != nil {
		return "", act
	}
	cancel()
	switch {
	case refusal != nil:
		return odd, func() { c.reply(ctx, l, jsonrpc.AppendErrorResponse(nil, m.ID, refusal, false)) }
	case m.Method == mcp.MethodPing && odd == "":
		return "", func() { c.reply(ctx, l, append(jsonrpc.AppendResponse(nil, m.ID), "{}}"...)) }
	}
	return odd, func() {}
}

// answerQuestion runs the handler of a request of the server.
func (c *core) answerQuestion(ctx context.Context, q *question, m jsonrpc.Message) {
	defer q.cancel()
	result, err := c.answer(ctx, m.Method, m.Params)
	wanted := false
	c.update(func(st *state) {
		if wanted = st.asked[m.ID] == q; wanted {
			delete(st.asked, m.ID)
		}
	})
	if !wanted {
		return // it was cancelled
	}
	frame := append(append(jsonrpc.AppendResponse(nil, m.ID), result...), '}')
	if err != nil {
		frame = jsonrpc.AppendErrorResponse(nil, m.ID, wireError(err), false)
	}
	c.post(ctx, q.link, frame)
}

// maxReplies is how many answers may wait for a server that does not read.
const maxReplies = 256

// reply sends an answer that is ready, in the order of asking, without keeping
// the reader waiting.
func (c *core) reply(ctx context.Context, l *link, frame []byte) {
	if l.replies == nil { // only the reader comes here
		l.replies = newQueue[[]byte](maxReplies)
		started := c.background(func() { l.replies.run(func(frame []byte) { c.post(ctx, l, frame) }) })
		if !started {
			return
		}
	}
	if l.replies.put(frame, len(frame)) {
		c.rec.note("an answer was dropped: the server does not read")
	}
}

// post sends a response.
func (c *core) post(ctx context.Context, l *link, frame []byte) {
	c.rec.sent(frame)
	if err := l.line.Send(ctx, transport.Outgoing{Frame: frame}); err != nil {
		c.opts.Log.Debug("answering the server", "error", err)
	}
}

// withdrawn is called when the server takes a request back.
func (c *core) withdrawn(l *link, id jsonrpc.ID) {
	var q *question
	c.update(func(st *state) {
		if asked := st.asked[id]; asked != nil && asked.link == l {
			q = asked
			delete(st.asked, id)
		}
	})
	if q != nil {
		q.cancel()
	}
}
