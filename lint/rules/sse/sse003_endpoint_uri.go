package sse

import (
	"net/url"
	"strings"

	"mcpworks/lint"
)

var endpointURI = lint.Rule{
	ID: "SSE-003", Slug: "endpoint-uri",
	Title:    "the data of the endpoint event is a URI",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Transports: lint.SSE, Level: lint.Passive,
	Rests: rests("What the client posts goes to the URI that the endpoint event has as its data."),
	What:  "Reads the data of the endpoint event: it has to be a URI, relative or http(s), and nothing else.",
	Why:   "Clients resolve it against the address of the stream as it is. Quotes, JSON or blanks around it become part of the address, and every message is lost.",
	Bad:   "event: endpoint\ndata: {\"uri\":\"/messages\"}",
	Good:  "event: endpoint\ndata: /messages?session=8f14e45f",
	Fix:   "Write the bare URI into the data of the event, with reserved characters escaped.",
	Check: func(v *lint.View) {
		for _, s := range streams(v) {
			text, ok := s.endpoint()
			if !ok {
				continue
			}
			v.Saw()
			if !isURI(text) {
				v.Failf(s.step, lint.Subject{}, "the data of the endpoint event is no URI")
			}
		}
	},
}

// uriBytes are those that a URI can have (RFC 3986).
const uriBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=%"

func isURI(text string) bool {
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return !strings.ContainsRune(uriBytes, r) }) {
		return false
	}
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "" || u.Scheme == "http" || u.Scheme == "https")
}
