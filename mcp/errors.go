package mcp

import (
	"encoding/json"

	"mcpworks/mcp/jsonrpc"
)

// The codes MCP adds to those of JSON-RPC. All three belong to the modern era.
const (
	CodeHeaderMismatch     = -32020 // an HTTP header differs from the body
	CodeMissingCapability  = -32021 // the client did not declare what is needed
	CodeUnsupportedVersion = -32022 // data lists the versions that are served
)

// UnsupportedVersion is the answer to a version that is not served; supported
// lists those that are, newest first.
func UnsupportedVersion(requested string, supported []string) *jsonrpc.Error {
	list := make([]any, len(supported))
	for i, version := range supported {
		list[i] = version
	}
	return &jsonrpc.Error{
		Code:    CodeUnsupportedVersion,
		Message: "unsupported protocol version",
		Data:    map[string]any{"requested": requested, "supported": list},
	}
}

// MissingCapability is the answer to a request that needs what its client did
// not declare.
func MissingCapability(required ClientCapabilities) *jsonrpc.Error {
	return &jsonrpc.Error{
		Code:    CodeMissingCapability,
		Message: "the client did not declare a capability this request needs",
		Data:    map[string]any{"requiredCapabilities": json.RawMessage(required.AppendJSON(nil))},
	}
}

// ResourceNotFound is the answer to a uri that names nothing, with the code
// the revision has for it.
func ResourceNotFound(rev *Revision, uri string) *jsonrpc.Error {
	return &jsonrpc.Error{
		Code:    rev.ResourceNotFound,
		Message: "resource not found",
		Data:    map[string]any{"uri": uri},
	}
}
