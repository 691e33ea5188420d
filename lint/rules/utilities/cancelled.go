package utilities

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// cancellationRests are the clauses on cancellation, by era.
func cancellationRests(legacy, modern string) []lint.Clause {
	return []lint.Clause{
		{Revisions: lint.Legacy, Page: "basic/utilities/cancellation#behavior-requirements", Demand: legacy},
		{Revisions: lint.Modern, Page: "basic/patterns/cancellation", Demand: modern},
	}
}

// A cancellation is a call with the notification that cancelled it.
type cancellation struct{ call, notice *lint.Message }

// cancellations are those of calls that were still running.
func cancellations(v *lint.View) []cancellation {
	var found []cancellation
	for _, s := range v.Steps(step.CallCancelled) {
		c := cancellation{call: s.Asked()}
		for _, m := range s.Messages() {
			if !m.FromServer && m.MethodName() == mcp.NotifyCancelled {
				c.notice = m
			}
		}
		switch {
		case c.call == nil || c.notice == nil:
			v.NotApplicable("the call was cancelled by closing its stream, and nothing can come after that")
		case c.call.Answer != nil && !follows(c.call.Answer, c.notice):
			v.NotVerified("the call was answered before it was cancelled")
		default:
			found = append(found, c)
		}
	}
	if len(v.Steps(step.CallCancelled)) == 0 && len(v.Steps(step.Call)) > 0 {
		v.NotApplicable("no tool that was called takes long enough to be cancelled")
	}
	return found
}
