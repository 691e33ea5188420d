package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var quietBeforeInitialized = lint.Rule{
	ID: "LIFE-013", Slug: "quiet-before-initialized",
	Title:    "before the client has sent notifications/initialized the server makes no requests but ping",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.Legacy, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.Legacy, Page: "basic/lifecycle#initialization", Demand: "Until it has received the notification initialized, a server should request nothing but pings."}},
	What:  "Looks for requests of the server between its answer to initialize and the client's notifications/initialized. From level probe on, one client holds that notification back for a second.",
	Why:   "The client is not ready yet. It may refuse the request, drop it, or wait for ever because it only reads the answer that it expects.",
	Bad: `← {"id":1,"result":{"protocolVersion":"2025-11-25",…}}
← {"id":1,"method":"roots/list"}
→ {"method":"notifications/initialized"}`,
	Good: `← {"id":1,"result":{"protocolVersion":"2025-11-25",…}}
→ {"method":"notifications/initialized"}
← {"id":1,"method":"roots/list"}`,
	Fix: "Make the first request when notifications/initialized has arrived, for example in the oninitialized handler of the TypeScript SDK.",
	Check: func(v *lint.View) {
		for _, p := range preludes(v) {
			if !p.ready && !p.waiting {
				continue
			}
			v.Saw()
			for _, m := range p.beforeReady {
				if m.Kind == lint.Request && m.MethodName() != mcp.MethodPing {
					v.Failf(m, lint.Subject{Kind: "method", Name: m.MethodName()}, "is requested before the client has sent notifications/initialized")
				}
			}
		}
	},
}
