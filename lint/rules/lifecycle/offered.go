package lifecycle

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// capabilityOf has the capability that a method is part of.
var capabilityOf = map[string]string{
	mcp.MethodListTools:             "tools",
	mcp.MethodListResources:         "resources",
	mcp.MethodListResourceTemplates: "resources",
	mcp.MethodListPrompts:           "prompts",
	mcp.MethodSetLevel:              "logging",
	mcp.MethodComplete:              "completions",
}

// methodNotFound is what a server says of a method that it does not have.
const methodNotFound = -32601

// tried are the well-formed requests that show whether a method is there, in
// talks that are otherwise correct.
func tried(v *lint.View, methods ...string) []*lint.Message {
	steps := []string{step.List, step.Method, step.SetLevel, step.Complete}
	var all []*lint.Message
	for _, t := range v.Talks(step.Main, step.Bare, step.Undeclared, step.Probing) {
		for _, m := range t.Messages() {
			if !m.FromServer && m.Kind == lint.Request && slices.Contains(steps, m.Step.Name) && slices.Contains(methods, m.MethodName()) {
				all = append(all, m)
			}
		}
	}
	return all
}
