package launch

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/run"
)

// A call is one use of a tool.
type call struct {
	tool       string
	requestID  string
	connection string
	identity   string          // of the token, over HTTP
	arguments  json.RawMessage // an object that fits the schema
	progress   func(ctx context.Context, done, total float64, message string)
}

// newRequestID names a call in answers, logs and records.
func newRequestID() string { return "req_" + rand.Text() }

// Call does what a tool does, for callers in this process. The answer is what a
// client gets as structured content, as canonical JSON. The error is an *Error.
func (l *Launcher) Call(ctx context.Context, tool string, arguments json.RawMessage) (json.RawMessage, error) {
	c := &call{tool: tool, requestID: newRequestID(), connection: "local", arguments: arguments}
	found, _, ok := find(tool)
	if !ok {
		return nil, l.explain(c, unknownTool(tool))
	}
	if len(c.arguments) == 0 {
		c.arguments = json.RawMessage("{}")
	}
	value, err := rawjson.Decode(c.arguments)
	if err != nil {
		return nil, l.explain(c, c.violated("", "type", "must be JSON"))
	}
	if violations := l.inputs[tool].Validate(value); len(violations) > 0 {
		return nil, l.explain(c, invalidArguments(tool, violations))
	}
	answer, err := l.perform(ctx, found, c)
	if err != nil {
		return nil, l.explain(c, err)
	}
	return answer, nil
}

// perform does the operation of a call in the time that it has. When that runs
// out, or when nobody wants the answer any more, it returns at once; the
// operation notices by its context (14.3, 14.4).
func (l *Launcher) perform(ctx context.Context, e entry, c *call) (json.RawMessage, error) {
	began := l.cfg.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, l.timeout[c.tool], errTimeout)
	defer cancel()
	defer context.AfterFunc(l.going, cancel)()
	var answer json.RawMessage
	done := make(chan error, 1)
	l.atWork.Go(func() {
		done <- guard(func() error {
			value, err := e.do(ctx, l, c)
			if err == nil {
				answer, err = artifact.Canonical(value)
			}
			return err
		})
	})
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil && errors.Is(context.Cause(ctx), errTimeout) {
		return nil, &Error{
			Code: Timeout, Message: fmt.Sprintf("%s did not end within %v", c.tool, l.timeout[c.tool]), Cause: err,
			Details: map[string]any{"elapsed_ms": l.cfg.Now().Sub(began).Milliseconds(), "operation_continues": e.continues},
		}
	}
	if err != nil {
		return nil, err
	}
	return answer, nil
}

var errTimeout = errors.New("the call took too long")

// guard makes a panic an error, for the log (14.11).
func guard(work func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return work()
}

func (c *call) caller() operate.Caller {
	return operate.Caller{Connection: c.connection, Request: c.requestID, Identity: c.identity}
}

// decode reads the arguments. The schema lets 50.0 pass for an integer, Go does
// not.
func (c *call) decode(into any) error {
	err := json.Unmarshal(c.arguments, into)
	wrong := (*json.UnmarshalTypeError)(nil)
	if errors.As(err, &wrong) {
		return c.violated("/"+strings.ReplaceAll(wrong.Field, ".", "/"), "type", "must be written as a plain "+wrong.Type.String())
	}
	return err
}

// only returns the one of the names that is among the arguments, and nothing if
// there are none or several.
func (c *call) only(names ...string) (one string) {
	for _, name := range names {
		if rawjson.Member(c.arguments, name) == nil {
			continue
		}
		if one != "" {
			return ""
		}
		one = name
	}
	return one
}

// checkName refuses a name that cannot be one of a file of ours, before any file
// is touched (3.3).
func (c *call) checkName(path, name string) error {
	reject := func(errorCode, why string) error {
		return &Error{Code: PathRejected, ErrorCode: errorCode, Message: strings.TrimPrefix(path, "/") + " " + why,
			Details: map[string]any{"violations": []violation{{path, "pattern", why}}}}
	}
	segments := strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '\\' })
	for _, segment := range segments {
		if segment == "." || segment == ".." {
			return reject("POLICY_PATH_TRAVERSAL", "must not lead out of its folder")
		}
	}
	switch {
	case strings.HasPrefix(name, "/"), strings.Contains(name, `\`):
		return reject("POLICY_PATH_TRAVERSAL", "must be relative, with slashes")
	case strings.ContainsAny(name, "\x00%~$"):
		return reject("POLICY_PATH_SUSPICIOUS", "must not have characters that some readers expand")
	case run.CheckName(name) != nil:
		return c.violated(path, "pattern", run.ErrName.Error())
	}
	return nil
}

// label is the name of the tool, or what stands for all that do not exist.
func (c *call) label() string {
	if _, _, ok := find(c.tool); ok {
		return c.tool
	}
	return "_unknown"
}

// runID is the run that the call is about, if it names one well.
func (c *call) runID() string {
	id, _ := rawjson.String(rawjson.Member(c.arguments, "run_id"))
	if !runIDForm.MatchString(id) {
		return ""
	}
	return id
}
