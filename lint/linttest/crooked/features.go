package crooked

import (
	"context"
	"os"
	"strings"

	"mcpworks/lint"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

const (
	resourcesList = mcp.MethodListResources
	templatesList = mcp.MethodListResourceTemplates
	promptsList   = mcp.MethodListPrompts
	first0        = "result/resources/0"
)

// refused is an error with the wrong code for something that is not there.
const refused = `"error":{"code":-32000,"message":"there is no such thing"}`

var resourceFaults = []Fault{
	{Rule: "RES-001", Say: result(resourcesList, drop(first0+"/name"))},
	{Rule: "RES-002", Say: result(resourcesList, set("result/resources/1/uri", "no scheme at all"))},
	{Rule: "RES-003", Say: result(resourcesList, set("result/resources/1/uri", "memo://first"))},
	{Rule: "RES-004", Hear: replyIf(reads("memo://first"), internalError)},
	{Rule: "RES-005", Say: result(mcp.MethodReadResource, drop("result/contents/0/uri"))},
	{Rule: "RES-006", Say: whenRead("memo://picture", set("result/contents/0/blob", "%%%"))},
	{Rule: "RES-007", Hear: replyIf(unknownURI, internalError)},
	{Rule: "RES-008", Hear: replyIf(unknownURI, `"result":{"contents":[]}`)},
	{Rule: "RES-009", Say: result(templatesList, set("result/resourceTemplates/0/uriTemplate", "memo://by-day/{day"))},
	{Rule: "RES-010", Say: result(resourcesList, set(first0+"/mimeType", "plain"))},
	{Rule: "RES-011", Say: whenRead("memo://first", set("result/contents/0/mimeType", "text/html"))},
	{Rule: "RES-012", Hear: openEverything},
	{Rule: "RES-013", With: []string{"LIFE-011"}, Hear: reply(mcp.MethodSubscribe, internalError)},
	{Rule: "RES-014", Say: result(resourcesList, set(first0+"/annotations/priority", number("7")))},
	{Rule: "RES-015", Say: result(resourcesList, set(first0+"/size", number("1")))},
	{Rule: "RES-016", Say: when(func(_ *Chat, m Message) bool { return m.isError("") && unknownURI(m.Asked) }, func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, drop("error/data"))) })},
}

// reads picks reads of a resource.
func reads(uri string) func([]byte) bool {
	return func(message []byte) bool {
		return methodOf(message) == mcp.MethodReadResource && param(message, "uri") == uri
	}
}

// whenRead bends what is read of a resource.
func whenRead(uri string, changes ...change) saying {
	return when(func(_ *Chat, m Message) bool { return m.isResult("") && reads(uri)(m.Asked) },
		func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, changes...)) })
}

// openEverything reads whatever file a template leads to.
func openEverything(_ *Chat, message []byte) ([][]byte, bool) {
	path, found := strings.CutPrefix(param(message, "uri"), "memo://by-day/")
	if !found || !strings.HasPrefix(path, "../") {
		return nil, false
	}
	text, err := os.ReadFile("/" + strings.TrimLeft(path, "./"))
	if err != nil {
		return nil, false
	}
	answer := response(message, `"result":{"contents":[{"uri":"memo://by-day/x"}]}`)
	return one(bend(answer, set("result/contents/0/text", string(text)))), true
}

var promptFaults = []Fault{
	{Rule: "PRM-001", Say: result(promptsList, set("result/prompts/0/arguments/0/required", "yes"))},
	{Rule: "PRM-002", Say: result(promptsList, set("result/prompts/0/arguments", js(`[{"name":"memo","description":"Which"},{"name":"memo","description":"Which"}]`)))},
	{Rule: "PRM-003", Say: result(mcp.MethodGetPrompt, set("result/messages/0/role", "system"))},
	{Rule: "PRM-004", Hear: replyIf(gets("mcplint_does_not_exist"), refused)},
	{Rule: "PRM-005", Hear: replyIf(gets("explain"), refused)},
	{Rule: "PRM-006", Say: result(promptsList, drop("result/prompts/0/description"))},
}

// gets picks requests for a prompt.
func gets(name string) func([]byte) bool {
	return func(message []byte) bool {
		return methodOf(message) == mcp.MethodGetPrompt && param(message, "name") == name
	}
}

var pageFaults = []Fault{
	{Rule: "PAGE-001", Say: when(func(_ *Chat, m Message) bool {
		return m.isResult(promptsList) && lint.Member(m.Raw, "result", "nextCursor") == nil
	},
		func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, set("result/nextCursor", nil))) })},
	{Rule: "PAGE-002", With: []string{"PAGE-004", "PRM-002"}, Say: result(promptsList, set("result/nextCursor", "cHJvbXB0cy9ncmVldA"))},
	{Rule: "PAGE-003", Hear: func(_ *Chat, message []byte) ([][]byte, bool) {
		return one(response(message, `"result":{"prompts":[]}`)), methodOf(message) == promptsList && param(message, "cursor") == "mcplint-made-up"
	}},
	{Rule: "PAGE-004", With: []string{"PRM-002"}, Say: when(isLater(promptsList), func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, set("result/prompts/0/name", "greet"))) })},
	{Rule: "PAGE-005", With: []string{"PAGE-004"}, Say: when(isLater(templatesList), alternate), Shape: twoTemplates},
	{Rule: "PAGE-006", Say: when(func(_ *Chat, m Message) bool { return m.isResult(templatesList) && param(m.Asked, "cursor") == "" },
		func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, set("result/resourceTemplates", js(`[]`)))) }), Shape: twoTemplates},
}

