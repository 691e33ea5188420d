// Package jsonrpc is JSON-RPC 2.0 as text: messages, ids and error codes.
//
// It has never heard of MCP. A frame is checked once in full by [Check];
// everything after that walks text known to be sound, and keeps params and
// results as the raw bytes they arrived in.
package jsonrpc

import (
	"bytes"
	"errors"

	"mcpworks/internal/rawjson"
)

// A Message is one request, notification or response. The byte slices alias
// the frame it was parsed from.
type Message struct {
	// ID is zero for a notification, and for a response to a message whose
	// id could not be read.
	ID ID
	// Method is empty for a response.
	Method string
	// Params is an object or an array, or nil where absent or null.
	Params []byte
	// Result and Error are the raw members of a response, exactly one of
	// them set.
	Result, Error []byte
}

// IsRequest reports whether the message wants an answer.
func (m *Message) IsRequest() bool { return m.Method != "" && !m.ID.IsZero() }

// IsResponse reports whether the message answers a request.
func (m *Message) IsResponse() bool { return m.Method == "" }

// Check reports whether frame is sound JSON within the limits. Text that is
// not JSON is a ParseError; JSON beyond a limit is an InvalidRequest.
func Check(frame []byte, lim rawjson.Limits) *Error {
	err := rawjson.Check(frame, lim)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, rawjson.ErrTooDeep), errors.Is(err, rawjson.ErrStringTooLong), errors.Is(err, rawjson.ErrTooManyValues):
		return &Error{Code: InvalidRequest, Message: "Invalid Request: " + err.Error()}
	}
	return &Error{Code: ParseError, Message: "Parse error", Cause: err}
}

// Batch returns the elements of a checked frame that is an array.
func Batch(frame []byte) (elements [][]byte, ok bool) {
	if rawjson.KindOf(frame) != rawjson.Array {
		return nil, false
	}
	for element := range rawjson.Elements(frame) {
		elements = append(elements, element)
	}
	return elements, true
}

// Parse reads the envelope of one checked message. On error the message still
// has its id where that could be read, so that the answer can carry it.
func Parse(frame []byte) (Message, *Error) {
	var m Message
	if rawjson.KindOf(frame) != rawjson.Object {
		return m, invalid("a message is an object")
	}
	var version, id, method, params []byte
	for name, value := range rawjson.Members(frame) {
		var member *[]byte
		switch string(name) {
		case "jsonrpc":
			member = &version
		case "id":
			member = &id
		case "method":
			member = &method
		case "params":
			member = &params
		case "result":
			member = &m.Result
		case "error":
			member = &m.Error
		default:
			continue
		}
		if *member != nil {
			return Message{}, invalid("the member " + string(name) + " is there twice")
		}
		*member = value
	}

	badID := false
	if id != nil && (method != nil || rawjson.KindOf(id) != rawjson.Null) {
		var ok bool
		m.ID, ok = ParseID(id)
		badID = !ok
	}
	if method == nil && (m.Result != nil || m.Error != nil) {
		return parseResponse(m, version, id != nil && !badID)
	}
	switch {
	case badID:
		return m, invalid("an id is a string or an integer")
	case !isVersion2(version):
		return m, errVersion
	case method == nil:
		return m, invalid("method is missing")
	}
	var ok bool
	if m.Method, ok = rawjson.String(method); !ok || m.Method == "" {
		return m, invalid("method must be a string that is not empty")
	}
	if m.Result != nil || m.Error != nil {
		return m, invalid("a message has either a method or a result")
	}
	switch rawjson.KindOf(params) {
	case rawjson.Invalid, rawjson.Null:
	case rawjson.Object, rawjson.Array:
		m.Params = params
	default:
		return m, invalid("params must be an object or an array")
	}
	return m, nil
}

// parseResponse never returns an id with its error: it would be read as the
// id of a request of the one who sent the bad response.
func parseResponse(m Message, version []byte, hasID bool) (Message, *Error) {
	switch {
	case !isVersion2(version):
		return Message{}, errVersion
	case m.Result != nil && m.Error != nil:
		return Message{}, invalid("a response has either a result or an error")
	case !hasID && m.Error == nil:
		return Message{}, invalid("a response needs an id")
	}
	return m, nil
}

var errVersion = invalid(`jsonrpc must be "2.0"`)

func isVersion2(raw []byte) bool { return bytes.Equal(raw, []byte(`"2.0"`)) }

func invalid(why string) *Error {
	return &Error{Code: InvalidRequest, Message: "Invalid Request: " + why}
}
