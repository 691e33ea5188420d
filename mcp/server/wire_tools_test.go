package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
)

type handler = func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error)

func echo(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	text, _ := call.Arguments["text"].(string)
	return mcp.TextResult(text), nil
}

// allTools are the tools of the fixture. The options line of a transcript
// chooses among them.
func (f *fixture) allTools() []server.Tool {
	tool := func(name, description, properties string, run handler) server.Tool {
		return server.Tool{
			Tool:    mcp.Tool{Name: name, Description: description, InputSchema: json.RawMessage(`{"type":"object","properties":{` + properties + `}}`)},
			Handler: run,
		}
	}
	kind := `"kind":{"type":"string"}`
	return []server.Tool{
		tool("echo", "Echoes.", `"text":{"type":"string"}`, echo),
		addTool(), orderTool(), reportTool(),
		tool("content", "Answers with content of every kind.", "", contentTool),
		tool("structured", "Answers with any value, and no schema for it.", `"value":{}`, structuredTool),
		tool("described", "Has a result with _meta.", "", describedTool),
		tool("client", "Tells what it knows of the client.", "", clientTool),
		tool("fail", "Fails in some way.", kind+`,"code":{"type":"integer"}`, failTool),
		tool("nothing", "Answers with nothing.", "", func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) { return nil, nil }),
		tool("progress", "Reports the steps.", `"steps":{"type":"array","items":{"type":"number"}},"total":{"type":"number"},"message":{"type":"string"},"count":{"type":"integer"}`, f.progress),
		tool("endless_progress", "Reports what is no number.", "", endlessProgress),
		tool("late", "Reports and logs for a call that is over.", "", f.late),
		tool("log", "Logs at every level.", `"count":{"type":"integer"}`, logTool),
		tool("ask", "Asks the client.", kind, askTool),
		tool("block", "Waits until it is cancelled.", "", f.block),
		tool("await_blocked", "Waits until block has returned.", "", f.awaitBlocked),
		tool("hold", "Waits for release.", "", f.holdOn),
		tool("release", "Lets hold go on.", "", f.release),
		tool("change", "Changes a list.", `"list":{"type":"string"},"times":{"type":"integer"}`, f.changeTool),
		tool("update", "Updates resources.", `"uris":{"type":"array","items":{"type":"string"}}`, f.update),
	}
}

func addTool() server.Tool {
	return server.Tool{
		Tool: mcp.Tool{
			Name: "add", Title: "Add", Description: "Adds two numbers.",
			InputSchema:  json.RawMessage(`{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}`),
			OutputSchema: json.RawMessage(`{"type":"object","properties":{"sum":{"type":"number"}},"required":["sum"]}`),
			Annotations:  &mcp.ToolAnnotations{Title: "Sum", ReadOnly: true, Idempotent: true},
			Icons:        []mcp.Icon{{Src: "data:image/png;base64,iVBORw0=", MIMEType: "image/png", Sizes: []string{"16x16"}}},
			Meta:         mcp.Meta{"example.com/group": json.RawMessage(`"math"`)},
		},
		Handler: func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			a, _ := call.Arguments["a"].(json.Number).Float64()
			b, _ := call.Arguments["b"].(json.Number).Float64()
			return &mcp.CallToolResult{Structured: map[string]any{"sum": a + b}}, nil
		},
	}
}

// orderTool has a schema with most of what 2020-12 offers.
func orderTool() server.Tool {
	return server.Tool{
		Tool: mcp.Tool{
			Name: "order", Description: "Takes an order.",
			InputSchema: json.RawMessage(`{
				"$schema": "https://json-schema.org/draft/2020-12/schema",
				"type": "object",
				"$defs": {"address": {"$anchor": "address", "type": "object", "properties": {"city": {"type": "string", "minLength": 1}}, "required": ["city"], "additionalProperties": false}},
				"properties": {
					"item": {"type": "string", "enum": ["book", "pen"]},
					"count": {"type": "integer", "minimum": 1, "maximum": 10},
					"region": {"type": "string", "x-mcp-header": "Region"},
					"way": {"enum": ["ship", "collect"]},
					"address": {"$ref": "#/$defs/address"}
				},
				"required": ["item"],
				"if": {"properties": {"way": {"const": "ship"}}, "required": ["way"]},
				"then": {"required": ["address"]},
				"else": {"properties": {"address": false}},
				"additionalProperties": false
			}`),
		},
		Handler: func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
			return mcp.TextResult("ordered"), nil
		},
	}
}

