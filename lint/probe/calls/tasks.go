package calls

import (
	"strconv"
	"time"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// maxPolls is how often a task is asked for.
const maxPolls = 10

// Bounds of the time between two polls.
const (
	minPause = 100 * time.Millisecond
	maxPause = time.Second
)

// runTask runs a tool as a task and follows it to its end.
func (c *caller) runTask(t *tool) {
	reply := c.AskLong(step.CallTask, t.name, mcp.MethodCallTool, c.params(t, t.arguments, "", `"task":{"ttl":60000}`))
	task := lint.Member(reply.Result, "task")
	id, ok := lint.Text(lint.Member(task, "taskId"))
	if !ok {
		return
	}
	params := `{"taskId":` + quoted(id) + `}`
	for range maxPolls {
		c.Wait(pause(task))
		reply = c.Ask(step.TaskGet, t.name, "tasks/get", params)
		task = reply.Result
		switch status, _ := lint.Text(lint.Member(task, "status")); status {
		case "working", "input_required":
			continue
		case "completed", "failed":
			c.Ask(step.TaskResult, t.name, "tasks/result", params)
			c.Ask(step.TaskCancel, t.name, "tasks/cancel", params)
		}
		return
	}
}

// pause is how long to wait before asking for a task, as the task wishes.
func pause(task []byte) time.Duration {
	ms, _ := strconv.Atoi(string(lint.Member(task, "pollInterval")))
	return min(max(time.Duration(min(ms, 60_000))*time.Millisecond, minPause), maxPause)
}
