package modern

import (
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// A subscription is one subscriptions/listen with what came of it.
type subscription struct {
	step    *lint.Step
	request *lint.Message
	filter  []byte          // what was asked for
	stream  []*lint.Message // its notifications, in order
	answer  *lint.Message   // nil while it is open
}

// subscriptions are all that were opened.
func subscriptions(v *lint.View) []*subscription {
	var all []*subscription
	for _, s := range steps(v, step.Listen) {
		request := s.Asked()
		if request == nil || request.MethodName() != mcp.MethodListen {
			continue
		}
		sub := &subscription{step: s, request: request, filter: lint.Member(request.Params, "notifications"), answer: request.Answer}
		for _, m := range s.Talk().Messages() {
			if m.FromServer && m.Kind == lint.Notification && sub.owns(m) {
				sub.stream = append(sub.stream, m)
			}
		}
		all = append(all, sub)
	}
	return all
}

// The kinds of notifications that a subscription can have, by the members of the
// filter, with the flag of the capability that announces them.
var kinds = []struct{ member, notify, flag string }{
	{"toolsListChanged", mcp.NotifyToolsChanged, "tools.listChanged"},
	{"promptsListChanged", mcp.NotifyPromptsChanged, "prompts.listChanged"},
	{"resourcesListChanged", mcp.NotifyResourcesChanged, "resources.listChanged"},
	{"resourceSubscriptions", mcp.NotifyResourceUpdated, "resources.subscribe"},
}

// kindOf is the member of the filter for a notification; empty if it is no kind
// that one can subscribe to.
func kindOf(m *lint.Message) string {
	for _, kind := range kinds {
		if kind.notify == m.MethodName() {
			return kind.member
		}
	}
	return ""
}

// owns says whether a notification is part of the subscription: by its stream
// over HTTP; on stdio by its id, of whatever type, or while it has none by
// coming in the same step.
func (sub *subscription) owns(m *lint.Message) bool {
	if m.HTTP != nil {
		return m.HTTP == sub.request.HTTP
	}
	if id := subscriptionID(m); id != nil {
		return bare(id) == bare(sub.request.ID)
	}
	return m.Step == sub.step && (m.MethodName() == mcp.NotifyAcknowledged || kindOf(m) != "")
}

func subscriptionID(m *lint.Message) []byte {
	return lint.Member(m.Params, "_meta", mcp.MetaSubscriptionID)
}

// bare is an id without its type.
func bare(id []byte) string { return strings.Trim(string(id), `"`) }

// acknowledgement is what the server says to send; nil if it never does.
func (sub *subscription) acknowledgement() *lint.Message {
	for _, m := range sub.stream {
		if m.MethodName() == mcp.NotifyAcknowledged {
			return m
		}
	}
	return nil
}

// refused says whether the request was answered with an error.
func (sub *subscription) refused() bool { return sub.answer != nil && sub.answer.IsError() }

// grants says whether a filter has a member that stands for something.
func grants(filter []byte, member string) bool {
	value := lint.Member(filter, member)
	if rawjson.KindOf(value) == rawjson.Array {
		for range rawjson.Elements(value) {
			return true
		}
		return false
	}
	return string(value) == "true"
}

// notOpened ends a rule that has seen no open subscription.
func notOpened(v *lint.View) {
	for _, sub := range subscriptions(v) {
		if sub.refused() {
			v.NotVerified("subscriptions/listen is refused, see MOD-026")
		}
	}
}
