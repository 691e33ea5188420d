package modern

import (
	"fmt"

	"mcpworks/lint"
)

// answer is what a step's request was answered with; an error that has no id
// will do. It is nil if nothing came.
func answer(s *lint.Step) *lint.Message {
	if linked := s.Answer(); linked != nil {
		return linked
	}
	for _, m := range s.Messages() {
		if m.FromServer && m.IsError() && (m.ID == nil || string(m.ID) == "null") {
			return m
		}
	}
	return nil
}

// unanswered says in words what came instead of an answer.
func unanswered(s *lint.Step) string {
	if x := s.Exchange(); x != nil && x.Status != 0 {
		return fmt.Sprintf("is answered with HTTP status %d and no JSON-RPC message", x.Status)
	}
	return "is not answered"
}

// lost says whether the connection ended before there was an answer, in which
// case nothing is known.
func lost(v *lint.View, s *lint.Step) bool {
	if s.Outcome != lint.Lost || answer(s) != nil {
		return false
	}
	v.NotVerified("the connection ended before the request was answered")
	return true
}

// otherStatus says whether an answer came over HTTP with another status than it
// should have.
func otherStatus(answer *lint.Message, want int) bool {
	return answer.HTTP != nil && answer.HTTP.Status != want
}
