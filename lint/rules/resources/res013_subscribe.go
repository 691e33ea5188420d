package resources

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

var subscribe = lint.Rule{
	ID: "RES-013", Slug: "subscribe",
	Title:    "a listed resource can be subscribed to and unsubscribed from",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Level: lint.Probe, Needs: "resources.subscribe",
	Rests: []lint.Clause{{Revisions: lint.Legacy, Page: "server/resources#subscriptions", Demand: "A server that declares subscribe lets clients ask to be told of changes to a resource."}},
	What:  "Sends resources/subscribe and then resources/unsubscribe for the first listed resource. Both are answered with a result that is an object. A server that does not know the methods at all is reported by LIFE-011.",
	Why:   "Clients subscribe because the capability says that they can. When it fails, they keep showing what has long changed.",
	Bad:   `{"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"not implemented"}}`,
	Good:  `{"jsonrpc":"2.0","id":5,"result":{}}`,
	Fix:   "Make both requests work for every listed resource, or do not declare resources.subscribe.",
	Check: func(v *lint.View) {
		for _, name := range []string{step.Subscribe, step.Unsubscribe} {
			for _, s := range v.Steps(name) {
				switch answer := s.Answer(); {
				case answer == nil:
					v.NotVerified("the step %q was not answered (RPC-012)", name)
				case answer.Code() == jsonrpc.MethodNotFound:
					v.NotVerified("the server has no such method (LIFE-011)")
				case answer.IsError():
					v.Failf(answer, resource(answer), "%s is answered with error %d", answer.MethodName(), answer.Code())
				case rawjson.KindOf(answer.Result) != rawjson.Object:
					v.Failf(answer, resource(answer), "the result of %s is no object", answer.MethodName())
				default:
					v.Saw()
				}
			}
		}
		noneListed(v)
	},
}
