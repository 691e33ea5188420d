package rpc

import (
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var noHang = lint.Rule{
	ID: "RPC-012", Slug: "no-hang",
	Title:    "every well-formed request is answered in time",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Probe,
	Rests: append(onMessages(lint.All, "responses", "Requests are answered with a result or an error."),
		lint.Clause{Page: "JSON-RPC 2.0 4", Demand: "Only notifications go without a response."}),
	What: "Looks at every well-formed request of the ordinary and the probing talks, such as lists, unknown methods and wrong parameters: there has to be an answer before the time-out, of whatever kind, and the connection has to stay. Requests that were cancelled, and subscriptions, are left out; initialize, ping and odd ids have rules of their own.",
	Why:  "The caller waits for the whole time-out, which is half a minute or more with most clients, and then knows nothing.",
	Bad:  "→ {\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"mcplint/doesNotExist\"}\n(nothing)",
	Good: "→ {\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"mcplint/doesNotExist\"}\n← {\"jsonrpc\":\"2.0\",\"id\":5,\"error\":{\"code\":-32601,\"message\":\"method not found\"}}",
	Fix:  "Make sure that each path through the dispatcher ends in a response: unknown methods, parameters that cannot be decoded, handlers that panic or throw.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Main, step.Manners, step.Probing) {
			l, given := newLedger(t), givenUp(t)
			for _, m := range t.Messages() {
				if !m.FromServer && owedAnswer(m) && !given[idKey(m.ID)] && !l.mistaken[m] {
					judgeAnswer(v, l, m)
				}
			}
			if t.Phase == step.Manners {
				judgeEnd(v, t)
			}
		}
	},
}

// owedAnswer says whether a request has to be answered, and no other rule looks
// after it.
func owedAnswer(m *lint.Message) bool {
	switch m.MethodName() {
	case mcp.MethodInitialize, mcp.MethodListen:
		return false
	}
	alive := m.Step.Name == step.Alive && (m.Talk().Phase != step.Manners || m.Step.About == step.ABatch)
	return wellFormed(m) && m.Step.Name != step.Ping && m.Step.Name != step.IDForm && !alive
}

func judgeAnswer(v *lint.View, l *ledger, m *lint.Message) {
	switch s := m.Step; {
	case l.answered[idKey(m.ID)] != nil, m.HTTP != nil && m.HTTP.Status >= http.StatusBadRequest:
		v.Saw()
	case cutOff(s):
	case s.Outcome == lint.Silent, s.Outcome == lint.Done && s.Name == step.Parallel, endedWithout(m.HTTP):
		v.Failf(s, ofMethod(m), "%s is not answered", inWords(s))
	case s.Outcome == lint.Lost && m.Talk().Phase != step.Main: // there it is LIFE-018
		v.Failf(s, ofMethod(m), "%s ends the connection", inWords(s))
	}
}

// endedWithout says whether a response of HTTP failed, or ended without the
// answer that it should have had. One of another type is a matter of HTTP-001.
func endedWithout(x *lint.Exchange) bool {
	return x != nil && (x.Err != "" || x.End != 0 && (len(x.Answer) == 0 || x.Type() == "application/json" || x.Type() == "text/event-stream"))
}

// judgeEnd looks for the step that a talk did not survive.
func judgeEnd(v *lint.View, t *lint.Talk) {
	for i, s := range t.Steps {
		if s.Outcome != lint.NotSent || i == 0 {
			continue
		}
		switch last := t.Steps[i-1]; {
		case last.Outcome == lint.Lost || s.Name == step.Close || cutOff(s):
		case last.Name == step.Open || last.Name == step.Initialize || last.Name == step.Initialized:
		case last.Name == step.Batch: // RPC-016
		default:
			v.Failf(last, lint.Subject{}, "%s ends the connection", inWords(last))
		}
		return
	}
}

// inWords says what was sent in a step.
func inWords(s *lint.Step) string {
	switch s.Name {
	case step.List, step.ListAgain:
		return "a request for the list"
	case step.Unasked:
		return "a " + s.Name
	}
	return "a request (" + s.Name + ")"
}

// givenUp has the ids of the requests that the client cancelled.
func givenUp(t *lint.Talk) map[string]bool {
	given := map[string]bool{}
	for _, m := range t.Messages() {
		if !m.FromServer && m.Kind == lint.Notification && m.MethodName() == mcp.NotifyCancelled {
			given[idKey(lint.Member(m.Params, "requestId"))] = true
		}
	}
	return given
}
