package modern

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var stateIntegrity = lint.Rule{
	ID: "MOD-021", Slug: "state-integrity",
	Title:    "a requestState that was changed is not accepted",
	Severity: lint.Warning, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Call,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic/patterns/mrtr#server-requirements-basic-workflow", Demand: "A server treats requestState as input of an attacker. If anything depends on it, the server protects it and refuses one that was changed; only if changes can do no more than fail the request this may be left out."}},
	What:  "Repeats a call that wanted input with the answers, once with one byte of requestState changed and once with its first half only. Neither may lead to a complete result that is no error. A call that succeeds with any requestState shows that the server does not look at it, which is allowed if nothing depends on it.",
	Why:   "The state goes through the client. If a change is not noticed, anyone can make the server go on with an order, a price or a user that it never confirmed.",
	Bad:   `a call with half of the requestState is answered with {"resultType":"complete","content":[{"type":"text","text":"done"}]}`,
	Good:  `it is answered with {"error":{"code":-32602,"message":"invalid requestState"}}`,
	Fix:   "Sign the state (HMAC) or encrypt it (AEAD) with a key of the server, put an expiry and the request into it, and answer -32602 if the check fails.",
	Check: func(v *lint.View) {
		tried := 0
		for _, s := range steps(v, step.StateTampered) {
			got := s.Answer()
			if got == nil {
				continue // RPC-012 says so
			}
			v.Saw()
			tried++
			if got.HasResult() && !isInputRequired(got) && string(lint.Member(got.Result, "isError")) != "true" {
				v.Failf(got, lint.Subject{Kind: "tool", Name: s.About}, "a call with a changed requestState succeeds")
			}
		}
		if tried > 0 {
			return
		}
		for _, m := range inputRequired(v) {
			if lint.Member(m.Result, "requestState") != nil {
				v.NotVerified("no call was repeated with a changed requestState")
			}
		}
		wantsNothing(v)
	},
}
