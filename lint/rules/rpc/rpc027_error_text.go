package rpc

import (
	"strings"

	"mcpworks/lint"
)

var errorText = lint.Rule{
	ID: "RPC-027", Slug: "error-text",
	Title:    "the message of an error is one readable sentence",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Probe,
	What: "Looks at error.message in every error that the probes provoke: it must not be empty, nor a JSON document over several lines, nor several lines of anything else.",
	Why:  "Clients show this text to people and to models. A dump of a validation library hides the one fact that would help them.",
	Bad:  `{"code":-32602,"message":"[\n  {\n    \"code\": \"invalid_type\",\n    \"path\": [\"params\", \"name\"]\n  }\n]"}`,
	Good: `{"code":-32602,"message":"params.name must be a string","data":{"issues":[{"path":["params","name"]}]}}`,
	Fix:  "Write one sentence that says what was wrong, and put the details into error.data.",
	Check: func(v *lint.View) {
		for _, m := range responses(v) {
			text, ok := lint.Text(lint.Member(m.Error, "message"))
			if !ok {
				continue
			}
			v.Saw()
			switch lines := strings.Split(strings.TrimSpace(text), "\n"); {
			case strings.TrimSpace(text) == "":
				v.Failf(m, ofMethod(m), "error.message is empty")
			case len(lines) > 1 && isDump(lines):
				v.Failf(m, ofMethod(m), "error.message is a JSON document over several lines")
			case len(lines) > 1:
				v.Failf(m, ofMethod(m), "error.message has several lines")
			}
		}
	},
}

// isDump says whether lines are indented JSON, perhaps after a few words.
func isDump(lines []string) bool {
	first, last := strings.TrimSpace(lines[0]), strings.TrimSpace(lines[len(lines)-1])
	return strings.HasSuffix(first, "[") && strings.HasPrefix(last, "]") || strings.HasSuffix(first, "{") && strings.HasPrefix(last, "}")
}
