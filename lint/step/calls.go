package step

// Tools is the phase of a talk about tools that calls none of them. There is one
// for each era. Its steps are List (about tools/list, as in Main, so that the
// lists of two connections can be compared) and UnknownTool.
const Tools = "tools"

// UnknownTool is a tools/call of a tool that does not exist, with empty
// arguments. It is about that name.
const UnknownTool = "unknown tool"

// Steps of the talks of phase Calling. All are about the name of a tool, which
// is one that may be called, and each sends one tools/call request unless its
// comment says more. In a legacy talk the client declares roots, sampling and
// elicitation (with form and url from 2025-11-25 on) and answers what the server
// asks; in a modern talk it declares the same in every request. A second modern
// talk, whose client declares nothing, has only CallUndeclared.
const (
	// Call is with arguments that fit the input schema, made from it. The
	// params have _meta.progressToken, a string that no other request has. A tool
	// whose schema is too hard to make arguments for is not called.
	Call = "call"
	// CallAgain repeats the call of a tool that says to be read-only and
	// idempotent, and took less than 5 s: the same arguments, and for a
	// progressToken a number.
	CallAgain = "call again"
	// CallMissing leaves out the first argument that the schema requires, and
	// is only taken with tools that require one.
	CallMissing = "call without required"
	// CallWrongType gives to each declared argument of a known type a value of
	// another type, and is only taken with tools that have such arguments.
	CallWrongType = "call with wrong types"
	// CallCancelled is the call, as in Call, of the first tool that took longer
	// than a second then. After a moment it is cancelled: with
	// notifications/cancelled, or in the modern era over HTTP by closing the
	// stream. The step waits for as long as the call had taken, up to 5 s, and
	// half a second more.
	CallCancelled = "call cancelled"
	// CallAnswered repeats a call that was answered by an input_required
	// result, with inputResponses for what was asked and the requestState as it
	// came (modern). There are up to five, until no more is asked.
	CallAnswered = "call answered"
	// StateTampered is like CallAnswered, before it, with another requestState.
	// There are two of them for a tool: the first changes one byte in the middle,
	// the second has only the first half (modern).
	StateTampered = "state tampered"
	// CallUndeclared is the Call of a tool that wanted input, from a client that
	// has no capabilities (modern).
	CallUndeclared = "call undeclared"
	// CallTask asks for a task: params.task has a ttl. It is taken with tools
	// whose taskSupport is optional or required, if the server declares
	// tasks.requests.tools.call (2025-11-25).
	CallTask = "call as task"
	// TaskGet is one tasks/get of the task; there are up to ten, until it has
	// ended.
	TaskGet = "task get"
	// TaskResult is a tasks/result of a task that has completed or failed.
	TaskResult = "task result"
	// TaskCancel is a tasks/cancel of a task that has ended.
	TaskCancel = "task cancel"
)
