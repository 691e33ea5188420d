package tools

import (
	"regexp"
	"strings"
	"time"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

var requiredChecked = lint.Rule{
	ID: "TOOL-007", Slug: "required-checked",
	Title:    "a call without a required argument is refused at once",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.All, Level: lint.Call, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/tools#security-considerations", Demand: "What a tool is called with is validated by the server."}},
	What:  "Calls tools that are marked read-only without the first argument that their schema requires. Expected is a result with isError or an error -32602. That the tool has begun to work is seen by its text, if that tells of a network error or an exception, or by its time, if it takes over 2 s.",
	Why:   "A tool that works with what is not there fails somewhere inside, with a message that does not help the model to correct its call, or does something that nobody asked for.",
	Bad:   `{"result":{"content":[{"type":"text","text":"TypeError: Cannot read properties of undefined (reading 'split')"}],"isError":true}}`,
	Good:  `{"result":{"content":[{"type":"text","text":"path is required"}],"isError":true}}`,
	Fix:   "Validate the arguments against the inputSchema before the tool runs; SDKs that take a schema with the tool do so.",
	Check: func(v *lint.View) {
		for _, c := range calls(v, step.CallMissing) {
			if c.pending() {
				continue
			}
			v.Saw()
			switch {
			case c.answer.IsError() && c.answer.Code() != jsonrpc.InvalidParams:
				v.Failf(c.answer, c.subject(), "a call without a required argument is answered with the code %d", c.answer.Code())
			case !c.answer.IsError() && !c.failed():
				v.Failf(c.answer, c.subject(), "a call without a required argument succeeds")
			case worked.MatchString(c.text()):
				v.Failf(c.answer, c.subject(), "begins to work before it misses a required argument")
			case c.took() > slow:
				v.Failf(c.answer, c.subject(), "takes more than %v to miss a required argument", slow)
			}
		}
	},
}

const slow = 2 * time.Second

// worked finds what tools say that have begun to work: network errors, and
// exceptions of common languages.
var worked = regexp.MustCompile(`(?i)\bE(CONNREFUSED|NOTFOUND|TIMEDOUT|CONNRESET|HOSTUNREACH|NOENT|AI_AGAIN)\b|getaddrinfo|fetch failed|network error|connection (refused|reset|timed out)|` +
	`request failed with status|\bTypeError\b|cannot read propert|is not a function|is not iterable|\bNoneType\b|\bKeyError\b|\bAttributeError\b|NullPointerException|nil pointer|Traceback \(most recent`)

// text is what the answer says, as far as it is worth reading.
func (c call) text() string {
	const enough = 10_000
	message, _ := lint.Text(lint.Member(c.answer.Error, "message"))
	texts := []string{message}
	for _, block := range c.blocks() {
		text, _ := lint.Text(lint.Member(block, "text"))
		texts = append(texts, text)
	}
	all := strings.Join(texts, "\n")
	return all[:min(enough, len(all))]
}

// took is how long the answer took.
func (c call) took() time.Duration { return c.answer.At - c.answer.Asked.At }
