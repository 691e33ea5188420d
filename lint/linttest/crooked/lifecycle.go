package crooked

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

var lifecycleFaults = []Fault{
	{Rule: "LIFE-001", Mute: true, Hear: reply(mcp.MethodInitialize, internalError)},
	{Rule: "LIFE-002", Say: result(mcp.MethodInitialize, set("result/serverInfo/name", ""))},
	{Rule: "LIFE-003", Say: func(c *Chat, m Message) [][]byte {
		switch {
		case firstAsked("2024-11-05")(c, m):
			return agree("2025-03-26")(c, m)
		case firstAsked("2025-03-26")(c, m):
			return agree("2025-11-25")(c, m)
		}
		return one(m.Raw)
	}},
	{Rule: "LIFE-004", Say: when(firstAsked("1999-01-01"), agree("1999-01-01"))},
	{Rule: "LIFE-005", Say: result(mcp.MethodInitialize, set("result/protocolVersion", "2025-01-01"))},
	{Rule: "LIFE-006", Say: when(firstAsked("1999-01-01"), agree("2024-11-05"))},
	{Rule: "LIFE-007", Shape: func(o *server.Options) { o.Revisions = []*mcp.Revision{mcp.V20241105} }, On: lint.SSE},
	{Rule: "LIFE-008", Say: result(mcp.MethodInitialize, set("result/capabilities/tools/listChanged", "yes"))},
	{Rule: "LIFE-009", Hear: reply(mcp.MethodListPrompts, methodNotFound)},
	{Rule: "LIFE-010", Say: result(mcp.MethodInitialize, drop("result/capabilities/prompts"))},
	{Rule: "LIFE-011", Hear: reply(mcp.MethodSubscribe, methodNotFound)},
	{Rule: "LIFE-012", Hear: reply(mcp.MethodListResourceTemplates, methodNotFound)},
	{Rule: "LIFE-013", Level: lint.Probe, With: []string{"LIFE-022"}, Say: when(func(_ *Chat, m Message) bool {
		return m.isResult(mcp.MethodInitialize) && string(lint.Member(m.Asked, "params", "capabilities")) == "{}"
	}, func(c *Chat, m Message) [][]byte { return append(one(m.Raw), askRoots(c, 1)...) })},
	{Rule: "LIFE-014", Say: before(mcp.MethodInitialize, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)},
	{Rule: "LIFE-015", Hear: func(_ *Chat, message []byte) ([][]byte, bool) {
		if methodOf(message) != mcp.MethodInitialize || param(message, "protocolVersion") != "" {
			return nil, false
		}
		return one(response(message, `"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"crooked","version":"1.0.0"}}`)), true
	}},
	{Rule: "LIFE-016", Say: result(mcp.MethodPing, set("result/pong", true))},
	{Rule: "LIFE-017", With: []string{"HTTP-001"}, Hear: func(c *Chat, message []byte) ([][]byte, bool) {
		if methodOf(message) == mcp.MethodInitialize && c.Session() != "" {
			c.Keep("confused "+c.Session(), "yes")
		}
		return nil, c.Kept("confused "+c.Session()) != ""
	}},
	{Rule: "LIFE-018", On: lint.Stdio, Hear: func(_ *Chat, message []byte) ([][]byte, bool) {
		if methodOf(message) == mcp.MethodListTools {
			exit()
		}
		return nil, false
	}},
	{Rule: "LIFE-019", Say: result(mcp.MethodInitialize, set("result/instructions", js(`["be kind"]`)))},
	{Rule: "LIFE-020", Say: result(mcp.MethodInitialize, set("result/serverInfo/websiteUrl", "ftp://example.com/"))},
	{Rule: "LIFE-021", Say: result(mcp.MethodInitialize, set("result/serverInfo/version", "2.0.0"))},
	{Rule: "LIFE-022", Say: when(func(_ *Chat, m Message) bool { return m.answers(mcp.MethodListPrompts) }, func(c *Chat, m Message) [][]byte {
		return [][]byte{bend([]byte(`{"jsonrpc":"2.0","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`), set("id", number(numeral(c.Count("sampled"))))), m.Raw}
	})},
	{Rule: "LIFE-023", Say: when(func(_ *Chat, m Message) bool {
		return m.answers(mcp.MethodListPrompts) && rawjson.KindOf(lint.Member(m.Asked, "params")) == rawjson.Invalid
	},
		func(c *Chat, m Message) [][]byte {
			return append(askRoots(c, 6), m.Raw)
		}), With: []string{"LIFE-022"}},
	{Rule: "LIFE-024", Shape: func(o *server.Options) { o.ListChanged = false }, Say: before(mcp.MethodListPrompts, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)},
	{Rule: "LIFE-025", Shape: func(o *server.Options) { o.Logging = false }, Say: before(mcp.MethodListPrompts, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"listed"}}`)},
	{Rule: "LIFE-026", Say: when(isNotice(mcp.NotifyMessage), func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, set("params/level", "loud"))) })},
}

const (
	methodNotFound = `"error":{"code":-32601,"message":"there is no such method"}`
	listRoots      = `{"jsonrpc":"2.0","id":"r","method":"roots/list"}`
)

// askRoots asks for the roots, each time with another id.
func askRoots(c *Chat, times int) [][]byte {
	var asked [][]byte
	for range times {
		asked = append(asked, bend([]byte(listRoots), set("id", number(numeral(c.Count("roots"))))))
	}
	return asked
}

// firstAsked picks the answers to an initialize of a version.
func firstAsked(version string) func(*Chat, Message) bool {
	return func(_ *Chat, m Message) bool {
		return m.isResult(mcp.MethodInitialize) && param(m.Asked, "protocolVersion") == version
	}
}

// agree answers with a version.
func agree(version string) func(*Chat, Message) [][]byte {
	return func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, set("result/protocolVersion", version))) }
}

// isNotice picks notifications of a method.
func isNotice(method string) func(*Chat, Message) bool {
	return func(_ *Chat, m Message) bool { return methodOf(m.Raw) == method }
}
