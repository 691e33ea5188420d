package rpc

import (
	"mcpworks/lint"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

var errorRange = lint.Rule{
	ID: "RPC-018", Slug: "error-range",
	Title:    "reserved error codes are used only as they are defined",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.E, Page: "basic#error-codes", Demand: "-32020 to -32099 belong to the protocol, and -32000 to -32019 should not get new uses."},
		{Page: "JSON-RPC 2.0 5.1", Demand: "-32768 to -32000 are reserved, with five codes defined and -32000 to -32099 left to servers."},
	},
	What: "Looks at the code of every error that the server answers. In modern replies -32020 to -32099 may only be -32020, -32021 or -32022, and -32000 to -32019 is noted; -32002 and -32042 are a matter of RPC-019. In all revisions, -32768 to -32100 is for the five codes of JSON-RPC.",
	Why:  "Clients act on these codes. One that the server made up is taken for what the specification says, today or in its next revision.",
	Bad:  `{"jsonrpc":"2.0","id":3,"error":{"code":-32050,"message":"quota exceeded"}}`,
	Good: `{"jsonrpc":"2.0","id":3,"error":{"code":1050,"message":"quota exceeded"}}`,
	Fix:  "Choose codes of your own outside of -32768 to -32000, or answer -32603 and put the reason into error.data.",
	Check: func(v *lint.View) {
		for _, m := range responses(v) {
			if !m.IsError() || !isWhole(lint.Member(m.Error, "code")) {
				continue
			}
			v.Saw()
			code, modern := m.Code(), m.Asked != nil && isModern(m.Asked)
			switch {
			case defined(code) || retired(code) && modern:
			case code <= -32100 && code >= -32768:
				v.FailAs(lint.Warning, m, lint.Subject{}, "the code %d is reserved by JSON-RPC", code)
			case !modern || code > -32000 || code < -32768:
			case code <= -32020:
				v.Failf(m, lint.Subject{}, "the code %d is reserved by the protocol and not defined", code)
			default:
				v.FailAs(lint.Info, m, lint.Subject{}, "the code %d is in a range that modern servers should not use", code)
			}
		}
	},
}

// defined says whether a code has a meaning for every server.
func defined(code int) bool {
	switch code {
	case jsonrpc.ParseError, jsonrpc.InvalidRequest, jsonrpc.MethodNotFound, jsonrpc.InvalidParams, jsonrpc.InternalError,
		mcp.CodeHeaderMismatch, mcp.CodeMissingCapability, mcp.CodeUnsupportedVersion:
		return true
	}
	return false
}

// retired says whether a code had a meaning in legacy revisions, and must not
// be used any more.
func retired(code int) bool { return code == -32002 || code == -32042 }
