package crooked

import (
	"bytes"
	"slices"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

const (
	unknownMethod = "mcplint/doesNotExist"
	modern        = "2026-07-28"
)

var rpcFaults = []Fault{
	{Rule: "RPC-001", Say: result(mcp.MethodListPrompts, set("jsonrpc", "1.0"))},
	{Rule: "RPC-002", Say: when(isResultOf(mcp.MethodListPrompts), func(_ *Chat, m Message) [][]byte { return one(m.Raw[:len(m.Raw)-1]) })},
	{Rule: "RPC-003", Say: before(mcp.MethodListPrompts, `{"jsonrpc":"2.0","params":{}}`)},
	{Rule: "RPC-004", Say: result(mcp.MethodListPrompts, set("error", js(`{"code":-32603,"message":"and yet"}`)))},
	{Rule: "RPC-005", Say: instead(mcp.MethodListPrompts, `"error":{"code":"many","message":"not today"}`)},
	{Rule: "RPC-006", Say: result(mcp.MethodListPrompts, set("id", "another"))},
	{Rule: "RPC-007", Say: when(isResultOf(mcp.MethodListPrompts), func(_ *Chat, m Message) [][]byte { return [][]byte{m.Raw, m.Raw} })},
	{Rule: "RPC-008", Say: when(func(_ *Chat, m Message) bool { return m.isResult("") && string(lint.Member(m.Raw, "id")) == "0" },
		func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, set("id", "0"))) })},
	{Rule: "RPC-009", Say: when(func(_ *Chat, m Message) bool {
		return lint.Member(m.Raw, "error") != nil && lint.Member(m.Raw, "id") == nil
	},
		func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, set("id", nil))) })},
	{Rule: "RPC-010", With: []string{"HTTP-002"}, Hear: func(_ *Chat, message []byte) ([][]byte, bool) {
		return one([]byte(`{"jsonrpc":"2.0","error":{"code":-32601,"message":"there is no such notification"}}`)), methodOf(message) == "notifications/mcplint/unknown"
	}},
	{Rule: "RPC-011", Say: instead(unknownMethod, `"result":{}`)},
	{Rule: "RPC-012", With: []string{"HTTP-001"}, Hear: swallow(asks(unknownMethod))},
	{Rule: "RPC-013", Hear: replyIf(func(message []byte) bool {
		return methodOf(message) == mcp.MethodCallTool && param(message, "name") == ""
	}, internalError)},
	{Rule: "RPC-014", Hear: swallow(func(message []byte) bool {
		return isMessage(message) && rawjson.IsString(lint.Member(message, "jsonrpc"), "1.0")
	})},
	{Rule: "RPC-015", Say: when(func(_ *Chat, m Message) bool { return string(lint.Member(m.Raw, "error", "code")) == "-32700" },
		func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, set("error/code", number("-32600")))) })},
	{Rule: "RPC-016", Hear: func(c *Chat, message []byte) ([][]byte, bool) {
		if string(message) == `"a string"` {
			c.Keep("dead "+c.Session(), "yes")
		}
		return nil, c.Kept("dead "+c.Session()) != ""
	}},
	{Rule: "RPC-017", Hear: answerBatch},
	{Rule: "RPC-018", Level: lint.Probe, Version: modern, Say: when(climbing, func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, set("error/code", number("-32050")))) })},
	{Rule: "RPC-019", Level: lint.Probe, Say: when(climbing, func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, set("error/code", number("-32002")))) })},
	{Rule: "RPC-020", Level: lint.Probe, Say: when(isResultOf(mcp.MethodSetLevel), func(_ *Chat, m Message) [][]byte { return one(response(m.Asked, `"result":[]`)) })},
	{Rule: "RPC-021", Say: result(mcp.MethodListPrompts, drop("result/resultType"))},
	{Rule: "RPC-022", Say: result(mcp.MethodListPrompts, set("result/resultType", "finished"))},
	{Rule: "RPC-023", Say: result(mcp.MethodListPrompts, set("result/resultType", "complete"))},
	{Rule: "RPC-024", Say: before(mcp.MethodListPrompts, `{"jsonrpc":"2.0","id":7,"method":"ping"}`, `{"jsonrpc":"2.0","id":7,"method":"ping","params":{}}`)},
	{Rule: "RPC-025", Say: when(isResultOf(mcp.MethodListPrompts), func(_ *Chat, m Message) [][]byte {
		return one(bytes.Replace(m.Raw, []byte(`"prompts":`), []byte(`"extra":1,"extra":2,"prompts":`), 1))
	})},
	{Rule: "RPC-026", Hear: replyIf(func(message []byte) bool {
		return isMessage(message) && rawjson.KindOf(lint.Member(message, "id")) == rawjson.Array && methodOf(message) == mcp.MethodPing
	}, `"result":{}`)},
	{Rule: "RPC-027", Say: refusal(unknownMethod, set("error/message", ""))},
	{Rule: "RPC-028", Say: result(mcp.MethodListPrompts, set("result/prompts/0/title", true))},
}

const internalError = `"error":{"code":-32603,"message":"something went wrong"}`

// isResultOf picks the results of a method.
func isResultOf(method string) func(*Chat, Message) bool {
	return func(_ *Chat, m Message) bool { return m.isResult(method) }
}

// climbing picks refusals of reads that lead out of what is offered.
func climbing(_ *Chat, m Message) bool {
	return m.isError(mcp.MethodReadResource) && strings.Contains(param(m.Asked, "uri"), "..")
}

// answerBatch answers an array of pings.
func answerBatch(_ *Chat, message []byte) ([][]byte, bool) {
	if rawjson.Check(message, rawjson.Limits{}) != nil || rawjson.KindOf(message) != rawjson.Array {
		return nil, false
	}
	var answers [][]byte
	for request := range rawjson.Elements(message) {
		answers = append(answers, response(request, `"result":{}`))
	}
	return one(slices.Concat([]byte("["), bytes.Join(answers, []byte(",")), []byte("]"))), len(answers) > 0
}

// unknownURI picks requests for a resource that no server has.
func unknownURI(message []byte) bool {
	return methodOf(message) == mcp.MethodReadResource && param(message, "uri") == step.UnknownURI
}
