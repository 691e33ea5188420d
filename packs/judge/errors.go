package judge

import (
	"context"
	"errors"

	"mcpworks/internal/bounded"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/packs/judge/internal/ojapi"
)

// What goes wrong is one of two classes (section 9). The backend could not be
// asked or understood: a protocol error. The backend, or the check of the
// arguments, says no: a failed result, for the model to read.

// badArgument is an argument problem; its text is the answer.
type badArgument string

func (b badArgument) Error() string { return string(b) }

// failed turns an error of a tool into its answer.
func (j *judge) failed(err error) (*mcp.CallToolResult, error) {
	var transport *ojapi.TransportError
	if errors.As(err, &transport) || errors.Is(err, context.Canceled) {
		return nil, &jsonrpc.Error{Code: jsonrpc.InternalError, Message: j.finished(err.Error())}
	}
	return mcp.ErrorResult(j.finished(err.Error())), nil
}

const (
	// maxText is the most bytes of a result's text (section 10).
	maxText = 102_400
	// cutMark follows a text that was cut, beyond maxText.
	cutMark = "\n\n... (truncated)"
)

// finished is the last step of every text: without the token, should the
// backend have echoed it (invariant 30), and within its bound (invariant 59).
func (j *judge) finished(text string) string {
	return bounded.Bytes(j.api.Redact(text), maxText, cutMark)
}
