package tools

import (
	"fmt"
	"slices"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// listed are the tools that a server lists, those of the newest revision first:
// what is found in more than one is reported as there. Elements that are no
// objects are the matter of TOOL-001.
func listed(v *lint.View) []lint.Item {
	var items []lint.Item
	pages := 0
	for _, t := range newestFirst(v.Talks(step.Main)) {
		pages += len(pagesOf(t, step.List))
		for _, item := range t.Items(step.List, mcp.MethodListTools) {
			if rawjson.KindOf(item.Raw) == rawjson.Object {
				items = append(items, item)
			}
		}
	}
	switch {
	case pages == 0:
		v.NotVerified("tools/list was not answered")
	case len(items) == 0:
		v.NotApplicable("there are no tools")
	}
	return items
}

func newestFirst(talks []*lint.Talk) []*lint.Talk {
	talks = slices.Clone(talks)
	slices.SortStableFunc(talks, func(a, b *lint.Talk) int {
		return int(lint.RevisionsOf(b.Revision)) - int(lint.RevisionsOf(a.Revision))
	})
	return talks
}

// pagesOf are the answers to tools/list, in steps of a name, that have a result.
func pagesOf(t *lint.Talk, stepName string) []*lint.Message {
	var answers []*lint.Message
	for _, s := range t.StepsOf(stepName) {
		if answer := s.Answer(); s.About == mcp.MethodListTools && answer != nil && answer.HasResult() {
			answers = append(answers, answer)
		}
	}
	return answers
}

// revisionOf is the one in which an item was listed.
func revisionOf(item lint.Item) string { return item.Message.Talk().Revision }

// maxFaults is how much of one tool, or of one page, a rule reports.
const maxFaults = 20

// failItem reports a tool, or a place in it: at continues its pointer.
func failItem(v *lint.View, item lint.Item, at, format string, args ...any) {
	failItemAs(v, lint.Off, item, at, format, args...)
}

// failItemAs is failItem with another severity than the rule's.
func failItemAs(v *lint.View, severity lint.Severity, item lint.Item, at, format string, args ...any) {
	const enough = 4 << 10 // to be cut to what evidence may be
	v.Fail(lint.Finding{
		Severity: severity, Subject: item.Subject(), Message: fmt.Sprintf(format, args...), Pointer: item.Pointer + at,
		Evidence: lint.Evidence{
			Talk: item.Message.Talk().Phase, Step: item.Message.Step.Label(), Received: string(item.Raw[:min(enough, len(item.Raw))]),
		},
		Revision: revisionOf(item),
	})
}
