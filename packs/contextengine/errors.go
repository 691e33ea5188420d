package contextengine

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/packs/contextengine/internal/cache"
)

// A Code is one of the six ways in which the engine fails (ERR-1). The list is
// frozen. A Code is an error itself, whose text is the canonical message.
type Code string

const (
	CacheMissing  Code = "cache_missing"
	CacheInvalid  Code = "cache_invalid"
	InvalidQuery  Code = "invalid_query"
	InvalidBudget Code = "invalid_budget"
	IOError       Code = "io_error"
	InternalError Code = "internal_error"
)

// codes is the table of ERR-1. The level is that of the line in the log: what
// only the operator can repair is a warning.
var codes = map[Code]struct {
	message    string
	exit, wire int
	level      slog.Level
}{
	CacheMissing:  {"Cache does not exist", 4, jsonrpc.InvalidParams, slog.LevelInfo},
	CacheInvalid:  {"Cache exists but is invalid", 5, jsonrpc.InvalidParams, slog.LevelWarn},
	InvalidQuery:  {"Query is invalid", 2, jsonrpc.InvalidParams, slog.LevelInfo},
	InvalidBudget: {"Budget is invalid", 3, jsonrpc.InvalidParams, slog.LevelInfo},
	IOError:       {"I/O error occurred", 6, jsonrpc.InternalError, slog.LevelWarn},
	InternalError: {"Internal error", 7, jsonrpc.InternalError, slog.LevelError},
}

// CodeOf returns the code of an error of this package, empty for nil. What is
// none of the other five is an internal error, a timeout and a panic included
// (ERR-7).
func CodeOf(err error) Code {
	var code Code
	switch {
	case err == nil:
		return ""
	case errors.As(err, &code):
		return code
	case errors.Is(err, cache.ErrMissing):
		return CacheMissing
	case errors.Is(err, cache.ErrInvalid):
		return CacheInvalid
	case errors.Is(err, cache.ErrIO):
		return IOError
	}
	return InternalError
}

// Message returns the canonical message, the only text that a client gets.
func (c Code) Message() string { return codes[c].message }

// ExitCode returns what the command exits with.
func (c Code) ExitCode() int { return codes[c].exit }

// JSONRPC returns the code of the protocol layer form.
func (c Code) JSONRPC() int { return codes[c].wire }

// Error implements error.
func (c Code) Error() string { return c.Message() }

// ProtocolError returns the protocol layer form, for faces that answer without
// a tool result (ERR-4).
func (c Code) ProtocolError() *jsonrpc.Error {
	return &jsonrpc.Error{Code: c.JSONRPC(), Message: c.Message(), Data: json.RawMessage(c.appendJSON(nil))}
}

// appendJSON appends the error object (ERR-2).
func (c Code) appendJSON(dst []byte) []byte {
	inner := rawjson.Begin(append(dst, `{"error":`...))
	inner.String("code", string(c))
	inner.String("message", c.Message())
	return append(inner.End(), '}')
}

// because returns an error of this code that says more, for people and logs.
func (c Code) because(why string) error { return fmt.Errorf("%w: %s", c, why) }

func (c Code) level() slog.Level { return codes[c].level }
