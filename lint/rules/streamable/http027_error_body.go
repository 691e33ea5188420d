package streamable

import (
	"bytes"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var errorBody = lint.Rule{
	ID: "HTTP-027", Slug: "error-body",
	Title:    "errors are not HTML pages",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Probe,

	What: "Looks at the bodies of all responses with an error status: none may be an HTML page.",
	Why:  "MCP clients are programs. They show the body of an error to the user or to the model, where a page of HTML, often with a stack trace, is of no use.",
	Bad: `HTTP/1.1 400 Bad Request
Content-Type: text/html

<!DOCTYPE html><html>…`,
	Good: `HTTP/1.1 400 Bad Request
Content-Type: application/json

{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}`,
	Fix: "Replace the error page of the web framework by a handler that writes a JSON-RPC error.",
	Check: func(v *lint.View) {
		for s, x := range exchanges(v) {
			if x.Status < 400 || s.Talk().Phase == step.HTTPBind {
				continue
			}
			v.Saw()
			if x.Type() == "text/html" || isPage(x.Answer) {
				v.Failf(s, lint.Subject{Kind: "probe", Name: s.Label()}, "the body of an error is an HTML page")
			}
		}
	},
}

// isPage says whether a body begins like a page, whatever its type says.
func isPage(body []byte) bool {
	start := bytes.ToLower(bytes.TrimSpace(body[:min(len(body), 256)]))
	return bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html"))
}
