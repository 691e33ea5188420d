package rpc

import (
	"encoding/json"
	"unicode/utf8"

	"mcpworks/lint"
)

var validJSON = lint.Rule{
	ID: "RPC-002", Slug: "valid-json",
	Title:    "what is sent as a message over HTTP is valid JSON in UTF-8",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Transports: lint.HTTP, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.All &^ lint.A, Page: "basic/transports", Demand: "Messages are JSON-RPC, encoded in UTF-8."},
		{Page: "RFC 8259 8.1", Demand: "JSON that leaves a closed system is UTF-8 without a byte order mark."},
	},
	What: "Reads the body of every response of type application/json, and the data of every message event: each has to be one JSON value in valid UTF-8. Bodies of refusals count if they name jsonrpc. Standard output is a matter of STD-001 and STD-003.",
	Why:  "A client cannot read such a message at all. It drops it or closes the connection, and the request it answers is lost.",
	Bad:  `data: {"jsonrpc":"2.0","id":1,"result":{"tools":[`,
	Good: `data: {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`,
	Fix:  "Let a JSON library write the whole message, and write one message per body or event. An event whose data has several lines needs a data: field for each.",
	Check: func(v *lint.View) {
		for _, m := range v.Messages() {
			if !m.FromServer || m.HTTP == nil || !claimed(m) {
				continue
			}
			v.Saw()
			switch where := carrier(m); {
			case m.Kind != lint.Noise:
			case !utf8.Valid(m.Raw):
				v.Failf(m, lint.Subject{}, "%s is not valid UTF-8", where)
			case json.Valid(m.Raw): // the record is stricter than the grammar
				v.FailAs(lint.Warning, m, lint.Subject{}, "%s is nested too deep, or escapes half of a surrogate pair", where)
			default:
				v.Failf(m, lint.Subject{}, "%s is not valid JSON", where)
			}
		}
	},
}

// carrier is what carried a message over HTTP.
func carrier(m *lint.Message) string {
	if m.Event != "" {
		return "the data of a message event"
	}
	return "a body of type application/json"
}
