package tools

import (
	"slices"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var callRepeatable = lint.Rule{
	ID: "TOOL-025", Slug: "call-repeatable",
	Title:    "an idempotent tool answers the same call in the same form",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All &^ lint.A, Level: lint.Call, Needs: "tools",
	What: "Calls tools that are marked read-only and idempotent twice with the same arguments, and compares the forms of both answers: result or error, isError, the types of the blocks, and the members of structuredContent. What they say may differ.",
	Why:  "Clients repeat calls of idempotent tools when a connection breaks. If the second one fails, the hint is wrong or the tool keeps something between calls.",
	Bad:  `{"content":[{"type":"text","text":"…"}]} and then {"content":[],"isError":true}`,
	Good: `{"content":[{"type":"text","text":"…"}]} twice`,
	Fix:  "Find out what the first call leaves behind, or drop idempotentHint.",
	Check: func(v *lint.View) {
		for _, again := range calls(v, step.CallAgain) {
			for _, first := range calls(v, step.Call) {
				if first.tool == again.tool && first.step.Talk() == again.step.Talk() {
					v.Saw()
					if first.form() != again.form() {
						v.Failf(again.answer, again.subject(), "the second of two equal calls has an answer of another form")
					}
				}
			}
		}
	},
}

// form is what an answer looks like, without what it says.
func (c call) form() string {
	if c.answer.IsError() {
		return "error"
	}
	var types, members []string
	for _, block := range c.blocks() {
		kind, _ := lint.Text(lint.Member(block, "type"))
		types = append(types, kind)
	}
	structured := c.member("structuredContent")
	for name := range rawjson.Members(structured) {
		members = append(members, string(name))
	}
	slices.Sort(types)
	slices.Sort(members)
	parts := append(slices.Compact(types), rawjson.KindOf(structured).String())
	if c.failed() {
		parts = append(parts, "failed")
	}
	return strings.Join(append(parts, members...), "\x00")
}
