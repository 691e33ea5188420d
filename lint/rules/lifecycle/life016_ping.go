package lifecycle

import (
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var ping = lint.Rule{
	ID: "LIFE-016", Slug: "ping",
	Title:    "ping is answered with an empty object within 5 s",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.Legacy, Page: "basic/utilities/ping#behavior-requirements", Demand: "A ping gets an empty result, and at once."}},
	What:  "Sends one ping after the handshake. An error, or no answer within 5 s, is an error; members in the result other than _meta are a warning.",
	Why:   "Clients and proxies ping to find out whether a server is still there, and cut the connection if it does not answer.",
	Bad:   `→ {"id":5,"method":"ping"}   ← {"id":5,"error":{"code":-32601,"message":"Method not found"}}`,
	Good:  `→ {"id":5,"method":"ping"}   ← {"id":5,"result":{}}`,
	Fix:   "Answer ping with an empty object at once, also while tools run; every SDK does that by itself.",
	Check: func(v *lint.View) {
		for _, s := range v.Steps(step.Ping) {
			asked, answer := s.Asked(), s.Answer()
			if asked == nil {
				continue
			}
			v.Saw()
			switch {
			case refused(s):
				v.Failf(s, lint.Subject{}, "ping is answered with an error")
			case answer == nil:
				v.Failf(s, lint.Subject{}, "ping is not answered")
			case answer.At-asked.At > pingLimit:
				v.Failf(s, lint.Subject{}, "ping is answered after more than 5 s")
			case !isEmptyResult(answer.Result):
				v.FailAs(lint.Warning, s, lint.Subject{}, "ping is answered with something else than an empty object")
			}
		}
	},
}

const pingLimit = 5 * time.Second

// isEmptyResult allows what any result may have, and what RPC-023 reports.
func isEmptyResult(raw []byte) bool {
	for name := range rawjson.Members(raw) {
		switch string(name) {
		case "_meta", "resultType", "ttlMs", "cacheScope":
		default:
			return false
		}
	}
	return rawjson.KindOf(raw) == rawjson.Object
}
