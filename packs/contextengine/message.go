package contextengine

import (
	"bytes"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

// MaxMessage is the most bytes of one message, without the end of its line
// (LIM-1).
const MaxMessage = 1 << 20

// protocolV0 is what initialize answers, whatever was asked (MCP-4).
const protocolV0 = "2024-11-05"

// The errors of the protocol, each with the one message it has (RPC-16).
var (
	errParse          = &jsonrpc.Error{Code: jsonrpc.ParseError, Message: "Parse error"}
	errInvalidRequest = &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "Invalid Request"}
	errNotInitialized = &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "Server not initialized"}
	errMissingParams  = &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: "Missing params for tools/call"}
	errInternal       = &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "Internal error"}
	errInvalidParams  = &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: "Invalid tools/call params"}
)

// parseV0 reads one line (RPC-6 to RPC-13). Of a request it keeps what the
// frozen contract knows and nothing else. A zero message is one that nobody
// answers.
func parseV0(line []byte, initialized bool) (jsonrpc.Message, *jsonrpc.Error) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return jsonrpc.Message{}, nil // RPC-2
	}
	if err := rawjson.Check(line, rawjson.Limits{}); err != nil {
		return jsonrpc.Message{}, &jsonrpc.Error{Code: errParse.Code, Message: errParse.Message, Cause: err}
	}
	m, err := parseEnvelope(line)
	switch {
	case err != nil:
		return m, err
	case m.ID.IsZero():
		return jsonrpc.Message{}, nil // RPC-12
	case m.Method == mcp.MethodInitialize:
		m.Params = []byte(`{"protocolVersion":"` + protocolV0 + `"}`)
		return m, nil
	case !initialized:
		return m, errNotInitialized // MCP-2
	}
	switch m.Method {
	case mcp.MethodPing, mcp.MethodListTools:
		m.Params = nil
		return m, nil
	case mcp.MethodCallTool:
		m.Params, err = parseCall(m.Params)
		return m, err
	}
	return m, &jsonrpc.Error{Code: jsonrpc.MethodNotFound, Message: "Method not found: " + m.Method}
}

// parseEnvelope reads the members of a checked message. With an error the
// message has its id, if that is one.
func parseEnvelope(line []byte) (m jsonrpc.Message, _ *jsonrpc.Error) {
	if rawjson.KindOf(line) != rawjson.Object {
		return m, errInvalidRequest // RPC-7
	}
	var version, id, method, params []byte
	members(line, map[string]*[]byte{"jsonrpc": &version, "id": &id, "method": &method, "params": &params})
	var ok bool
	if id != nil {
		if m.ID, ok = jsonrpc.ParseID(id); !ok {
			return m, errInvalidRequest // RPC-8
		}
	}
	if !rawjson.IsString(version, "2.0") {
		return m, errInvalidRequest // RPC-9
	}
	if m.Method, ok = rawjson.String(method); !ok {
		return m, errInvalidRequest // RPC-10
	}
	switch rawjson.KindOf(params) {
	case rawjson.Object, rawjson.Array:
		m.Params = params
	case rawjson.Invalid, rawjson.Null:
	default:
		return m, errInvalidRequest // RPC-11
	}
	return m, nil
}

// parseCall reads the params of tools/call and writes them again, with the
// arguments that some tool has. Those that can be right nowhere, being neither
// text nor number, are left out as if they were absent.
func parseCall(params []byte) ([]byte, *jsonrpc.Error) {
	if params == nil {
		return nil, errMissingParams
	}
	var name, args []byte
	members(params, map[string]*[]byte{"name": &name, "arguments": &args})
	if kind := rawjson.KindOf(args); rawjson.KindOf(name) != rawjson.StringKind ||
		kind != rawjson.Invalid && kind != rawjson.Null && kind != rawjson.Object {
		return nil, errInvalidParams
	}
	known := map[string]*[]byte{}
	for _, argument := range argumentsV0 {
		known[argument] = new([]byte)
	}
	members(args, known)
	o := rawjson.Begin(nil)
	o.Raw("name", name)
	inner := rawjson.Begin(o.Name("arguments"))
	for _, argument := range argumentsV0 {
		value := *known[argument]
		if kind := rawjson.KindOf(value); kind == rawjson.StringKind || kind == rawjson.Number {
			inner.Raw(argument, value)
		}
	}
	o.Set(inner.End())
	return o.End(), nil
}

// argumentsV0 are all that there are (section 10).
var argumentsV0 = []string{"cache", "query", "budget"}

// members finds the values of some members of a checked object. One that is
// there twice could mean either: it gets a value that is right nowhere.
func members(object []byte, values map[string]*[]byte) {
	for name, value := range rawjson.Members(object) {
		target := values[string(name)]
		switch {
		case target == nil:
		case *target != nil:
			*target = []byte("true")
		default:
			*target = value
		}
	}
}
