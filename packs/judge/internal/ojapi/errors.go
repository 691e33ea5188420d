package ojapi

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
)

// The errors of a Client are a closed list: *TransportError, *StatusError,
// *Fetching and *Unresolved. None of their texts holds the token.

// TransportError says that no usable answer arrived (section 9, cases 1, 2, 7
// and 8). When the caller's context was cancelled, errors.Is finds
// context.Canceled in it.
type TransportError struct {
	// Stage is "request failed", "read body failed" or "invalid JSON".
	Stage string
	// Reason is short and holds no URL.
	Reason string

	cause error
}

// The stages of a TransportError, as section 9 prints them.
const (
	stageRequest = "request failed"
	stageBody    = "read body failed"
	stageJSON    = "invalid JSON"
)

func (e *TransportError) Error() string { return e.Stage + ": " + e.Reason }

// Unwrap returns the cause, for errors.Is.
func (e *TransportError) Unwrap() error { return e.cause }

// StatusError is an answer of the backend that is not a success (section 9,
// cases 4, 5 and 6).
type StatusError struct {
	// Text is ready to be shown: "[404] Not Found: problem not found".
	Text string
}

func (e *StatusError) Error() string { return e.Text }

// Fetching says that the backend is still fetching the daily challenge (HTTP
// 202, section 9 case 3). It is not a failure.
type Fetching struct {
	// RetryAfter is the number of seconds to wait, nil when not given.
	RetryAfter *int
}

func (e *Fetching) Error() string { return "the daily challenge is being fetched" }

// Unresolved says that the backend knows no problem for a query (section 9,
// case 9). Source and ID are what it understood, either may be empty.
type Unresolved struct {
	Source, ID string
}

func (e *Unresolved) Error() string {
	return fmt.Sprintf("no problem found (resolved to %s/%s)", e.Source, e.ID)
}

func invalidJSON(reason string) error {
	return &TransportError{Stage: stageJSON, Reason: reason}
}

// reason puts a network failure in a few words. The layers that net and
// net/http wrap around a cause hold URLs and addresses and are dropped; so is
// everything from the first quotation mark on, because what net/http quotes
// came from outside.
func reason(err error) string {
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "no such host"
	case errors.As(err, &dns):
		return "name lookup failed"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "connection closed early"
	}
	text, _, _ := strings.Cut(innermost(err).Error(), `"`)
	return strings.TrimRight(text, " :")
}

func innermost(err error) error {
	for {
		switch e := err.(type) {
		case *url.Error:
			err = e.Err
		case *net.OpError:
			err = e.Err
		case *os.SyscallError:
			err = e.Err
		default:
			return err
		}
	}
}
