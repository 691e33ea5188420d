package crooked

import (
	"os"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

const discover = mcp.MethodDiscover

var modernFaults = []Fault{
	{Rule: "MOD-001", Hear: reply(discover, methodNotFound)},
	{Rule: "MOD-002", Say: result(discover, set("result/supportedVersions", js(`["2026-07-28","the next one"]`)))},
	{Rule: "MOD-003", Level: lint.Probe, Say: when(isResultOf(discover), func(c *Chat, m Message) [][]byte {
		if c.Count("discovered") == 1 { // or it is not taken for a modern server
			return one(m.Raw)
		}
		return one(bend(m.Raw, set("result/supportedVersions", js(`["2025-11-25"]`))))
	})},
	{Rule: "MOD-004", Say: refusal(discover, drop("error/data/requested"))},
	{Rule: "MOD-005", Say: refusal("", onCode("-32022", set("error/data/supported", js(`["2026-07-28"]`))))},
	{Rule: "MOD-006", Hear: replyIf(lacks(mcp.MetaClientCapabilities), discovered)},
	{Rule: "MOD-007", Hear: replyIf(lacks(mcp.MetaClientInfo), `"error":{"code":-32602,"message":"who are you?"}`)},
	{Rule: "MOD-008", Say: result(promptsList, drop("result/_meta/"+metaServerInfo))},
	{Rule: "MOD-009", Say: result(promptsList, drop("result/ttlMs"))},
	{Rule: "MOD-010", Say: when(isLater(promptsList), func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, set("result/cacheScope", "public"))) })},
	{Rule: "MOD-011", With: []string{"HTTP-038"}, Say: before(promptsList, `{"jsonrpc":"2.0","id":7,"method":"ping"}`)},
	{Rule: "MOD-012", Hear: reply(mcp.MethodPing, `"result":{"resultType":"complete",`+signed+"}")},
	{Rule: "MOD-013", Shape: func(o *server.Options) { o.Revisions = []*mcp.Revision{mcp.V20260728} }, Hear: reply(mcp.MethodInitialize, methodNotFound)},
	{Rule: "MOD-014", Say: before(promptsList, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"listed"}}`)},
	{Rule: "MOD-015", Say: when(func(_ *Chat, m Message) bool { return m.isResult(mcp.MethodListTools) && wants(m.Asked, "emergency") }, func(_ *Chat, m Message) [][]byte {
		return [][]byte{[]byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"listed"}}`), m.Raw}
	})},
	{Rule: "MOD-016", Hear: replyIf(func(message []byte) bool { return wants(message, "loud") }, `"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[],`+signed+"}")},
	{Rule: "MOD-017", Say: when(func(_ *Chat, m Message) bool { return string(lint.Member(m.Raw, "error", "code")) == "-32021" }, func(_ *Chat, m Message) [][]byte {
		return one(bend(m.Raw, set("error/code", number("-32602"))))
	})},
	{Rule: "MOD-018", Say: result(promptsList, set("result/resultType", "input_required"), set("result/requestState", "x"))},
	{Rule: "MOD-019", Say: asking("ask_name", set("result/inputRequests/question/method", "weather/tell"))},
	{Rule: "MOD-020", Hear: replyIf(func(message []byte) bool {
		return calls("ask_name")(message) && string(lint.Member(message, "params", "_meta", mcp.MetaClientCapabilities)) == "{}"
	}, `"result":{"resultType":"input_required","inputRequests":{"question":{"method":"roots/list"}},`+signed+"}")},
	{Rule: "MOD-021", Hear: trust},
	{Rule: "MOD-022", Say: asking("ask_name", set("result/requestState", "eyJ1c2VyIjoiYWRtaW4ifQ=="))},
	{Rule: "MOD-023", Say: when(isNotice(mcp.NotifyAcknowledged), func(*Chat, Message) [][]byte { return nil })},
	{Rule: "MOD-024", Say: when(isNotice(mcp.NotifyAcknowledged), func(_ *Chat, m Message) [][]byte {
		return one(bend(m.Raw, set("params/_meta", js(`{"io.modelcontextprotocol/subscriptionId":"another"}`))))
	})},
	{Rule: "MOD-025", Say: when(isNotice(mcp.NotifyAcknowledged), func(_ *Chat, m Message) [][]byte {
		return one(bend(m.Raw, set("params/notifications/promptsListChanged", true)))
	})},
	{Rule: "MOD-026", Hear: reply(mcp.MethodListen, `"error":{"code":-32603,"message":"the limit is reached"}`)},
	{Rule: "MOD-027", On: lint.Stdio, Hear: func(c *Chat, message []byte) ([][]byte, bool) {
		if methodOf(message) == discover {
			c.Keep("met", "yes")
		}
		return one(response(message, `"error":{"code":-32600,"message":"discover first"}`)), methodOf(message) == promptsList && param(message, "cursor") == "" && c.Kept("met") == ""
	}},
	{Rule: "MOD-028", On: lint.Stdio, Say: result(templatesList, set("result/resourceTemplates/0/description", "The memo of the process "+numeral(os.Getpid())))},
	{Rule: "MOD-029", Say: before(promptsList, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}`)},
	{Rule: "MOD-030"}, // the healthy server logs and asks models, so that other rules have something to see
	{Rule: "MOD-031", Both: true, On: lint.Stdio, Hear: func(c *Chat, message []byte) ([][]byte, bool) {
		if isModern(message) {
			c.Keep("era", "modern")
		}
		if methodOf(message) == mcp.MethodInitialize && c.Kept("era") != "" {
			exit()
		}
		return nil, false
	}},
	{Rule: "MOD-032", Say: result(discover, set("result/capabilities/extensions", js(`{"charts":{}}`)))},
}

const (
	// signed is the _meta of every modern result.
	signed         = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"crooked","version":"1.0.0"}}`
	metaServerInfo = "io.modelcontextprotocol~serverInfo"
	discovered     = `"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{},` + signed + "}"
)

// onCode is a change of errors with a code alone.
func onCode(code string, then change) change {
	return func(root any) {
		object, _ := root.(map[string]any)["error"].(map[string]any)
		if number(code) == object["code"] {
			then(root)
		}
	}
}

// lacks picks modern requests without a key in _meta.
func lacks(key string) func([]byte) bool {
	return func(message []byte) bool {
		return isModern(message) && methodOf(message) == discover && lint.Member(message, "params", "_meta", key) == nil
	}
}

// wants says whether a request wants log messages of a level.
func wants(request []byte, level string) bool {
	return isMessage(request) && rawjson.IsString(lint.Member(request, "params", "_meta", mcp.MetaLogLevel), level)
}

// asking bends results that ask the client.
func asking(tool string, changes ...change) saying {
	return when(func(_ *Chat, m Message) bool {
		return calls(tool)(m.Asked) && rawjson.IsString(lint.Member(m.Raw, "result", "resultType"), "input_required")
	}, func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, changes...)) })
}

// trust takes every state for one of its own.
func trust(_ *Chat, message []byte) ([][]byte, bool) {
	if methodOf(message) != call || param(message, "requestState") == "" {
		return nil, false
	}
	return one(response(message, `"result":{"resultType":"complete","content":[{"type":"text","text":"thank you"}],`+signed+"}")), true
}
