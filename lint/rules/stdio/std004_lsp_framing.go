package stdio

import "mcpworks/lint"

var lspFraming = lint.Rule{
	ID: "STD-004", Slug: "lsp-framing",
	Title:    "messages have no Content-Length headers",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Transports: lint.Stdio, Level: lint.Passive,
	Rests: says("A newline ends each message."),
	What:  "Looks for Content-Length on standard output where a message is expected.",
	Why:   "The Language Server Protocol frames messages with such headers, this protocol does not. No client understands them, and a message without a newline behind it is never complete.",
	Bad: `Content-Length: 36

{"jsonrpc":"2.0","id":1,"result":{}}`,
	Good: `{"jsonrpc":"2.0","id":1,"result":{}}`,
	Fix:  "Write each message on one line and end it with a newline; read the input the same way. Do not reuse the stream classes of a language server.",
	Check: func(v *lint.View) {
		failNoise(v, faulty(v, header), "messages are framed with Content-Length headers")
	},
}
