package stdio

import "mcpworks/lint"

var oneLine = lint.Rule{
	ID: "STD-002", Slug: "one-line",
	Title:    "a message does not span several lines",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Transports: lint.Stdio, Level: lint.Passive,
	Rests: says("Messages end at a newline and have none inside."),
	What:  "Looks for lines of standard output that only together are one JSON value, as a printer for people writes them.",
	Why:   "Clients read line by line. None of these lines is a message, so the answer never arrives.",
	Bad: `{
  "jsonrpc": "2.0",
  "id": 1,
  "result": {}
}`,
	Good: `{"jsonrpc":"2.0","id":1,"result":{}}`,
	Fix:  "Write messages without indentation: JSON.stringify(message) without a third argument, json.dumps(message) without indent.",
	Check: func(v *lint.View) {
		for _, m := range v.Received() {
			v.Saw()
			if m.Lines > 1 {
				v.Failf(m, lint.Subject{}, "a message spans several lines")
			}
		}
	},
}
