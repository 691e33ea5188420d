package resources

import (
	"fmt"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var contentsShape = lint.Rule{
	ID: "RES-005", Slug: "contents-shape",
	Title:    "what is read is an array of contents, each with a uri and either text or blob",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Probe, Needs: "resources",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/resources#resource-contents", Demand: "Contents name their URI and hold text, or binary data in a blob."}},
	What:  "Looks at the results of reading the first three resources: contents is an array, and each element has a string uri and exactly one of the strings text and blob.",
	Why:   "Clients choose by these members how to show a resource. Without them, or with both, typed clients refuse the result.",
	Bad:   `{"contents":[{"text":"hello"}]}`,
	Good:  `{"contents":[{"uri":"db://a","mimeType":"text/plain","text":"hello"}]}`,
	Fix:   "Return contents as an array, also for one; give each its uri, and text for text or blob for everything else.",
	Check: func(v *lint.View) {
		for _, answer := range reads(v) {
			v.Saw()
			if rawjson.KindOf(lint.Member(answer.Result, "contents")) != rawjson.Array {
				v.Failf(answer, resource(answer), "the result of reading it has no array contents")
			}
			for _, content := range contents(answer.Result) {
				if flaw := contentFlaw(content); flaw != "" {
					v.Failf(answer, resource(answer), "%s", flaw)
				}
			}
		}
		noneListed(v)
	},
}

func contentFlaw(content []byte) string {
	if _, ok := lint.Text(lint.Member(content, "uri")); !ok {
		return "contents have no string uri"
	}
	text, blob := lint.Member(content, "text"), lint.Member(content, "blob")
	switch {
	case text == nil && blob == nil:
		return "contents have neither text nor blob"
	case text != nil && blob != nil:
		return "contents have both text and blob"
	}
	for name, value := range map[string][]byte{"text": text, "blob": blob} {
		if value != nil && rawjson.KindOf(value) != rawjson.StringKind {
			return fmt.Sprintf("the %s of contents is no string", name)
		}
	}
	return ""
}
