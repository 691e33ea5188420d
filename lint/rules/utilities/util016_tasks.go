package utilities

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

var tasks = lint.Rule{
	ID: "UTIL-016", Slug: "tasks",
	Title:    "tasks have all their members and go through their states in order",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.D, Level: lint.Call, Needs: "tasks",
	Rests: []lint.Clause{{Revisions: lint.D, Page: "basic/utilities/tasks", Demand: "A task has an id, a status, the times of its creation and last change, and a ttl; it begins as working, never leaves a final status, and cannot be cancelled in one."}},
	What:  "Calls read-only tools that can run as a task, and asks for the task until it has ended. taskId, createdAt and lastUpdatedAt are strings, ttl is an integer or null, status is working, input_required, completed, failed or cancelled; the first is working, and a final one stays. Then tasks/cancel has to be refused with error -32602.",
	Why:   "Clients poll a task until it has ended and remember how. A task that comes back to life, or has a status of its own, is polled for ever or reported wrongly.",
	Bad:   `{"task":{"taskId":"1","status":"done"}}`,
	Good:  `{"task":{"taskId":"1","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}`,
	Fix:   "Keep the status in one place that allows only the defined changes, and answer with all members of a task.",
	Check: func(v *lint.View) {
		states := map[string]string{} // by the ids of tasks
		for _, m := range v.Received() {
			if task, first := taskIn(m); task != nil {
				v.Saw()
				judgeTask(v, m, task, first, states)
			}
		}
		for _, answer := range v.Answers(step.TaskCancel) {
			v.Saw()
			switch {
			case answer.HasResult():
				v.Failf(answer, taskTool(answer), "a task that has ended can be cancelled")
			case answer.Code() != jsonrpc.InvalidParams:
				v.Failf(answer, taskTool(answer), "cancelling a task that has ended gives error code %d", answer.Code())
			}
		}
		if len(v.Steps(step.Call)) > 0 && len(v.Steps(step.CallTask)) == 0 {
			v.NotApplicable("no tool that may be called can run as a task")
		}
	},
}

// taskIn returns the task that a message tells of; first says that it has just
// been made.
func taskIn(m *lint.Message) (task []byte, first bool) {
	switch {
	case m.HasResult() && m.Asked != nil && m.Asked.Step.Name == step.CallTask:
		return lint.Member(m.Result, "task"), true
	case m.HasResult() && m.MethodName() == "tasks/get":
		return m.Result, false
	case m.Kind == lint.Notification && m.MethodName() == "notifications/tasks/status":
		return m.Params, false
	}
	return nil, false
}

// taskTool is the tool that the task runs: all steps with tasks are about it.
func taskTool(m *lint.Message) lint.Subject {
	if m.Asked == nil {
		return lint.Subject{}
	}
	return lint.Subject{Kind: "tool", Name: m.Asked.Step.About}
}

// The states of a task, and whether they are final.
var final = map[string]bool{"working": false, "input_required": false, "completed": true, "failed": true, "cancelled": true}

func judgeTask(v *lint.View, m *lint.Message, task []byte, first bool, states map[string]string) {
	for _, name := range []string{"taskId", "createdAt", "lastUpdatedAt"} {
		if _, ok := lint.Text(lint.Member(task, name)); !ok {
			v.Failf(m, taskTool(m), "a task has no string %s", name)
		}
	}
	if ttl := lint.Member(task, "ttl"); !rawjson.IsInteger(ttl) && rawjson.KindOf(ttl) != rawjson.Null {
		v.Failf(m, taskTool(m), "the ttl of a task is neither an integer nor null")
	}
	id, _ := lint.Text(lint.Member(task, "taskId"))
	status, _ := lint.Text(lint.Member(task, "status"))
	before := states[id]
	states[id] = status
	switch _, known := final[status]; {
	case !known:
		v.Failf(m, taskTool(m), "a task has a status that does not exist")
	case first && status != "working":
		v.Failf(m, taskTool(m), "a new task does not begin as working")
	case final[before] && status != before:
		v.Failf(m, taskTool(m), "a task leaves a final status")
	}
}
