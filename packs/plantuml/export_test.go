package plantuml

import (
	"net/http"

	"mcpworks/mcp/server"
)

// WithEncoder returns both faces with another encoder, for the tests of what
// happens when it fails.
func WithEncoder(cfg Config, encode func(text string) string) (http.Handler, []server.Tool) {
	s := newService(cfg)
	s.encode = encode
	return s, s.tools()
}

// ReadCode returns the text in a body, or the code of the error.
func ReadCode(body []byte) (text, code string) {
	text, bad := readCode(body)
	if bad != nil {
		return "", bad.code
	}
	return text, ""
}

// Statuses are the codes of the closed list with their statuses.
func Statuses() map[string]int {
	all := map[string]int{}
	for _, p := range problems {
		all[p.code] = p.status
	}
	return all
}

var PagePolicy = pagePolicy
