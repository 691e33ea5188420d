package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/transport"
)

// A Tool is a definition as the server sent it.
type Tool struct {
	mcp.Tool
	// Mirrored are the arguments that a modern client repeats in HTTP headers.
	Mirrored []transport.HeaderParam
	Raw      json.RawMessage
}

// A ToolResult is what a tool said. Structured is a json.RawMessage, or nil.
type ToolResult struct {
	mcp.CallToolResult
	Raw json.RawMessage
}

var toolListing = listing[Tool]{mcp.MethodListTools, "tools", decodeTool, keepTool}

// ListTools walks the pages of the list of tools. Over HTTP, tools whose
// x-mcp-header marks break the rules are dropped.
func (s *Session) ListTools(ctx context.Context) iter.Seq2[*Page[Tool], error] {
	return pages(ctx, s, toolListing)
}

// AllTools returns the whole list of tools.
func (s *Session) AllTools(ctx context.Context) ([]Tool, error) { return all(s.ListTools(ctx)) }

// CallTool calls a tool. The arguments are anything that JSON writes as an
// object; nil is an empty one. A tool that failed is a result, not an error.
func (s *Session) CallTool(ctx context.Context, name string, arguments any) (*ToolResult, error) {
	raw, err := object(arguments)
	if err != nil {
		return nil, fmt.Errorf("arguments of %s: %w", name, err)
	}
	o := rawjson.Begin(nil)
	o.String("name", name)
	o.Raw("arguments", raw)
	params := o.End()
	result, err := s.do(ctx, mcp.MethodCallTool, params)
	if hasCode(err, mcp.CodeHeaderMismatch) && s.refreshMirrors(ctx, name) {
		result, err = s.do(ctx, mcp.MethodCallTool, params)
	}
	if err != nil {
		return nil, err
	}
	return decodeToolResult(result), nil
}

func decodeTool(raw []byte) Tool {
	t := Tool{Raw: rawMessage(raw)}
	for name, value := range rawjson.Members(raw) {
		switch string(name) {
		case "name":
			t.Name = text(value)
		case "title":
			t.Title = text(value)
		case "description":
			t.Description = text(value)
		case "inputSchema":
			t.InputSchema = rawMessage(value)
		case "outputSchema":
			t.OutputSchema = rawMessage(value)
		case "annotations":
			t.Annotations = decodeToolAnnotations(value)
		case "icons":
			t.Icons = decodeIcons(value)
		case "_meta":
			t.Meta = decodeMeta(value)
		}
	}
	return t
}

// decodeToolAnnotations fills in what a hint means that is not there.
func decodeToolAnnotations(raw []byte) *mcp.ToolAnnotations {
	if rawjson.KindOf(raw) != rawjson.Object {
		return nil
	}
	return &mcp.ToolAnnotations{
		Title:       text(rawjson.Member(raw, "title")),
		ReadOnly:    boolean(rawjson.Member(raw, "readOnlyHint"), false),
		Destructive: boolean(rawjson.Member(raw, "destructiveHint"), true),
		Idempotent:  boolean(rawjson.Member(raw, "idempotentHint"), false),
		OpenWorld:   boolean(rawjson.Member(raw, "openWorldHint"), true),
	}
}

func decodeToolResult(raw []byte) *ToolResult {
	r := &ToolResult{Raw: rawMessage(raw)}
	for name, value := range rawjson.Members(raw) {
		switch string(name) {
		case "content":
			r.Content = decodeContents(value)
		case "structuredContent":
			r.Structured = rawMessage(value)
		case "isError":
			r.IsError = boolean(value, false)
		case "_meta":
			r.Meta = decodeMeta(value)
		}
	}
	return r
}
