package calls

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// maxRounds is how many times a call is repeated with what it asks for (A10.3).
const maxRounds = 5

func wantsInput(result []byte) bool {
	return rawjson.IsString(lint.Member(result, "resultType"), "input_required")
}

// answerInput repeats a call that wanted input. The changed states come first: one
// that has been used may be refused for that.
func (c *caller) answerInput(t *tool, result []byte) {
	answers := responses(result)
	if state, ok := lint.Text(lint.Member(result, "requestState")); ok && len(state) > 1 {
		for _, changed := range []string{flipped(state), state[:len(state)/2]} {
			c.ask(step.StateTampered, t, t.arguments, "", answers, `"requestState":`+quoted(changed))
		}
	}
	for range maxRounds {
		more := []string{responses(result)}
		if state := lint.Member(result, "requestState"); state != nil {
			more = append(more, `"requestState":`+string(state))
		}
		reply := c.ask(step.CallAnswered, t, t.arguments, "", more...)
		if result = reply.Result; !wantsInput(result) {
			return
		}
	}
}

// flipped changes one byte in the middle of a text.
func flipped(text string) string {
	changed := []byte(text)
	middle := len(changed) / 2
	for middle > 0 && changed[middle] >= 0x80 { // stay out of other alphabets
		middle--
	}
	if changed[middle] == 'A' {
		changed[middle] = 'B'
	} else {
		changed[middle] = 'A'
	}
	return string(changed)
}

func quoted(text string) string { return string(rawjson.AppendString(nil, text)) }

// responses is the member inputResponses for what a result asks; empty if it
// asks nothing.
func responses(result []byte) string {
	requests := lint.Member(result, "inputRequests")
	if rawjson.KindOf(requests) != rawjson.Object {
		return ""
	}
	o := rawjson.Begin(nil)
	for key, request := range rawjson.Members(requests) {
		o.Raw(string(key), []byte(response(request)))
	}
	return `"inputResponses":` + string(o.End())
}

// response is what a client says to one request: forms are filled in, pages are
// not visited.
func response(request []byte) string {
	method, _ := lint.Text(lint.Member(request, "method"))
	switch method {
	case mcp.MethodCreateMessage:
		return `{"role":"assistant","content":{"type":"text","text":"example"},"model":"mcplint","stopReason":"endTurn"}`
	case mcp.MethodListRoots:
		return `{"roots":[]}`
	}
	if content, ok := generate(lint.Member(request, "params", "requestedSchema")); ok {
		return `{"action":"accept","content":` + content + `}`
	}
	return `{"action":"decline"}`
}
