package streamable

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var primingEvent = lint.Rule{
	ID: "HTTP-033", Slug: "priming-event",
	Title:    "a stream with event ids begins with an id and empty data",
	Severity: lint.Info, Strength: lint.Should,
	Revisions: lint.D, Transports: lint.Streamable, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.D, Page: "basic/transports#sending-messages-to-the-server", Demand: "A stream begins at once with an event that has an id and empty data, so that the client can come back to it."},
	},
	What: "Looks at every event stream that answers a request of 2025-11-25 and has events with ids: its first event has to have an id and no data.",
	Why:  "If the connection breaks before the first message, the client has no id to come back with, and the answer is lost although the server kept it.",
	Bad: `id: 1
data: {"jsonrpc":"2.0","id":2,"result":{}}`,
	Good: `id: 0
data:

id: 1
data: {"jsonrpc":"2.0","id":2,"result":{}}`,
	Fix: "Send an event with an id and empty data as soon as the stream is open. The TypeScript SDK does so with an event store.",
	Check: func(v *lint.View) {
		primed := false
		for _, s := range answering(v) {
			version := s.x.Header.Get("MCP-Protocol-Version") // without it the request is one of 2025-03-26
			if s.asked.MethodName() == mcp.MethodInitialize {
				version, _ = lint.Text(lint.Member(s.asked.Params, "protocolVersion"))
			}
			if !s.hasIDs() || !lint.D.Has(version) {
				continue
			}
			primed = true
			v.Saw()
			if first := s.events[0]; !first.hasID || !first.empty() {
				v.Failf(s.step, lint.Subject{}, "a stream with event ids does not begin with an id and empty data")
			}
		}
		if !primed {
			v.NotApplicable("no stream that answers a request has event ids")
		}
	},
}
