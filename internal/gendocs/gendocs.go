// Package gendocs renders pages of the documentation from what the servers say
// about themselves, and from the rules of the linter.
package gendocs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// Tools renders the page of a server's tools, as tools/list tells them to a
// client of the newest revision with a handshake.
func Tools(ctx context.Context, title string, service transport.Service) ([]byte, error) {
	tools, err := list(ctx, service)
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	fmt.Fprintf(&page, "# Tools of %s\n\nRendered from the server's own definitions; `go test ./internal/gendocs -update` writes it anew.\n", title)
	for _, t := range tools {
		t.render(&page)
	}
	return page.Bytes(), nil
}

type tool struct {
	Name, Title, Description string
	InputSchema              struct {
		Properties map[string]property
		Required   []string
	}
	Annotations struct {
		ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint bool
	}
}

type property struct {
	Type        any
	Description string
	Default     json.RawMessage
	Enum        []any
	Minimum     *json.Number
	Maximum     *json.Number
}

func (t *tool) render(page *bytes.Buffer) {
	fmt.Fprintf(page, "\n## `%s`\n\n%s\n\n", t.Name, t.Description)
	var hints []string
	for hint, set := range map[string]bool{
		"read-only": t.Annotations.ReadOnlyHint, "destructive": t.Annotations.DestructiveHint,
		"idempotent": t.Annotations.IdempotentHint, "open world": t.Annotations.OpenWorldHint,
	} {
		if set {
			hints = append(hints, hint)
		}
	}
	if slices.Sort(hints); len(hints) > 0 {
		fmt.Fprintf(page, "Hints: %s.\n\n", strings.Join(hints, ", "))
	}
	if len(t.InputSchema.Properties) == 0 {
		page.WriteString("No arguments.\n")
		return
	}
	page.WriteString("| argument | type | required | meaning |\n|---|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(t.InputSchema.Properties)) {
		p := t.InputSchema.Properties[name]
		required := "no"
		if slices.Contains(t.InputSchema.Required, name) {
			required = "yes"
		}
		fmt.Fprintf(page, "| `%s` | %s | %s | %s |\n", name, p.kind(), required, strings.ReplaceAll(p.Description, "|", `\|`))
	}
}

// kind is the type of a property with its bounds.
func (p *property) kind() string {
	kind := fmt.Sprint(p.Type)
	if len(p.Enum) > 0 {
		kind += " of " + strings.Trim(fmt.Sprint(p.Enum), "[]")
	}
	if p.Minimum != nil && p.Maximum != nil {
		kind += fmt.Sprintf(" %s to %s", *p.Minimum, *p.Maximum)
	}
	if p.Default != nil {
		kind += ", default " + strings.Trim(string(p.Default), `"`)
	}
	return kind
}

// list asks a service for its tools.
func list(ctx context.Context, service transport.Service) ([]tool, error) {
	request := transport.Incoming{Message: jsonrpc.Message{Method: mcp.MethodListTools}}
	var answer struct {
		Result *struct{ Tools []tool }
	}
	err := json.Unmarshal(transport.Ask(ctx, service, mcp.V20251125, request), &answer)
	if err == nil && answer.Result == nil {
		err = errors.New("the server does not list its tools")
	}
	if err != nil {
		return nil, err
	}
	return answer.Result.Tools, nil
}
