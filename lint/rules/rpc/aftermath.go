package rpc

import (
	"context"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

// aftermath has the messages of a step, and those of the check for life that
// follows it: on stdio that is where an answer comes.
func aftermath(s *lint.Step) []*lint.Message {
	messages := during(s)
	for _, next := range s.Talk().StepsOf(step.Alive) {
		if s.About != "" && next.About == s.About {
			messages = append(messages, during(next)...)
		}
	}
	return messages
}

// during has the messages of a step. Those on a stream that was opened before,
// as HTTP+SSE has it, belong to the step in which they came.
func during(s *lint.Step) []*lint.Message {
	messages := s.Messages()
	if lint.TransportOf(s.Talk().Transport) != lint.SSE {
		return messages
	}
	running := false
	for _, m := range s.Talk().Messages() {
		if !m.FromServer {
			running = m.Step == s
		} else if running && m.Step != s {
			messages = append(messages, m)
		}
	}
	return messages
}

// refusal says whether a step was answered with an error that has no id, or
// with a status of HTTP.
func refusal(s *lint.Step) bool {
	for _, m := range aftermath(s) {
		if m.FromServer && m.IsError() && unnamed(m.ID) {
			return true
		}
	}
	x := s.Exchange()
	return x != nil && x.Status >= 400
}

// survived says whether the server still answered after a step. Without a check
// for life, nothing speaks against it.
func survived(s *lint.Step) bool {
	for _, next := range s.Talk().StepsOf(step.Alive) {
		if next.About == s.About {
			return next.Answer() != nil
		}
	}
	return true
}

// provoked shows a response that answers no request, with what it came of.
func provoked(m *lint.Message) lint.Evidence {
	e := m.Evidence()
	switch {
	case e.Sent != "":
	case m.HTTP != nil:
		e.Sent = string(m.HTTP.Body)
	default:
		for _, s := range m.Talk().Steps {
			if s == m.Step || s.About != "" && s.About == m.Step.About {
				e.Sent = firstSent(s)
				break
			}
		}
	}
	return e
}

// firstSent is what was first written in a step, whatever it was.
func firstSent(s *lint.Step) string {
	for i := range s.Events {
		if s.Events[i].Sent != nil {
			return string(s.Events[i].Sent)
		}
	}
	return ""
}

// cutOff says whether it was the prober that ended a step, for lack of time or
// room or because the user wanted so, and not the server.
func cutOff(s *lint.Step) bool {
	if x := s.Exchange(); x != nil {
		return x.Cut || x.Err == context.Canceled.Error()
	}
	t := s.Talk()
	exit := t.Exit()
	gone := t.Left || exit != nil && exit.After == "by itself"
	return (s.Outcome == lint.Lost || s.Outcome == lint.NotSent) && !gone
}
