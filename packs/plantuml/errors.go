package plantuml

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"

	"mcpworks/internal/bounded"
)

// A problem is why a request failed. The first three fields are for the caller
// and come from the closed list below (section 4).
type problem struct {
	code    string
	status  int
	message string
	meaning string // for the page

	cause error  // for the log; may be nil
	stack string // of a panic, for the log
}

var (
	emptyCode = &problem{code: "EMPTY_CODE", status: http.StatusBadRequest,
		message: "plantumlCode is required and cannot be empty",
		meaning: "the text is missing, is not a string, or is nothing but white space"}
	toolNameRequired = &problem{code: "TOOL_NAME_REQUIRED", status: http.StatusBadRequest,
		message: "Tool name is required in the path",
		meaning: "the path ends where the tool's name should be"}
	toolNotFound = &problem{code: "TOOL_NOT_FOUND", status: http.StatusNotFound,
		message: "Tool '%s' not found",
		meaning: "there is no tool of that name"}
	methodNotAllowed = &problem{code: "METHOD_NOT_ALLOWED", status: http.StatusMethodNotAllowed,
		message: "Only %s method is allowed",
		meaning: "the route takes GET or POST, not both"}
	codeTooLarge = &problem{code: "CODE_TOO_LARGE", status: http.StatusRequestEntityTooLarge,
		message: "PlantUML code exceeds maximum size of 50KB",
		meaning: "the text has more than 51,200 bytes, or the request more than 1 MiB"}
	encodingFailed = &problem{code: "ENCODING_FAILED", status: http.StatusInternalServerError,
		message: "Failed to encode PlantUML code",
		meaning: "the text is not valid Unicode"}
	internalError = &problem{code: "INTERNAL_ERROR", status: http.StatusInternalServerError,
		message: "Internal server error",
		meaning: "the request is not JSON, or the service has a defect"}
	notFound = &problem{code: "NOT_FOUND", status: http.StatusNotFound,
		message: "Route not found",
		meaning: "there is nothing at this path"}
)

// problems is the closed list, in the contract's order.
var problems = []*problem{
	emptyCode, toolNameRequired, toolNotFound, methodNotAllowed, codeTooLarge, encodingFailed, internalError, notFound,
}

// maxToolName is how many characters of an unknown tool's name are repeated to
// the caller (section 4).
const maxToolName = 100

// naming returns p with its message completed by a name.
func (p *problem) naming(name string) *problem {
	named := *p
	named.message = fmt.Sprintf(p.message, bounded.Runes(name, maxToolName))
	return &named
}

// because returns p with a cause for the log. The cause must not hold any of
// the diagram's text (section 10).
func (p *problem) because(cause error) *problem {
	explained := *p
	explained.cause = cause
	return &explained
}

// recovered, deferred, turns a panic into a problem.
func recovered(bad **problem) {
	value := recover()
	if value == nil {
		return
	}
	// Only the runtime's own words are known to hold no text of the caller.
	cause := fmt.Errorf("panic with a value of type %T", value)
	var fault runtime.Error
	if err, ok := value.(error); ok && errors.As(err, &fault) {
		cause = fmt.Errorf("panic: %w", fault)
	}
	*bad = internalError.because(cause)
	(*bad).stack = string(debug.Stack())
}

// attrs is what the log says about a problem.
func (p *problem) attrs() []slog.Attr {
	attrs := []slog.Attr{slog.String("error", p.code)}
	if p.cause != nil {
		attrs = append(attrs, slog.String("cause", p.cause.Error()))
	}
	if p.stack != "" {
		attrs = append(attrs, slog.String("stack", p.stack))
	}
	return attrs
}

// level tells our own defects from what callers do wrong, which the status does
// not (P5).
func (p *problem) level() slog.Level {
	if p.stack != "" {
		return slog.LevelError
	}
	return slog.LevelWarn
}
