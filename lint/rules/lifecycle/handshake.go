package lifecycle

import (
	"fmt"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// opening is the step in which the server describes itself in a talk, with the
// method that asks it to.
func opening(t *lint.Talk) (name, method string) {
	if t.Modern {
		return step.Discover, mcp.MethodDiscover
	}
	return step.Initialize, mcp.MethodInitialize
}

// introduction is the result in which the server describes itself; nil if there
// is none that is an object.
func introduction(t *lint.Talk) *lint.Message {
	name, method := opening(t)
	for _, s := range t.StepsOf(name) {
		if asked := request(s, method); asked != nil && asked.Answer != nil && rawjson.KindOf(asked.Answer.Result) == rawjson.Object {
			return asked.Answer
		}
	}
	return nil
}

// introductions are those of all talks.
func introductions(v *lint.View) []*lint.Message {
	var all []*lint.Message
	for _, t := range v.Talks() {
		if m := introduction(t); m != nil {
			all = append(all, m)
		}
	}
	return all
}

// request is the first request of a method that the client made in a step.
func request(s *lint.Step, method string) *lint.Message {
	for _, m := range s.Messages() {
		if !m.FromServer && m.Kind == lint.Request && m.MethodName() == method {
			return m
		}
	}
	return nil
}

// refused says whether a step ended in an error, of JSON-RPC or of HTTP.
func refused(s *lint.Step) bool {
	if answer := s.Answer(); answer != nil {
		return answer.IsError()
	}
	x := s.Exchange()
	return x != nil && x.Status >= 400
}

// failAt adds a finding about a place in the server's description of itself.
func failAt(v *lint.View, severity lint.Severity, m *lint.Message, pointer, format string, args ...any) {
	v.Fail(lint.Finding{
		Severity: severity, Pointer: pointer, Message: fmt.Sprintf(format, args...),
		Evidence: m.Evidence(), Revision: m.Talk().Revision,
	})
}
