package rpc

import (
	"bytes"
	"net/http"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

// messages are those that the server has sent, of any kind but noise.
func messages(v *lint.View) []*lint.Message {
	var found []*lint.Message
	for _, m := range v.Received() {
		if claimed(m) {
			found = append(found, m)
		}
	}
	return found
}

// responses are those of them that answer something.
func responses(v *lint.View) []*lint.Message {
	var found []*lint.Message
	for _, m := range messages(v) {
		if m.Kind == lint.Response {
			found = append(found, m)
		}
	}
	return found
}

// claimed says whether something from the server was meant to be a message. On
// stdio, JSON that neither says so nor looks like one is noise, and a matter of
// the rules about stdio. Over HTTP other things come the same way: documents,
// the bodies of refusals, events of other types.
func claimed(m *lint.Message) bool {
	x := m.HTTP
	switch {
	case x == nil:
		return m.Kind > lint.Invalid || m.Kind == lint.Invalid && lint.Member(m.Raw, "jsonrpc") != nil
	case m.Event != "":
		return m.Event == "message"
	case x.Method != http.MethodPost || x.Cut && m.Kind == lint.Noise:
		return false
	}
	return !refused(m) || bytes.Contains(m.Raw, []byte(`"jsonrpc"`))
}

// refused says whether a message came with a status of HTTP that is an error.
// Such a message need not have an id.
func refused(m *lint.Message) bool { return m.HTTP != nil && m.HTTP.Status >= http.StatusBadRequest }

// wellFormed says whether a request of the client is one that a server has to
// answer.
func wellFormed(m *lint.Message) bool {
	_, named := lint.Text(m.Method)
	return m.Kind == lint.Request && named && validID(m.ID) && !m.Batch &&
		rawjson.IsString(lint.Member(m.Raw, "jsonrpc"), "2.0") &&
		(m.Params == nil || rawjson.KindOf(m.Params) == rawjson.Object)
}

// ofMethod is the method of a message, or of what it answers, as a subject.
func ofMethod(m *lint.Message) lint.Subject {
	if name := m.MethodName(); name != "" {
		return lint.Subject{Kind: "method", Name: name}
	}
	return lint.Subject{}
}
