// Package rules is the catalogue: every rule there is, under all of its names,
// and as a page to read.
//
// The rules themselves are in the packages below, one for each category.
package rules

import (
	"mcpworks/lint"
	"mcpworks/lint/rules/auth"
	"mcpworks/lint/rules/lifecycle"
	"mcpworks/lint/rules/modern"
	"mcpworks/lint/rules/paging"
	"mcpworks/lint/rules/prompts"
	"mcpworks/lint/rules/resources"
	"mcpworks/lint/rules/rpc"
	"mcpworks/lint/rules/schemas"
	"mcpworks/lint/rules/sse"
	"mcpworks/lint/rules/stdio"
	"mcpworks/lint/rules/streamable"
	"mcpworks/lint/rules/tools"
	"mcpworks/lint/rules/utilities"
)

// A Category is a part of the catalogue.
type Category struct {
	ID    string // of which the ids of its rules are made: RPC
	Title string
	Names []string // others that it goes by

	rules func() []*lint.Rule
}

// Rules are those of the category, by their ids.
func (c Category) Rules() []*lint.Rule { return c.rules() }

// Categories are all of them, in the order of the catalogue.
func Categories() []Category {
	return []Category{
		{"RPC", "JSON-RPC", []string{"jsonrpc", "json-rpc"}, rpc.Rules},
		{"LIFE", "Lifecycle", []string{"lifecycle"}, lifecycle.Rules},
		{"STD", "stdio", []string{"stdio"}, stdio.Rules},
		{"HTTP", "Streamable HTTP", []string{"streamable", "streamable-http"}, streamable.Rules},
		{"AUTH", "Authorization", []string{"authorization"}, auth.Rules},
		{"SSE", "HTTP+SSE", nil, sse.Rules},
		{"MOD", "Modern protocol", []string{"modern"}, modern.Rules},
		{"TOOL", "Tools", []string{"tools", "tool"}, tools.Rules},
		{"SCH", "Schemas", []string{"schemas", "schema"}, schemas.Rules},
		{"RES", "Resources", []string{"resources", "resource"}, resources.Rules},
		{"PRM", "Prompts", []string{"prompts", "prompt"}, prompts.Rules},
		{"PAGE", "Pagination", []string{"paging", "pagination"}, paging.Rules},
		{"UTIL", "Utilities", []string{"utilities", "utility"}, utilities.Rules},
	}
}

// All are the rules of all categories, in the order of the catalogue.
func All() []*lint.Rule {
	var all []*lint.Rule
	for _, category := range Categories() {
		all = append(all, category.rules()...)
	}
	return all
}
