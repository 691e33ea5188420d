package plantuml

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

// The tool as both faces describe it (section 2).
const (
	toolName    = "encodePlantUML"
	description = "Encodes PlantUML diagram code into a shareable URL for viewing on plantuml.com"
	inputSchema = `{"type":"object","properties":{"` + codeName + `":{"type":"string",` +
		`"description":"Valid PlantUML diagram code (must start with @startuml and end with @enduml)"}},` +
		`"required":["` + codeName + `"]}`
)

// format is that of the picture behind the URL.
const format = "svg"

// aliases are further names of tools, for clients that stored them.
var aliases = map[string]string{
	"encode-plantuml": toolName, // the name before the /api routes
}

// outputSchema allows both outcomes: some clients hold failed results to it,
// too.
const outputSchema = `{"type":"object","properties":{` +
	`"status":{"type":"string","enum":["success","error"]},` +
	`"url":{"type":"string","description":"Address of the picture"},` +
	`"encoded":{"type":"string","description":"The encoded text, the last part of the address"},` +
	`"format":{"type":"string","const":"` + format + `"},` +
	`"code":{"type":"string","description":"What went wrong: EMPTY_CODE, CODE_TOO_LARGE, ENCODING_FAILED or INTERNAL_ERROR"},` +
	`"message":{"type":"string"}},"required":["status"]}`

// tools returns the tool under its own name and under its aliases.
func (s *service) tools() []server.Tool {
	tool := server.Tool{
		Tool: mcp.Tool{
			Name:         toolName,
			Title:        "PlantUML URL",
			Description:  description,
			InputSchema:  json.RawMessage(inputSchema),
			OutputSchema: json.RawMessage(outputSchema),
			Annotations:  &mcp.ToolAnnotations{ReadOnly: true, Idempotent: true},
		},
		Handler: s.call,
		// The contract has its own answers to what the schema would refuse.
		ChecksArguments: true,
	}
	tools := []server.Tool{tool}
	for _, alias := range slices.Sorted(maps.Keys(aliases)) {
		tool.Name = alias
		tool.Description = description + ". Another name of " + aliases[alias] + "."
		tools = append(tools, tool)
	}
	return tools
}

// call answers with the flat object as structured content; the core repeats it
// as text.
func (s *service) call(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	encoded, bad := s.encodeArguments(call.Arguments)
	if bad != nil {
		s.log.LogAttrs(ctx, bad.level(), logFailed, append(bad.attrs(), slog.String(logRoute, mcp.MethodCallTool))...)
		return &mcp.CallToolResult{Structured: json.RawMessage(flatFailure(bad)), IsError: true}, nil
	}
	return &mcp.CallToolResult{Structured: json.RawMessage(flatSuccess(encoded))}, nil
}

func (s *service) encodeArguments(arguments map[string]any) (encoded string, bad *problem) {
	defer recovered(&bad)
	text, _ := arguments[codeName].(string)
	if bad := checkCode(text); bad != nil {
		return "", bad
	}
	return s.encode(text), nil
}

// flatSuccess and flatFailure are the forms of the MCP tool and of the legacy
// route (section 11).

func flatSuccess(encoded string) []byte {
	o := rawjson.Begin(nil)
	o.String("status", "success")
	writePicture(&o, encoded)
	return o.End()
}

func flatFailure(bad *problem) []byte {
	o := rawjson.Begin(nil)
	o.String("status", "error")
	o.String("code", bad.code)
	o.String("message", bad.message)
	return o.End()
}

func writePicture(o *rawjson.ObjectWriter, encoded string) {
	o.String("url", URL(encoded))
	o.String("encoded", encoded)
	o.String("format", format)
}
