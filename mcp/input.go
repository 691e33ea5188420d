package mcp

import (
	"encoding/json"
	"errors"

	"mcpworks/internal/rawjson"
)

// An InputRequest is a question of a server to the client or its user, asked
// while a call is being handled. Make one with ElicitForm, ElicitURL,
// CreateMessage or ListRoots.
type InputRequest struct {
	method string
	params json.RawMessage
	needs  ClientCapabilities
	form   json.RawMessage // the schema of a form
	bad    error           // why it cannot be asked
}

// ElicitForm asks the user to fill in a form. The schema is one flat object of
// strings, numbers, booleans and enums. A form must not ask for secrets.
func ElicitForm(message string, schema json.RawMessage) InputRequest {
	q := InputRequest{method: MethodElicit, needs: ClientCapabilities{Elicitation: true}}
	if rawjson.Check(schema, rawjson.Limits{}) != nil || !IsObjectSchema(schema) {
		q.bad = errors.New("the schema of a form must be that of an object")
		return q
	}
	q.form = oneLine(schema)
	o := rawjson.Begin(nil)
	o.String("message", message)
	o.Raw("requestedSchema", q.form)
	q.params = o.End()
	return q
}

// ElicitURL asks the user to visit an address. The address must carry no
// secrets and must not be authenticated by itself; id names the request for
// clients of revision 2025-11-25.
func ElicitURL(message, url, id string) InputRequest {
	o := rawjson.Begin(nil)
	o.String("mode", "url")
	o.String("message", message)
	o.String("url", url)
	o.NonEmpty("elicitationId", id)
	return InputRequest{method: MethodElicit, params: o.End(), needs: ClientCapabilities{ElicitationURL: true}}
}

// CreateMessage asks the client's model; params is the JSON of the request.
func CreateMessage(params json.RawMessage) InputRequest {
	q := InputRequest{method: MethodCreateMessage}
	if rawjson.Check(params, rawjson.Limits{}) != nil || rawjson.KindOf(params) != rawjson.Object {
		q.bad = errors.New("the params of a sampling request must be an object")
		return q
	}
	q.needs = ClientCapabilities{Sampling: true, SamplingTools: hasMember(params, "tools")}
	q.params = oneLine(params)
	return q
}

// ListRoots asks which folders the client works in.
func ListRoots() InputRequest {
	return InputRequest{method: MethodListRoots, params: json.RawMessage("{}"), needs: ClientCapabilities{Roots: true}}
}

// oneLine takes the white space out of JSON, since a message is one line.
func oneLine(raw []byte) []byte { return rawjson.Compact(nil, raw) }

// Validate says why the question cannot be asked, nil if it can.
func (q InputRequest) Validate() error { return q.bad }

// Form returns the schema of what a form asks for, nil if it is none.
func (q InputRequest) Form() json.RawMessage { return q.form }

// Method returns the protocol's name of the question.
func (q InputRequest) Method() string { return q.method }

// Params returns the question as the revision writes it.
func (q InputRequest) Params(rev *Revision) json.RawMessage {
	if !rev.Modern || q.method != MethodElicit {
		return q.params
	}
	o := rawjson.Begin(nil) // modern requests have no elicitationId
	for name, value := range rawjson.Members(q.params) {
		if string(name) != "elicitationId" {
			o.Raw(string(name), value)
		}
	}
	return o.End()
}

// In says whether the revision has such a question.
func (q InputRequest) In(rev *Revision) bool {
	return q.method != MethodElicit || rev.Elicitation && (rev.ElicitationURL || !q.needs.ElicitationURL)
}

// Missing returns what the question needs and the client does not have; none
// is the zero value.
func (q InputRequest) Missing(have ClientCapabilities) ClientCapabilities {
	return ClientCapabilities{
		Roots:          q.needs.Roots && !have.Roots,
		Sampling:       q.needs.Sampling && !have.Sampling,
		SamplingTools:  q.needs.SamplingTools && !have.SamplingTools,
		Elicitation:    q.needs.Elicitation && !have.Elicitation,
		ElicitationURL: q.needs.ElicitationURL && !have.ElicitationURL,
	}
}

// Accepts says whether a checked answer has the shape of one.
func (q InputRequest) Accepts(answer []byte) bool {
	switch q.method {
	case MethodElicit:
		_, ok := ParseElicitResult(answer)
		return ok
	case MethodListRoots:
		return memberKind(answer, "roots") == rawjson.Array
	}
	return memberKind(answer, "role") == rawjson.StringKind && hasMember(answer, "content")
}

func memberKind(object []byte, name string) rawjson.Kind {
	for member, value := range rawjson.Members(object) {
		if string(member) == name {
			return rawjson.KindOf(value)
		}
	}
	return rawjson.Invalid
}

// An ElicitResult is what the user did with a form or an address.
type ElicitResult struct {
	Action  string         // accept, decline or cancel
	Content map[string]any // of an accepted form
}

// ParseElicitResult reads a checked answer. ok is false if it is not one.
func ParseElicitResult(raw []byte) (result ElicitResult, ok bool) {
	for name, value := range rawjson.Members(raw) {
		switch string(name) {
		case "action":
			result.Action, _ = rawjson.String(value)
		case "content":
			content, _ := rawjson.Decode(value)
			result.Content, _ = content.(map[string]any)
		}
	}
	switch result.Action {
	case "accept", "decline", "cancel":
		return result, true
	}
	return result, false
}
