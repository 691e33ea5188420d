package sse

import (
	"bytes"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
)

var messageEvents = lint.Rule{
	ID: "SSE-004", Slug: "message-events",
	Title:    "messages are events of the type message, one in each",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Transports: lint.SSE, Level: lint.Passive,
	Rests: rests("The server's messages are sent as message events, whose data is the message as JSON."),
	What:  "Looks at every event of the stream after endpoint. One of the type message (or of none, which is the same) has to hold one JSON message, and one of another type must not. Other types with other data are left alone.",
	Why:   "Clients listen for events of this type only. Messages in others never reach them, and data that is not JSON makes many of them give up.",
	Bad:   "event: response\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
	Good:  "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
	Fix:   "Send each message as its own event of the type message, and keep connections alive with comments (lines that begin with a colon).",
	Check: func(v *lint.View) {
		for _, s := range streams(v) {
			batches := s.step.Talk().Revision == mcp.V20250326.Version
			for _, e := range s.events {
				data := bytes.TrimSpace(e.Data)
				if e.Type == "endpoint" || len(data) == 0 {
					continue
				}
				v.Saw()
				kind := rawjson.Invalid
				if rawjson.Check(data, rawjson.Limits{Depth: 1000}) == nil {
					kind = rawjson.KindOf(data)
				}
				switch isMessage := lint.Member(data, "jsonrpc") != nil; {
				case e.Type != "message" && kind == rawjson.Object && isMessage:
					v.Failf(s.step, lint.Subject{}, "a message is sent in an event of another type than message")
				case e.Type != "message":
				case kind == rawjson.Array && !batches:
					v.Failf(s.step, lint.Subject{}, "an event of the type message holds an array of messages")
				case kind != rawjson.Object && kind != rawjson.Array:
					v.Failf(s.step, lint.Subject{}, "an event of the type message holds no JSON message")
				}
			}
		}
	},
}
