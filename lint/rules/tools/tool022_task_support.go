package tools

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

var taskSupport = lint.Rule{
	ID: "TOOL-022", Slug: "task-support",
	Title:    "tools and server agree on tasks",
	Severity: lint.Warning, Strength: lint.Must,
	Revisions: lint.D, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.D, Page: "basic/utilities/tasks#tool-level-negotiation", Demand: "taskSupport is forbidden, optional or required and counts only if the server declares tasks for tools/call; a tool that requires a task refuses a plain call with -32601."}},
	What:  "Looks at execution.taskSupport of every tool: forbidden, optional or required, and the latter two only if the server declares tasks.requests.tools.call. At the level call, a read-only tool that requires a task is called without one: expected is the error -32601.",
	Why:   "A client starts a task or not by this value. If it is wrong, the tool cannot be called at all, or blocks for as long as it runs.",
	Bad:   `{"name":"render","execution":{"taskSupport":"always"}}`,
	Good:  `{"name":"render","execution":{"taskSupport":"required"}}`,
	Fix:   "Declare the capability tasks with requests.tools.call, or leave execution out.",
	Check: func(v *lint.View) {
		v.NotApplicable("no tool has taskSupport")
		for _, item := range listed(v) {
			raw := lint.Member(item.Raw, "execution", "taskSupport")
			if raw == nil {
				continue
			}
			v.Saw()
			support, _ := lint.Text(raw)
			offered := lint.Member(item.Message.Talk().Capabilities(), "tasks", "requests", "tools", "call") != nil
			switch {
			case support != "forbidden" && support != "optional" && support != "required":
				failItem(v, item, "/execution/taskSupport", "taskSupport is not forbidden, optional or required")
			case support != "forbidden" && !offered:
				failItem(v, item, "/execution/taskSupport", "taskSupport is %s, but the server does not declare tasks for tools/call", support)
			}
		}
		plainCalls(v)
	},
}

// plainCalls looks at calls without a task of tools that require one.
func plainCalls(v *lint.View) {
	for _, c := range calls(v, step.Call) {
		item, _ := toolOf(v, c)
		if !rawjson.IsString(lint.Member(item.Raw, "execution", "taskSupport"), "required") {
			continue
		}
		if !c.answer.IsError() || c.answer.Code() != jsonrpc.MethodNotFound {
			v.Failf(c.answer, c.subject(), "requires a task, but a call without one is not refused with -32601")
		}
	}
}
