package modern

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var capabilityError = lint.Rule{
	ID: "MOD-017", Slug: "capability-error",
	Title:    "a request that needs more of the client than it declared says what",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Call,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic#meta", Demand: "If a request cannot be served without a capability that the client did not declare, the answer is error -32021 with the capabilities in data.requiredCapabilities; over HTTP with status 400."}},
	What:  "Calls tools, and those that want input a second time as a client that declares nothing. An error to that has to be -32021, and every -32021 has to have an object data.requiredCapabilities that names something the client did not declare, over HTTP with status 400.",
	Why:   "The code and the object tell the client what to declare, or its user what is missing. With anything else the call just fails.",
	Bad:   `{"error":{"code":-32603,"message":"client does not support sampling"}}`,
	Good:  `{"error":{"code":-32021,"message":"Missing required client capability","data":{"requiredCapabilities":{"sampling":{}}}}}`,
	Fix:   "Compare io.modelcontextprotocol/clientCapabilities of the request with what the tool needs, and answer -32021 with an object in the form of the client's capabilities.",
	Check: func(v *lint.View) {
		needs := 0
		for _, m := range received(v) {
			if !m.IsError() || m.Asked == nil {
				continue
			}
			subject := wanter(m)
			if m.Code() != mcp.CodeMissingCapability {
				if m.Step.Name == step.CallUndeclared {
					v.Failf(m, subject, "a client without the capabilities it needs gets error %d, not %d", m.Code(), mcp.CodeMissingCapability)
				}
				continue
			}
			v.Saw()
			needs++
			required := lint.Member(m.Error, "data", "requiredCapabilities")
			switch {
			case rawjson.KindOf(required) != rawjson.Object:
				v.Failf(m, subject, "error %d has no object data.requiredCapabilities", mcp.CodeMissingCapability)
			case !namesUndeclared(required, meta(m.Asked, mcp.MetaClientCapabilities)):
				v.Failf(m, subject, "data.requiredCapabilities of error %d names nothing that the client did not declare", mcp.CodeMissingCapability)
			}
			if otherStatus(m, 400) {
				v.Failf(m, subject, "error %d comes with HTTP status %d, not 400", mcp.CodeMissingCapability, m.HTTP.Status)
			}
		}
		if needs == 0 {
			wantsNothing(v)
		}
	},
}

// namesUndeclared says whether one capability is required that is not declared,
// or a part of one.
func namesUndeclared(required, declared []byte) bool {
	for name, value := range rawjson.Members(required) {
		has := lint.Member(declared, string(name))
		if has == nil || rawjson.KindOf(value) == rawjson.Object && namesUndeclared(value, has) {
			return true
		}
	}
	return false
}
