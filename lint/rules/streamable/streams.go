package streamable

import (
	"iter"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// exchanges are all HTTP requests of the rule's talks that got a response.
func exchanges(v *lint.View) iter.Seq2[*lint.Step, *lint.Exchange] {
	return func(yield func(*lint.Step, *lint.Exchange) bool) {
		for _, t := range v.Talks() {
			for _, s := range t.Steps {
				for _, x := range s.Exchanges() {
					if x.Status != 0 && s.Outcome != lint.NotSent && !yield(s, x) {
						return
					}
				}
			}
		}
	}
}

// A stream is a response of events.
type stream struct {
	step   *lint.Step
	x      *lint.Exchange
	asked  *lint.Message // the request that was posted; nil for GET
	events []event
	rest   []byte // after the last event
}

func (s *stream) talk() *lint.Talk { return s.step.Talk() }

// whole says that the server has ended the stream, and all of it is known.
func (s *stream) whole() bool { return s.x.End > 0 && !s.x.Cut && s.x.Err == "" }

// resumed says whether the stream goes on with another.
func (s *stream) resumed() bool { return s.x.Header.Get("Last-Event-ID") != "" }

// hasIDs says whether one of the events has an id.
func (s *stream) hasIDs() bool {
	for _, e := range s.events {
		if e.hasID {
			return true
		}
	}
	return false
}

// answered says whether the stream has the response to its request.
func (s *stream) answered() bool {
	for _, m := range s.step.Messages() {
		if m.HTTP == s.x && m.FromServer && m.Kind == lint.Response && string(m.ID) == string(s.asked.ID) {
			return true
		}
	}
	return false
}

// streams are all of the rule's talks, but not those of malformed messages. If
// there is none, the rule is told so.
func streams(v *lint.View) []*stream {
	var all []*stream
	for s, x := range exchanges(v) {
		if isSuccess(x.Status) && x.Type() == "text/event-stream" && s.Talk().Phase != step.Malformed {
			one := &stream{step: s, x: x, asked: requestOf(s, x)}
			one.events, one.rest = parseEvents(x.Answer)
			all = append(all, one)
		}
	}
	if len(all) == 0 {
		v.NotApplicable("no response was an event stream")
	}
	return all
}

// answering are the streams that answer a request and are expected to end with
// its response: not subscriptions, and nothing that was cancelled.
func answering(v *lint.View) []*stream {
	var some []*stream
	for _, s := range streams(v) {
		if s.asked != nil && s.asked.MethodName() != mcp.MethodListen && !cancelled(s.asked) {
			some = append(some, s)
		}
	}
	if len(some) == 0 {
		v.NotApplicable("no request was answered by an event stream")
	}
	return some
}

func cancelled(request *lint.Message) bool {
	for _, m := range request.Talk().Messages() {
		if m.MethodName() == mcp.NotifyCancelled && string(lint.Member(m.Params, "requestId")) == string(request.ID) {
			return true
		}
	}
	return false
}

// early are those of the streams that the server ended before the response.
func early(v *lint.View) []*stream {
	var some []*stream
	for _, s := range answering(v) {
		if s.whole() && !s.answered() {
			some = append(some, s)
		}
	}
	return some
}
