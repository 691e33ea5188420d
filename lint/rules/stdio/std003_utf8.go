package stdio

import "mcpworks/lint"

var utf8Output = lint.Rule{
	ID: "STD-003", Slug: "utf8",
	Title:    "standard output is UTF-8 without a byte order mark",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Transports: lint.Stdio, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.All &^ lint.A, Page: "basic/transports", Demand: "JSON-RPC messages are encoded in UTF-8."},
		{Page: "RFC 8259 8.1", Demand: "JSON text is not preceded by a byte order mark."},
	},
	What: "Looks at every line of standard output that is meant to be a message: its bytes have to be valid UTF-8, without a byte order mark before them. An escape of half a character, which UTF-8 cannot say, is a warning, and so is a message that is nested more than 1,000 levels deep.",
	Why:  "The message cannot be read, or its text arrives garbled. It mostly happens on Windows, or with text that was read from files in another encoding.",
	Bad:  `EF BB BF {"jsonrpc":"2.0","id":1,"result":{}}`,
	Good: `{"jsonrpc":"2.0","id":1,"result":{}}`,
	Fix:  `Set the encoding of standard output to UTF-8 without a byte order mark: PYTHONUTF8=1 in Python, new UTF8Encoding(false) in .NET. Convert text from outside before it goes into a message.`,
	Check: func(v *lint.View) {
		for _, m := range faulty(v, mark, wide, notUTF8, halfRunes) {
			switch faultOf(m) {
			case mark:
				v.Failf(m, lint.Subject{}, "a line of standard output has a byte order mark before it")
			case wide:
				v.Failf(m, lint.Subject{}, "standard output is in UTF-16")
			case notUTF8:
				v.Failf(m, lint.Subject{}, "a message is not valid UTF-8")
			default:
				v.FailAs(lint.Warning, m, lint.Subject{}, "a message escapes half of a surrogate pair, or is nested too deep")
			}
		}
	},
}
