package client

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// What a server answers is a *jsonrpc.Error, what HTTP refuses also a
// *transport.StatusError. The other errors that callers act on are these.
var (
	// ErrClosed is the error of using a session after Close.
	ErrClosed = transport.ErrClosed
	// ErrUnauthorized comes with the *transport.StatusError that has the
	// server's challenge.
	ErrUnauthorized = errors.New("the server does not accept the credentials")
	// ErrSessionExpired is the error of a request that met a session the
	// server has forgotten, and that was not safe to repeat in the new one.
	ErrSessionExpired = errors.New("the session had expired; a new one is open")
	// ErrNotModern is the error of opening a session in the modern era, if
	// asked for, with a server that shows no sign of it.
	ErrNotModern = errors.New("the server does not speak the modern era")
	// ErrRejected is returned by Options.Sampling for a user who said no.
	ErrRejected = errors.New("the user rejected the request")
)

// A VersionError says that the two sides have no revision in common.
type VersionError struct {
	Ours   []string // newest first
	Theirs []string // as the server lists them
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("no protocol version in common: the client speaks %s, the server %s", list(e.Ours), list(e.Theirs))
}

// list writes versions for a message; the server's may be anything.
func list(versions []string) string {
	if len(versions) == 0 {
		return "none that it names"
	}
	shown := make([]string, 0, 8)
	for _, version := range versions[:min(len(versions), 8)] {
		shown = append(shown, fmt.Sprintf("%.40q", version))
	}
	if len(versions) > 8 {
		shown = append(shown, "…")
	}
	return strings.ReplaceAll(strings.Join(shown, ", "), `"`, "")
}

// A TimeoutError is a request that was not answered in time, and was cancelled.
type TimeoutError struct {
	Method string
	After  time.Duration
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s: no answer within %v", e.Method, e.After)
}

// Timeout says that it is one.
func (e *TimeoutError) Timeout() bool { return true }

// A NotOfferedError is a request that was not sent, since the server did not
// declare what it needs or the revision does not have it.
type NotOfferedError struct {
	Method  string
	Missing string // the capability or the revision
}

func (e *NotOfferedError) Error() string {
	return fmt.Sprintf("%s: the server does not offer %s", e.Method, e.Missing)
}

// A ProtocolError is a message that the protocol does not allow.
type ProtocolError struct {
	Reason  string
	Message []byte // as it came, if it is at hand
}

func (e *ProtocolError) Error() string { return "the server broke the protocol: " + e.Reason }

// An InputRequiredError is a result that asks for what the client does not
// offer, or asks once too often.
type InputRequiredError struct {
	Reason string
	Result []byte // the server's questions
}

func (e *InputRequiredError) Error() string { return "the server asks for input: " + e.Reason }

// A ProcessError says that a server's process has ended.
type ProcessError struct {
	ExitCode int    // -1 if a signal ended it
	Signal   string // its name, empty if none did
	Stderr   string // the end of what it wrote there
}

func (e *ProcessError) Error() string {
	how := fmt.Sprintf("exit status %d", e.ExitCode)
	if e.Signal != "" {
		how = "signal: " + e.Signal
	}
	if last := lastLine(e.Stderr); last != "" {
		return fmt.Sprintf("the server has ended (%s): %s", how, last)
	}
	return fmt.Sprintf("the server has ended (%s)", how)
}

// lastLine returns the last line that is not blank, shortened and without
// control characters.
func lastLine(text string) string {
	text = strings.TrimRight(text, " \t\r\n")
	text = strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
	return clean(bounded.Bytes(text, 200, "…"))
}

// clean takes out what a terminal would act on.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == 0xfffd {
			return ' '
		}
		return r
	}, text)
}

// parseError reads the error member of a response.
func parseError(raw []byte) error {
	e := &jsonrpc.Error{}
	ok := false
	for name, value := range rawjson.Members(raw) {
		switch string(name) {
		case "code":
			var code int64
			code, ok = integer(value)
			e.Code = int(code)
		case "message":
			e.Message = text(value)
		case "data":
			e.Data = rawMessage(value)
		}
	}
	if !ok {
		return &ProtocolError{Reason: "an error without a code that is an integer", Message: raw}
	}
	return e
}

// hasCode says whether err is an answer of the server with one of the codes.
func hasCode(err error, codes ...int) bool {
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) {
		return false
	}
	for _, code := range codes {
		if wire.Code == code {
			return true
		}
	}
	return false
}