// reportTool breaks its output schema when asked to.
func reportTool() server.Tool {
	return server.Tool{
		Tool: mcp.Tool{
			Name: "report", Description: "Reports.",
			InputSchema:  json.RawMessage(`{"type":"object","properties":{"kind":{"type":"string"}}}`),
			OutputSchema: json.RawMessage(`{"type":"object","properties":{"lines":{"type":"integer"}},"required":["lines"],"additionalProperties":false}`),
		},
		Handler: func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			switch call.Arguments["kind"] {
			case "missing":
				return mcp.TextResult("no structure"), nil
			case "wrong type":
				return &mcp.CallToolResult{Structured: map[string]any{"lines": "many"}}, nil
			case "extra member":
				return &mcp.CallToolResult{Structured: map[string]any{"lines": 1, "secret": 2}}, nil
			case "array":
				return &mcp.CallToolResult{Structured: []any{1}}, nil
			case "not JSON":
				return &mcp.CallToolResult{Structured: map[string]any{"lines": math.NaN()}}, nil
			case "error":
				return mcp.ErrorResult("there is no report"), nil
			case "text":
				return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text{Text: "three lines"}}, Structured: map[string]any{"lines": 3}}, nil
			}
			return &mcp.CallToolResult{Structured: map[string]any{"lines": 3}}, nil
		},
	}
}

// allContent is one block of each kind.
func allContent() []mcp.Content {
	return []mcp.Content{
		mcp.Text{Text: "some text", Annotations: &mcp.Annotations{Audience: []string{"user", "assistant"}, Priority: priority(1), LastModified: "2030-01-01T00:00:00Z"}},
		mcp.Image{Data: picture, MIMEType: "image/png"},
		mcp.Audio{Data: sound, MIMEType: "audio/wav"},
		mcp.ResourceLink{Resource: mcp.Resource{URI: "test://text", Name: "text", Title: "Text", MIMEType: "text/plain"}},
		mcp.EmbeddedResource{Contents: mcp.ResourceContents{URI: "test://text", MIMEType: "text/plain", Text: "hello"}},
		mcp.EmbeddedResource{Contents: mcp.ResourceContents{URI: "test://blob", MIMEType: "image/png", Blob: picture}},
	}
}

func contentTool(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: allContent()}, nil
}

func structuredTool(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Structured: call.Arguments["value"]}, nil
}

func describedTool(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
	result := mcp.TextResult("see _meta")
	result.Meta = mcp.Meta{"example.com/cost": json.RawMessage(`{"cents":3}`)}
	return result, nil
}

func clientTool(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	info := string(call.ClientInfo())
	return mcp.TextResult(fmt.Sprintf("%s %s %s", call.Revision().Version, call.ClientCapabilities().AppendJSON(nil), info)), nil
}

func failTool(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	switch call.Arguments["kind"] {
	case "protocol":
		code, _ := call.Arguments["code"].(json.Number).Int64()
		return nil, &jsonrpc.Error{Code: int(code), Message: "no such thing", Data: map[string]any{"why": "because"}, Cause: errors.New("token 123 expired")}
	case "wrapped protocol":
		return nil, fmt.Errorf("asking /usr/lib/secret: %w", &jsonrpc.Error{Code: 4004, Message: "no such thing"})
	case "failure":
		return nil, &server.Failure{Text: "the account is empty", Cause: errors.New("token 123 expired")}
	case "result":
		return mcp.ErrorResult("the account is empty"), nil
	case "timeout":
		return nil, fmt.Errorf("asking the bank: %w", context.DeadlineExceeded)
	case "panic":
		panic("open /usr/lib/secret: permission denied")
	case "nil pointer":
		var call *server.ToolCall
		return mcp.TextResult(string(call.Raw)), nil
	case "not JSON":
		return &mcp.CallToolResult{Structured: map[string]any{"sum": math.NaN()}}, nil
	case "nil block":
		return &mcp.CallToolResult{Content: []mcp.Content{nil}}, nil
	}
	return nil, errors.New("open /usr/lib/secret: permission denied")
}

func (f *fixture) progress(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	number := func(name string) float64 {
		n, _ := call.Arguments[name].(json.Number)
		v, _ := n.Float64()
		return v
	}
	message, _ := call.Arguments["message"].(string)
	steps, _ := call.Arguments["steps"].([]any)
	for _, step := range steps {
		done, _ := step.(json.Number).Float64()
		call.Progress(ctx, done, number("total"), message)
	}
	for i := range int(number("count")) {
		call.Progress(ctx, float64(i+1), 0, "")
	}
	f.mu.Lock()
	f.earlier = call.Request
	f.mu.Unlock()
	return mcp.TextResult("done"), nil
}

