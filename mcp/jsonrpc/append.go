package jsonrpc

import "mcpworks/internal/rawjson"

// AppendResponse appends what stands before the result object of an answer;
// the caller appends the object and a closing brace.
func AppendResponse(dst []byte, id ID) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = id.AppendJSON(dst)
	return append(dst, `,"result":`...)
}

// AppendErrorResponse appends a whole answer that says no. A zero id is
// written as null, or not at all with omitZeroID.
func AppendErrorResponse(dst []byte, id ID, e *Error, omitZeroID bool) []byte {
	dst = append(dst, `{"jsonrpc":"2.0"`...)
	if !id.IsZero() || !omitZeroID {
		dst = append(dst, `,"id":`...)
		dst = id.AppendJSON(dst)
	}
	dst = append(dst, `,"error":`...)
	dst = e.AppendJSON(dst)
	return append(dst, '}')
}

// AppendCall appends a whole request, or with a zero id a notification.
// Params is JSON text; nil leaves the member out.
func AppendCall(dst []byte, id ID, method string, params []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0"`...)
	if !id.IsZero() {
		dst = append(dst, `,"id":`...)
		dst = id.AppendJSON(dst)
	}
	dst = append(dst, `,"method":`...)
	dst = rawjson.AppendString(dst, method)
	if params != nil {
		dst = append(dst, `,"params":`...)
		dst = append(dst, params...)
	}
	return append(dst, '}')
}
