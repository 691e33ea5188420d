package tools

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var resultShape = lint.Rule{
	ID: "TOOL-010", Slug: "result-shape",
	Title:    "the result of a tool is an array of blocks that the revision knows",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Call, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/tools#tool-result", Demand: "A result has content, an array of blocks of the defined types."}},
	What:  "Looks at every result of a call: content is an array, each block an object with a type of the revision in use (text, image and resource; audio from 2025-03-26 on, resource_link from 2025-06-18 on), a text has its text, a link has uri and name, and isError is a boolean. Data of media is the matter of TOOL-015.",
	Why:   "Clients check results against the schema of the protocol and drop what does not fit. The tool has worked, and its result is lost.",
	Bad:   `{"content":"done"}`,
	Good:  `{"content":[{"type":"text","text":"done"}]}`,
	Fix:   "Return blocks as the SDK defines them, and only of types that the negotiated revision has.",
	Check: func(v *lint.View) {
		for _, c := range results(v) {
			v.Saw()
			for _, fault := range c.faults() {
				v.Failf(c.answer, c.subject(), "%s", fault)
			}
		}
	},
}

// faults says what is wrong with the form of a result, each thing once.
func (c call) faults() []string {
	var list []string
	known := map[string]bool{"": true}
	note := func(fault string) {
		if !known[fault] {
			known[fault] = true
			list = append(list, fault)
		}
	}
	if raw := c.member("isError"); raw != nil && rawjson.KindOf(raw) != rawjson.Bool {
		note("isError is not a boolean")
	}
	if rawjson.KindOf(c.member("content")) != rawjson.Array {
		note("the content of the result is not an array")
	}
	for _, block := range c.blocks() {
		note(blockFault(block, c.answer.Talk().Revision))
	}
	return list
}

// introduced says in which revisions there are blocks of a type.
var introduced = map[string]lint.Revisions{
	"text": lint.All, "image": lint.All, "resource": lint.All, "audio": lint.All &^ lint.A, "resource_link": lint.C | lint.D | lint.E,
}

func blockFault(block []byte, revision string) string {
	kind, _ := lint.Text(lint.Member(block, "type"))
	isText := func(name string) bool {
		_, ok := lint.Text(lint.Member(block, name))
		return ok
	}
	switch revisions := introduced[kind]; {
	case rawjson.KindOf(block) != rawjson.Object:
		return "a block of the content is not an object"
	case revisions == 0:
		return "a block of the content has no known type"
	case lint.RevisionsOf(revision) != 0 && !revisions.Has(revision):
		return "a block has the type " + kind + ", which the revision does not have"
	case kind == "text" && !isText("text"):
		return "a block of text has no text"
	case kind == "resource_link" && !(isText("uri") && isText("name")):
		return "a resource_link has no uri or no name"
	}
	return ""
}
