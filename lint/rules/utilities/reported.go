package utilities

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// progressRests are the clauses on progress, by era.
func progressRests(demand string) []lint.Clause {
	return []lint.Clause{
		{Revisions: lint.Legacy, Page: "basic/utilities/progress#behavior-requirements", Demand: demand},
		{Revisions: lint.Modern, Page: "basic/patterns/progress", Demand: demand},
	}
}

// A report is one progress notification with the request that it is about. That
// is nil if none before it gave such a token; twin is then one whose token reads
// the same and has another type, if there is such a one.
type report struct {
	*lint.Message
	token         []byte
	request, twin *lint.Message
}

// reports are the progress notifications of all talks.
func reports(v *lint.View) []report {
	var reports []report
	for _, t := range v.Talks() {
		given, alike := map[string]*lint.Message{}, map[string]*lint.Message{}
		for _, m := range t.Messages() {
			switch {
			case !m.FromServer && m.Kind == lint.Request:
				if token := lint.Member(m.Params, "_meta", "progressToken"); token != nil {
					given[string(token)], alike[bare(token)] = m, m
				}
			case m.FromServer && m.Kind == lint.Notification && m.MethodName() == mcp.NotifyProgress:
				token := lint.Member(m.Params, "progressToken")
				reports = append(reports, report{m, token, given[string(token)], alike[bare(token)]})
			}
		}
	}
	return reports
}

// tool is the tool that was called, as what a finding is about.
func tool(request *lint.Message) lint.Subject {
	if request == nil || request.MethodName() != mcp.MethodCallTool {
		return lint.Subject{}
	}
	name, _ := lint.Text(lint.Member(request.Params, "name"))
	return lint.Subject{Kind: "tool", Name: name}
}

// noneReported says that a rule is not about a server whose tools were called
// and reported no progress.
func noneReported(v *lint.View) {
	if len(v.Steps(step.Call)) > 0 {
		v.NotApplicable("no call reported progress that could show it")
	}
}

// bare is a scalar without its quotes, if it has any.
func bare(raw []byte) string {
	if text, ok := rawjson.String(raw); ok {
		return text
	}
	return string(raw)
}
