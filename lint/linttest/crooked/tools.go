package crooked

import (
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

const (
	tool0  = "result/tools/0"
	input0 = tool0 + "/inputSchema"
	call   = mcp.MethodCallTool
)

var toolFaults = []Fault{
	{Rule: "TOOL-001", Say: listing(set(tool0+"/name", ""))},
	{Rule: "TOOL-002", Say: listing(drop(input0))},
	{Rule: "TOOL-003", Say: listing(set("result/tools/1/name", "add"))},
	{Rule: "TOOL-004", With: []string{"TOOL-005"}, Say: listing(set(tool0+"/name", "add numbers"))},
	{Rule: "TOOL-005", Say: listing(set(tool0+"/name", "add.numbers"))},
	{Rule: "TOOL-006", Hear: replyIf(func(message []byte) bool {
		return methodOf(message) == call && strings.HasPrefix(param(message, "name"), "mcplint")
	}, `"result":{"content":[]}`)},
	{Rule: "TOOL-007", Hear: replyIf(func(message []byte) bool {
		return calls("add")(message) && (argument(message, "first") == nil || argument(message, "second") == nil)
	}, sumOfNothing)},
	{Rule: "TOOL-008", Hear: replyIf(func(message []byte) bool {
		return calls("add")(message) && rawjson.KindOf(argument(message, "unit")) == rawjson.Object
	}, sumOfNothing)},
	{Rule: "TOOL-009", Hear: replyIf(calls("fail"), internalError)},
	{Rule: "TOOL-010", Say: called("show", set("result/content/0/type", "smell"))},
	{Rule: "TOOL-011", With: []string{"TOOL-012"}, Say: called("add", set("result/structuredContent", js(`{"sum":"many"}`)))},
	{Rule: "TOOL-012", Say: called("add", set("result/content/0/text", "the sum"))},
	{Rule: "TOOL-013", With: []string{"TOOL-011", "TOOL-012"}, Say: called("add", set("result/structuredContent", js(`[1]`)))},
	{Rule: "TOOL-014", Say: listing(set(tool0+"/outputSchema", js(`{"type":"number"}`)))},
	{Rule: "TOOL-015", Say: called("show", set("result/content/1/data", "%%%"))},
	{Rule: "TOOL-016", Say: listing(set(tool0+"/annotations/carefulHint", true))},
	{Rule: "TOOL-017", Say: listing(set(tool0+"/annotations/destructiveHint", true))},
	{Rule: "TOOL-018", Say: listing(drop(tool0 + "/annotations"))},
	{Rule: "TOOL-019", Say: when(func(_ *Chat, m Message) bool {
		return m.isResult(mcp.MethodListTools) && param(m.Asked, "cursor") == ""
	},
		func(c *Chat, m Message) [][]byte {
			return one(bend(m.Raw, set(tool0+"/description", "Adds, for the time number "+numeral(c.Count("listed")))))
		})},
	{Rule: "TOOL-020", Say: listing(set(tool0+"/price", number("5")))},
	{Rule: "TOOL-021", Say: listing(set(tool0+"/icons/0/src", "http://example.com/icon.png"))},
	{Rule: "TOOL-022", Say: listing(set(tool0+"/execution", js(`{"taskSupport":"optional"}`)))},
	{Rule: "TOOL-023", Say: result(mcp.MethodListTools, set("result/tools", js(`[]`)), drop("result/nextCursor"))},
	{Rule: "TOOL-024", Shape: func(o *server.Options) { o.PageSize = 0 }, Version: modern,
		Say: when(isResultOf(mcp.MethodListTools), func(c *Chat, m Message) [][]byte {
			return one(bend(m.Raw, rotate(c.Count("listed"))))
		})},
	{Rule: "TOOL-025", Say: when(func(_ *Chat, m Message) bool { return m.isResult("") && calls("weather")(m.Asked) },
		func(c *Chat, m Message) [][]byte {
			if c.Count("called")%2 == 0 {
				return one(bend(m.Raw, set("result/content", js(`[{"type":"image","data":"AAAA","mimeType":"image/png"}]`))))
			}
			return one(m.Raw)
		})},
}

const sumOfNothing = `"result":{"content":[{"type":"text","text":"{\"sum\":0}"}],"structuredContent":{"sum":0}}`

// calls picks calls of a tool.
func calls(name string) func([]byte) bool {
	return func(message []byte) bool { return methodOf(message) == call && param(message, "name") == name }
}

func argument(message []byte, name string) []byte {
	return lint.Member(message, "params", "arguments", name)
}

// called bends the results of a tool.
func called(name string, changes ...change) saying {
	return when(func(_ *Chat, m Message) bool {
		return m.isResult("") && calls(name)(m.Asked) && string(lint.Member(m.Raw, "result", "isError")) != "true"
	}, func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, changes...)) })
}

// rotate has the tools begin with another one.
func rotate(n int) change {
	return func(root any) {
		result, _ := root.(map[string]any)["result"].(map[string]any)
		tools, _ := result["tools"].([]any)
		if len(tools) > 0 {
			n %= len(tools)
			result["tools"] = append(append([]any{}, tools[n:]...), tools[:n]...)
		}
	}
}
