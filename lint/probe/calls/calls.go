// Package calls finds out how a server answers calls of tools. A talk of phase
// step.Tools lists them again and calls one that does not exist; talks of phase
// step.Calling call those that may be called, with good arguments and with bad
// ones. Package step says what each step sends.
package calls

import (
	"context"
	"slices"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// maxTools is how many tools are called.
const maxTools = 20

// Plans are the talks that a server is worth.
func Plans(s *wire.Server) []wire.Plan {
	var plans []wire.Plan
	for _, main := range []*lint.Talk{s.Legacy(), s.Modern()} {
		if main == nil || !main.Declares("tools") {
			continue
		}
		plans = append(plans, wire.Plan{Phase: step.Tools, Level: lint.Probe, Run: func(ctx context.Context, s *wire.Server) {
			askUnknown(ctx, s, main)
		}})
		if tools := callable(s, main); len(tools) > 0 {
			plans = append(plans, wire.Plan{Phase: step.Calling, Level: lint.Call, Run: func(ctx context.Context, s *wire.Server) {
				callAll(ctx, s, main, tools)
			}})
		}
	}
	return plans
}

// nowhere is the name of a tool that no server has.
const nowhere = "mcplint_no_such_tool_7f3a91c2"

// maxPages is how many pages of the list are read again.
const maxPages = 20

// askUnknown is the talk of phase step.Tools.
func askUnknown(ctx context.Context, s *wire.Server, main *lint.Talk) {
	t := s.Open(ctx, wire.Opening{Phase: step.Tools, Modern: main.Modern})
	defer t.Close()
	params := ""
	for range maxPages {
		reply := t.Ask(step.List, mcp.MethodListTools, mcp.MethodListTools, params)
		cursor := lint.Member(reply.Result, "nextCursor")
		if rawjson.KindOf(cursor) != rawjson.StringKind || params == cursorParams(cursor) {
			break
		}
		params = cursorParams(cursor)
	}
	if !slices.ContainsFunc(main.Items(step.List, mcp.MethodListTools), func(item lint.Item) bool { return item.Name == nowhere }) {
		t.Ask(step.UnknownTool, nowhere, mcp.MethodCallTool, `{"name":"`+nowhere+`","arguments":{}}`)
	}
}

func cursorParams(cursor []byte) string { return `{"cursor":` + string(cursor) + `}` }

// A tool is one that may be called.
type tool struct {
	name       string
	idempotent bool
	tasks      bool // it can, or must, run as a task
	telling    bool // it has more than a name
	schema     []byte
	arguments  string // that fit the schema; empty if none could be made
	marks      []mark
}

// callable are the tools that will be called, each name once: of those that may
// be, the ones with arguments or a promise about their results come first.
func callable(s *wire.Server, main *lint.Talk) []*tool {
	var tools []*tool
	known := map[string]bool{}
	for _, item := range main.Items(step.List, mcp.MethodListTools) {
		if item.Name == "" || known[item.Name] || !s.MayCall(item.Name) {
			continue
		}
		known[item.Name] = true
		t := &tool{name: item.Name, schema: lint.Member(item.Raw, "inputSchema")}
		t.idempotent = isTrue(item.Raw, "annotations", "idempotentHint") && isTrue(item.Raw, "annotations", "readOnlyHint")
		support, _ := lint.Text(lint.Member(item.Raw, "execution", "taskSupport"))
		t.tasks = (support == "optional" || support == "required") && lint.Member(main.Capabilities(), "tasks", "requests", "tools", "call") != nil
		t.marks = marksOf(t.schema)
		t.telling = t.tasks || len(t.marks) > 0 || lint.Member(item.Raw, "outputSchema") != nil || lint.Member(t.schema, "required") != nil
		tools = append(tools, t)
	}
	slices.SortStableFunc(tools, func(a, b *tool) int { return rank(a) - rank(b) })
	tools = tools[:min(maxTools, len(tools))]
	for _, t := range tools {
		t.arguments, _ = generate(t.schema)
	}
	return tools
}

// rank has the tools come first about which there is more to find out.
func rank(t *tool) int {
	if t.telling {
		return 0
	}
	return 1
}

func isTrue(raw []byte, path ...string) bool { return string(lint.Member(raw, path...)) == "true" }
