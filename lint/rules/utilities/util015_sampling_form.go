package utilities

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
)

var samplingForm = lint.Rule{
	ID: "UTIL-015", Slug: "sampling-form",
	Title:    "requests for sampling have messages and maxTokens",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Call,
	Rests: []lint.Clause{{Revisions: lint.All, Page: "client/sampling#creating-messages", Demand: "A request for sampling has a list of messages and the largest number of tokens to make."}},
	What:  "Calls read-only tools and looks at every sampling/createMessage that comes of it. It has an array messages, each with the role user or assistant and content, and an integer maxTokens.",
	Why:   "The client passes it on to a model, whose interface needs both. Without them the request fails there, far from its cause.",
	Bad:   `{"method":"sampling/createMessage","params":{"messages":"Summarize this"}}`,
	Good:  `{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Summarize this"}}],"maxTokens":200}}`,
	Fix:   "Fill in messages and maxTokens; the SDKs have types for this request.",
	Check: func(v *lint.View) {
		for _, q := range questions(v, mcp.MethodCreateMessage) {
			v.Saw()
			if flaw := samplingFlaw(q); flaw != "" {
				v.Failf(q.in, tool(q.in.Asked), "%s", flaw)
			}
		}
	},
}

func samplingFlaw(q question) string {
	messages := lint.Member(q.params, "messages")
	if rawjson.KindOf(messages) != rawjson.Array {
		return "a request for sampling has no array messages"
	}
	for message := range rawjson.Elements(messages) {
		role := lint.Member(message, "role")
		if !rawjson.IsString(role, "user") && !rawjson.IsString(role, "assistant") {
			return "a message for sampling has a role other than user and assistant"
		}
		if !isContent(lint.Member(message, "content"), q.in.Talk().Revision) {
			return "a message for sampling has no content object"
		}
	}
	if !rawjson.IsInteger(lint.Member(q.params, "maxTokens")) {
		return "a request for sampling has no integer maxTokens"
	}
	return ""
}

// isContent says whether content has the right kind: one block, or from
// 2025-11-25 on also an array of them.
func isContent(content []byte, version string) bool {
	kind := rawjson.KindOf(content)
	return kind == rawjson.Object || kind == rawjson.Array && (lint.D|lint.E).Has(version)
}