func endlessProgress(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	call.Progress(ctx, math.NaN(), 1, "")
	call.Progress(ctx, 1, math.Inf(1), "")
	return mcp.TextResult("done"), nil
}

func (f *fixture) late(ctx context.Context, _ *server.ToolCall) (*mcp.CallToolResult, error) {
	f.mu.Lock()
	earlier := f.earlier
	f.mu.Unlock()
	earlier.Progress(ctx, 1000, 0, "too late")
	earlier.Log(ctx, mcp.LevelEmergency, "late", "too late")
	return mcp.TextResult("late"), nil
}

func logTool(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	if n, ok := call.Arguments["count"].(json.Number); ok {
		count, _ := n.Int64()
		for i := range count {
			call.Log(ctx, mcp.LevelEmergency, "", i)
		}
		return mcp.TextResult("logged"), nil
	}
	for level := mcp.LevelDebug; level <= mcp.LevelEmergency; level++ {
		call.Log(ctx, level, "wire", map[string]any{"n": int(level)})
	}
	return mcp.TextResult("logged"), nil
}

var nameForm = mcp.ElicitForm("Who are you?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`))

// elicited tells what became of a form.
func elicited(raw []byte, field string) string {
	result, ok := mcp.ParseElicitResult(raw)
	if !ok {
		return "no answer to a form"
	}
	return fmt.Sprintf("%s %v", result.Action, result.Content[field])
}

func askTool(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	form := func(text string) mcp.InputRequest {
		return mcp.ElicitForm(text, json.RawMessage(`{"type":"object","properties":{"answer":{"type":"string"}}}`))
	}
	message := `{"messages":[{"role":"user","content":{"type":"text","text":"Capital of France?"}}],"maxTokens":10`
	questions := map[string]mcp.InputRequest{}
	switch call.Arguments["kind"] {
	case "url":
		questions["visit"] = mcp.ElicitURL("Please sign in.", "https://example.com/sign-in", "visit-1")
	case "sampling":
		questions["capital"] = mcp.CreateMessage(json.RawMessage(message + `}`))
	case "sampling tools":
		questions["capital"] = mcp.CreateMessage(json.RawMessage(message + `,"tools":[]}`))
	case "roots":
		questions["roots"] = mcp.ListRoots()
	case "several":
		questions["name"], questions["roots"], questions["colour"] = nameForm, mcp.ListRoots(), form("Which colour?")
	case "two rounds":
		first, err := call.Ask(ctx, map[string]mcp.InputRequest{"first": form("First?")})
		if err != nil {
			return nil, err
		}
		second, err := call.Ask(ctx, map[string]mcp.InputRequest{"second": form("Second, after " + elicited(first["first"], "answer") + "?")})
		if err != nil {
			return nil, err
		}
		return mcp.TextResult(elicited(first["first"], "answer") + ", " + elicited(second["second"], "answer")), nil
	case "wrapped":
		_, err := call.Ask(ctx, map[string]mcp.InputRequest{"name": nameForm})
		return nil, fmt.Errorf("asking: %w", err)
	default:
		questions["name"] = nameForm
	}
	answers, err := call.Ask(ctx, questions)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(answers)
	if err != nil {
		return nil, err
	}
	return mcp.TextResult(string(text)), nil
}

func (f *fixture) block(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	defer close(f.blocked)
	call.Progress(ctx, 1, 0, "")
	<-ctx.Done()
	call.Progress(context.WithoutCancel(ctx), 2, 0, "")
	return nil, ctx.Err()
}

func (f *fixture) awaitBlocked(ctx context.Context, _ *server.ToolCall) (*mcp.CallToolResult, error) {
	select {
	case <-f.blocked:
		return mcp.TextResult("it has returned"), nil
	case <-time.After(patience):
		return mcp.TextResult("it did not return"), nil
	}
}

func (f *fixture) holdOn(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	call.Progress(ctx, 1, 0, "")
	select {
	case <-f.hold:
		return mcp.TextResult("held"), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (f *fixture) release(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
	close(f.hold)
	return mcp.TextResult("released"), nil
}

func (f *fixture) changeTool(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	list, _ := call.Arguments["list"].(string)
	n, _ := call.Arguments["times"].(json.Number)
	times, _ := n.Int64()
	for range max(times, 1) {
		if err := f.change(list); err != nil {
			return nil, &server.Failure{Text: err.Error()}
		}
	}
	return mcp.TextResult("changed"), nil
}

func (f *fixture) update(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	uris, _ := call.Arguments["uris"].([]any)
	for _, uri := range uris {
		f.srv.ResourceUpdated(uri.(string))
	}
	return mcp.TextResult("updated"), nil
}
