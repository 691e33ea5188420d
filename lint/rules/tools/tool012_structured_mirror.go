package tools

import (
	"bytes"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var structuredMirror = lint.Rule{
	ID: "TOOL-012", Slug: "structured-mirror",
	Title:    "structuredContent is also given as text",
	Severity: lint.Info, Strength: lint.Should,
	Revisions: lint.C | lint.D | lint.E, Level: lint.Call, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.C | lint.D | lint.E, Page: "server/tools#structured-content", Demand: "For older clients, structured content is also serialised into a text block."}},
	What:  "Looks at every result with structuredContent and without isError: one of its text blocks is the same value as JSON. Blanks and the order of members do not matter.",
	Why:   "Clients of older revisions show the model only the content. What is nowhere in it, the model never sees.",
	Bad:   `{"content":[{"type":"text","text":"found 3"}],"structuredContent":{"count":3}}`,
	Good:  `{"content":[{"type":"text","text":"{\"count\":3}"}],"structuredContent":{"count":3}}`,
	Fix:   "Add a text block with the JSON of structuredContent.",
	Check: func(v *lint.View) {
		v.NotApplicable("no result had structuredContent")
		for _, c := range results(v) {
			value := c.member("structuredContent")
			if value == nil || c.failed() {
				continue
			}
			v.Saw()
			if !c.mirrors(value) {
				v.Failf(c.answer, c.subject(), "no text block has the JSON of structuredContent")
			}
		}
	},
}

// mirrors says whether a text block is the JSON of a value.
func (c call) mirrors(value []byte) bool {
	want := canonical(value)
	for _, block := range c.blocks() {
		text, ok := lint.Text(lint.Member(block, "text"))
		if ok && rawjson.Check([]byte(text), rawjson.Limits{Depth: 1000}) == nil && bytes.Equal(canonical([]byte(text)), want) {
			return true
		}
	}
	return false
}

// canonical is a text that is the same for equal values.
func canonical(value []byte) []byte {
	decoded, err := rawjson.Decode(value)
	if err != nil {
		return value
	}
	text, err := rawjson.Append(nil, decoded)
	if err != nil {
		return value
	}
	return text
}