// isLater picks pages after the first.
func isLater(method string) func(*Chat, Message) bool {
	return func(_ *Chat, m Message) bool { return m.isResult(method) && param(m.Asked, "cursor") != "" }
}

// twoTemplates is enough for two pages.
func twoTemplates(o *server.Options) {
	for _, kind := range []string{"week", "month", "year"} {
		next := o.Templates[0]
		next.URITemplate, next.Name = "memo://by-"+kind+"/{"+kind+"}", "by-"+kind
		o.Templates = append(o.Templates, next)
	}
}

// alternate gives a page with another name every time.
func alternate(c *Chat, m Message) [][]byte {
	return one(bend(m.Raw, set("result/resourceTemplates/0/uriTemplate", "memo://other-"+numeral(c.Count("page"))+"/{day}")))
}

var utilityFaults = []Fault{
	{Rule: "UTIL-001", Hear: replyIf(func(message []byte) bool { return param(message, "level") == "notice" }, internalError)},
	{Rule: "UTIL-002", Hear: replyIf(func(message []byte) bool {
		return methodOf(message) == mcp.MethodSetLevel && param(message, "level") == "loud"
	}, `"result":{}`)},
	{Rule: "UTIL-003", Say: before(mcp.MethodListTools, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"still here"}}`), On: lint.Stdio},
	{Rule: "UTIL-004", Say: result(mcp.MethodComplete, set("result/completion/total", "two"))},
	{Rule: "UTIL-005", Hear: replyIf(func(message []byte) bool {
		return methodOf(message) == mcp.MethodComplete && strings.Contains(string(message), "mcplint_does_not_exist")
	}, refused)},
	{Rule: "UTIL-006", Say: when(isNotice(mcp.NotifyProgress), func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, set("params/progressToken", "made up"))) })},
	{Rule: "UTIL-007", Say: when(isNotice(mcp.NotifyProgress), func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, set("params/progress", number("1")))) })},
	{Rule: "UTIL-008", Say: when(func(_ *Chat, m Message) bool { return m.isResult(mcp.MethodCallTool) && param(m.Asked, "name") == Slow }, func(_ *Chat, m Message) [][]byte {
		token := lint.Member(m.Asked, "params", "_meta", "progressToken")
		return [][]byte{m.Raw, []byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + string(token) + `,"progress":100}}`)}
	})},
	{Rule: "UTIL-009", On: lint.Stdio, Shape: stubborn, Hear: swallow(asks(mcp.NotifyCancelled)), With: []string{"UTIL-010"}},
	{Rule: "UTIL-010", Hear: swallow(asks(mcp.NotifyCancelled)), With: []string{}},
	{Rule: "UTIL-011", With: []string{"HTTP-001"}, Hear: func(c *Chat, message []byte) ([][]byte, bool) {
		if methodOf(message) == mcp.NotifyCancelled && strings.Contains(string(message), "987654321") {
			c.Keep("gone "+c.Session(), "yes")
		}
		return nil, c.Kept("gone "+c.Session()) != ""
	}},
	{Rule: "UTIL-012", Say: result(promptsList, set("result/_meta", js(`{"io.modelcontextprotocol/made-up":1}`)))},
	{Rule: "UTIL-013", Say: result(promptsList, set("result/_meta/traceparent", "not a trace"))},
	{Rule: "UTIL-014", Say: when(isNotice(mcp.MethodElicit), func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, drop("params/message"))) })},
	{Rule: "UTIL-015", Say: when(isNotice(mcp.MethodCreateMessage), func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, drop("params/maxTokens"))) })},
	{Rule: "UTIL-016", Say: offerTasks, Hear: runTask},
}

// stubborn tools do not mind being cancelled.
func stubborn(o *server.Options) {
	for i := range o.Tools {
		handle := o.Tools[i].Handler
		o.Tools[i].Handler = func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			return handle(context.WithoutCancel(ctx), call)
		}
	}
}

// offerTasks declares tasks, and has the first tool run as one.
func offerTasks(c *Chat, m Message) [][]byte {
	switch {
	case m.isResult(mcp.MethodInitialize):
		return one(bend(m.Raw, set("result/capabilities/tasks", js(`{"requests":{"tools":{"call":{}}}}`))))
	case m.isResult(mcp.MethodListTools) && param(m.Asked, "cursor") == "":
		return one(bend(m.Raw, set("result/tools/0/execution", js(`{"taskSupport":"optional"}`))))
	}
	return one(m.Raw)
}

// runTask answers what belongs to tasks. They are completed when they begin.
func runTask(_ *Chat, message []byte) ([][]byte, bool) {
	const task = `{"taskId":"t1","status":"completed","createdAt":"2025-11-25T00:00:00Z","lastUpdatedAt":"2025-11-25T00:00:00Z","ttl":1000}`
	switch name := methodOf(message); {
	case name == mcp.MethodCallTool && lint.Member(message, "params", "task") != nil:
		return one(response(message, `"result":{"task":`+task+`}`)), true
	case name == "tasks/get":
		return one(response(message, `"result":`+task)), true
	}
	return nil, false
}
