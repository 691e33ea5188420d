package resources

import (
	"strings"

	"mcpworks/lint"
)

var mimeMatch = lint.Rule{
	ID: "RES-011", Slug: "mime-match",
	Title:    "what is read has the MIME type that the list says",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Probe, Needs: "resources",
	What: "Reads the first three resources and compares the mimeType of the contents that have the same URI with that of the list. Case and parameters do not count.",
	Why:  "A client decides by the list whether to read a resource at all, and how to show it. If the contents say something else, one of the two is shown wrongly.",
	Bad:  `listed as text/markdown, read as {"uri":"db://a","mimeType":"text/plain","text":"# A"}`,
	Good: `listed as text/markdown, read as {"uri":"db://a","mimeType":"text/markdown","text":"# A"}`,
	Fix:  "Take the type of the list and of the contents from the same place.",
	Check: func(v *lint.View) {
		for _, answer := range reads(v) {
			subject := resource(answer)
			item, _ := listedAs(v, answer.Talk().Modern, subject.Name)
			promised, ok := lint.Text(lint.Member(item.Raw, "mimeType"))
			if !ok {
				continue
			}
			for _, content := range contents(answer.Result) {
				uri, _ := lint.Text(lint.Member(content, "uri"))
				given, ok := lint.Text(lint.Member(content, "mimeType"))
				if !ok || uri != subject.Name {
					continue
				}
				v.Saw()
				if !sameType(promised, given) {
					v.Failf(answer, subject, "the contents have another mimeType than the list says")
				}
			}
		}
		if len(reads(v)) > 0 {
			v.NotApplicable("nothing that was read says its type both in the list and in its contents")
		}
		noneListed(v)
	},
}

// sameType compares two MIME types without their parameters.
func sameType(a, b string) bool {
	a, _, _ = strings.Cut(a, ";")
	b, _, _ = strings.Cut(b, ";")
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}
