package jsonrpc

import (
	"strconv"

	"mcpworks/internal/rawjson"
)

// The codes JSON-RPC itself defines.
const (
	ParseError     = -32700 // the text is not JSON
	InvalidRequest = -32600 // the JSON is not a message
	MethodNotFound = -32601
	InvalidParams  = -32602
	InternalError  = -32603
)

// An Error is the error member of a response. Two of them match under
// errors.Is when their codes are equal.
type Error struct {
	Code    int
	Message string // the sentence for the caller
	Data    any    // what rawjson.Append can write; nil leaves the member out
	Cause   error  // for the log; never sent
}

func (e *Error) Error() string {
	return e.Message + " (code " + strconv.Itoa(e.Code) + ")"
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Is reports whether target is an *Error with the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// AppendJSON appends the error object.
func (e *Error) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"code":`...)
	dst = strconv.AppendInt(dst, int64(e.Code), 10)
	dst = append(dst, `,"message":`...)
	dst = rawjson.AppendString(dst, e.Message)
	if e.Data != nil {
		mark := len(dst)
		dst = append(dst, `,"data":`...)
		var err error
		if dst, err = rawjson.Append(dst, e.Data); err != nil {
			dst = dst[:mark]
		}
	}
	return append(dst, '}')
}
