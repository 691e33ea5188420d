package modern

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

var metaRequired = lint.Rule{
	ID: "MOD-006", Slug: "meta-required",
	Title:    "a request without its required _meta is refused",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic#meta", Demand: "Every request carries protocolVersion and clientCapabilities in _meta; one that lacks them is answered with error -32602, over HTTP with status 400."}},
	What:  "Sends server/discover in three forms: without _meta, without the version in it, and without the client's capabilities. Each has to fail with -32602, over HTTP with status 400. Over HTTP -32020 is accepted where the header names a version that the body does not have; on stdio any error is accepted for a request without a version if the server speaks legacy revisions too, which it then looks like.",
	Why:   "What a client can do is known from its request alone. A server that fills the gap with guesses may use features that the client does not have.",
	Bad:   `{"method":"server/discover","params":{}} is answered with a result`,
	Good:  `{"error":{"code":-32602,"message":"params._meta lacks io.modelcontextprotocol/protocolVersion"}}`,
	Fix:   "Check _meta of every request: io.modelcontextprotocol/protocolVersion has to be a string and io.modelcontextprotocol/clientCapabilities an object. Answer -32602 otherwise.",
	Check: func(v *lint.View) {
		lacks := map[string]string{step.NoMeta: "_meta", step.NoVersion: "the version in _meta", step.NoCapabilities: "clientCapabilities in _meta"}
		for _, s := range steps(v, step.MetaForm) {
			lack := lacks[s.About]
			if lack == "" {
				continue
			}
			if lost(v, s) {
				continue
			}
			v.Saw()
			subject, got := lint.Subject{Kind: "request", Name: s.About}, answer(s)
			switch {
			case got == nil:
				v.Failf(s, subject, "a request without %s %s", lack, unanswered(s))
			case got.HasResult():
				v.Failf(got, subject, "a request without %s is served", lack)
			case s.About != step.NoCapabilities && looksLegacy(v, got):
			case got.Code() != jsonrpc.InvalidParams && !(s.About != step.NoCapabilities && got.HTTP != nil && got.Code() == mcp.CodeHeaderMismatch):
				v.Failf(got, subject, "a request without %s is refused with error %d, not with %d", lack, got.Code(), jsonrpc.InvalidParams)
			case otherStatus(got, 400):
				v.Failf(got, subject, "a request without %s is refused with HTTP status %d, not 400", lack, got.HTTP.Status)
			}
		}
	},
}

// looksLegacy says whether the request that was answered could be one of an older
// revision: on stdio nothing but the version in _meta tells them apart.
func looksLegacy(v *lint.View, answer *lint.Message) bool { return answer.HTTP == nil && dual(v) }
