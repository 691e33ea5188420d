package streamable

import (
	"net/http"
	"slices"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

// judged are the steps of a name whose response says something about the
// server.
func judged(v *lint.View, name string) []*lint.Step {
	var steps []*lint.Step
	for _, s := range v.Steps(name) {
		if x := response(s); x != nil && tells(x) {
			steps = append(steps, s)
		}
	}
	return steps
}

// response is the exchange that answered a step, after redirects. Those in which
// the client answers the server meanwhile are left out.
func response(s *lint.Step) *lint.Exchange {
	all := slices.DeleteFunc(s.Exchanges(), func(x *lint.Exchange) bool {
		return slices.ContainsFunc(s.Messages(), func(m *lint.Message) bool {
			return m.HTTP == x && !m.FromServer && m.Kind == lint.Response && m.Asked != nil
		})
	})
	for len(all) > 1 && isRedirect(all[0].Status) {
		all = all[1:]
	}
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// tells says whether there is a response that is about the request. A server
// that wants credentials, or has no time, has not looked at it.
func tells(x *lint.Exchange) bool {
	switch x.Status {
	case 0, http.StatusUnauthorized, http.StatusProxyAuthRequired, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return false
	}
	return true
}

func isSuccess(status int) bool  { return status >= 200 && status < 300 }
func isRedirect(status int) bool { return status >= 300 && status < 400 }
func isRefusal(status int) bool  { return status >= 400 && status < 500 }

// served says whether a request got behind the transport: it has a result, or
// is told that the method does not exist.
func served(s *lint.Step) bool {
	answer := s.Answer()
	return isSuccess(response(s).Status) && answer != nil && (answer.HasResult() || answer.Code() == jsonrpc.MethodNotFound)
}

// errorCode is the code of the first error that came in a step, with an id or
// without; 0 if none did.
func errorCode(s *lint.Step) int {
	for _, m := range s.Messages() {
		if m.FromServer && m.Error != nil {
			return m.Code()
		}
	}
	return 0
}

// wantMismatch holds a step to what a header that contradicts the body gets.
func wantMismatch(v *lint.View, s *lint.Step, subject lint.Subject, what string) {
	v.Saw()
	switch status := response(s).Status; {
	case isSuccess(status) && errorCode(s) == 0:
		v.Failf(s, subject, "%s is accepted", what)
	case status != http.StatusBadRequest:
		v.Failf(s, subject, "%s is answered with status %d instead of 400", what, status)
	case errorCode(s) != mcp.CodeHeaderMismatch:
		v.Failf(s, subject, "%s is refused without the code %d", what, mcp.CodeHeaderMismatch)
	}
}

// revision is the one in use in a talk, or the one that it would have been.
func revision(t *lint.Talk) string {
	if t.Revision != "" {
		return t.Revision
	}
	return t.Asked
}

// sessionID is the id that a talk was given with the answer to initialize.
func sessionID(t *lint.Talk) string {
	if s := t.Step(step.Initialize, ""); s != nil && response(s) != nil {
		return response(s).Response.Get("Mcp-Session-Id")
	}
	return ""
}

// hasSessions says whether the server gives ids to sessions; if it does not,
// the rule is told so.
func hasSessions(v *lint.View) bool {
	for _, t := range v.Talks() {
		if sessionID(t) != "" {
			return true
		}
	}
	v.NotApplicable("the server has no sessions")
	return false
}

// requestOf is the request that an exchange posted, if it was one as it should
// be.
func requestOf(s *lint.Step, x *lint.Exchange) *lint.Message {
	if x.Method != http.MethodPost {
		return nil
	}
	for _, m := range s.Messages() {
		if m.HTTP == x && !m.FromServer {
			sound := m.Kind == lint.Request && !m.Batch && rawjson.IsString(lint.Member(m.Raw, "jsonrpc"), "2.0") &&
				(rawjson.KindOf(m.ID) == rawjson.StringKind || rawjson.IsInteger(m.ID))
			if sound {
				return m
			}
			return nil
		}
	}
	return nil
}
