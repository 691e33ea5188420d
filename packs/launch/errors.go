package launch

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"mcpworks/internal/nearest"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/run"
)

// A Code says what kind of error it is: data.code. The list is closed, and
// renaming one breaks clients (3.6).
type Code string

// The codes.
const (
	ParseError             Code = "PARSE_ERROR"
	InvalidRequest         Code = "INVALID_REQUEST"
	MethodNotFound         Code = "METHOD_NOT_FOUND"
	ToolNotFound           Code = "TOOL_NOT_FOUND"
	SchemaValidationFailed Code = "SCHEMA_VALIDATION_FAILED"
	InvalidInput           Code = "INVALID_INPUT"
	InvalidURL             Code = "INVALID_URL"
	UnsupportedSite        Code = "UNSUPPORTED_SITE"
	IdempotencyConflict    Code = "IDEMPOTENCY_CONFLICT"
	PathRejected           Code = "PATH_REJECTED"
	RunNotFound            Code = "RUN_NOT_FOUND"
	ArtifactNotFound       Code = "ARTIFACT_NOT_FOUND"
	RunCreationFailed      Code = "RUN_CREATION_FAILED"
	IllegalState           Code = "ILLEGAL_STATE"
	RunLocked              Code = "RUN_LOCKED"
	ResumeFailed           Code = "RESUME_FAILED"
	CancellationFailed     Code = "CANCELLATION_FAILED"
	EventChainBroken       Code = "EVENT_CHAIN_BROKEN"
	QueueFull              Code = "QUEUE_FULL"
	GateExecutionFailed    Code = "GATE_EXECUTION_FAILED"
	ToolchainMissing       Code = "TOOLCHAIN_MISSING"
	FixExhausted           Code = "FIX_EXHAUSTED"
	FixUnfixable           Code = "FIX_UNFIXABLE"
	FixNoDiff              Code = "FIX_NO_DIFF"
	AllowedPathsViolation  Code = "ALLOWED_PATHS_VIOLATION"
	PolicyViolation        Code = "POLICY_VIOLATION"
	BudgetExceeded         Code = "BUDGET_EXCEEDED"
	CommitServiceError     Code = "COMMIT_SERVICE_ERROR"
	LLMError               Code = "LLM_ERROR"
	RepoNotFound           Code = "REPO_NOT_FOUND"
	CloneFailed            Code = "CLONE_FAILED"
	Timeout                Code = "TIMEOUT"
	RateLimited            Code = "RATE_LIMITED"
	ShuttingDown           Code = "SHUTTING_DOWN"
	Cancelled              Code = "CANCELLED"
	Internal               Code = "INTERNAL"
)

// The exit codes of the command (14.15).
const (
	ExitOK       = 0
	ExitInvalid  = 2 // what was asked for is wrong, or cannot be done here
	ExitPolicy   = 3
	ExitExternal = 4 // somebody else is needed, and not there
	ExitInternal = 5
)

// A row is what a code means. The first error code is the usual one.
type row struct {
	errorCodes []string
	rpc        int
	retry      bool
	exit       int
}

// codes is the table of 3.6. METHOD_NOT_FOUND stands there as a rule only.
var codes = map[Code]row{
	ParseError:             {[]string{"MCP_PARSE_ERROR"}, jsonrpc.ParseError, false, ExitInvalid},
	InvalidRequest:         {[]string{"MCP_INVALID_REQUEST"}, jsonrpc.InvalidRequest, false, ExitInvalid},
	MethodNotFound:         {[]string{"MCP_METHOD_NOT_FOUND"}, jsonrpc.MethodNotFound, false, ExitInvalid},
	ToolNotFound:           {[]string{"MCP_TOOL_NOT_FOUND"}, jsonrpc.MethodNotFound, false, ExitInvalid},
	SchemaValidationFailed: {[]string{"SCHEMA_VALIDATION_FAILED"}, jsonrpc.InvalidParams, false, ExitInvalid},
	InvalidInput:           {[]string{"MCP_INVALID_INPUT"}, jsonrpc.InvalidParams, false, ExitInvalid},
	InvalidURL:             {[]string{"MCP_INVALID_URL"}, jsonrpc.InvalidParams, false, ExitInvalid},
	UnsupportedSite:        {[]string{"MCP_UNSUPPORTED_SITE"}, jsonrpc.InvalidParams, false, ExitInvalid},
	IdempotencyConflict:    {[]string{"MCP_IDEMPOTENCY_CONFLICT"}, jsonrpc.InvalidParams, false, ExitInvalid},
	PathRejected:           {[]string{"POLICY_PATH_TRAVERSAL", "POLICY_PATH_SUSPICIOUS"}, jsonrpc.InvalidParams, false, ExitInvalid},
	RunNotFound:            {[]string{"ORCHESTRATOR_RUN_NOT_FOUND"}, jsonrpc.InternalError, false, ExitInvalid},
	ArtifactNotFound:       {[]string{"ORCHESTRATOR_ARTIFACT_NOT_FOUND"}, jsonrpc.InternalError, false, ExitInvalid},
	RunCreationFailed:      {[]string{"ORCHESTRATOR_RUN_CREATION_FAILED"}, jsonrpc.InternalError, true, ExitInternal},
	IllegalState:           {[]string{"ORCHESTRATOR_ILLEGAL_STATE"}, jsonrpc.InternalError, false, ExitInvalid},
	RunLocked:              {[]string{"ORCHESTRATOR_RUN_LOCKED"}, jsonrpc.InternalError, true, ExitExternal},
	ResumeFailed:           {[]string{"ORCHESTRATOR_RESUME_FAILED"}, jsonrpc.InternalError, false, ExitInternal},
	CancellationFailed:     {[]string{"ORCHESTRATOR_CANCELLATION_FAILED"}, jsonrpc.InternalError, false, ExitInternal},
	EventChainBroken:       {[]string{"ORCHESTRATOR_EVENT_CHAIN_BROKEN"}, jsonrpc.InternalError, false, ExitInternal},
	QueueFull:              {[]string{"ORCHESTRATOR_QUEUE_FULL"}, jsonrpc.InternalError, true, ExitExternal},
	GateExecutionFailed:    {[]string{"VALIDATOR_GATE_EXECUTION_FAILED"}, jsonrpc.InternalError, false, ExitInternal},
	ToolchainMissing:       {[]string{"VALIDATOR_TOOL_MISSING"}, jsonrpc.InternalError, false, ExitExternal},
	FixExhausted:           {[]string{"FIXER_EXHAUSTED"}, jsonrpc.InternalError, false, ExitInvalid},
	FixUnfixable:           {[]string{"FIXER_UNFIXABLE"}, jsonrpc.InternalError, false, ExitInvalid},
	FixNoDiff:              {[]string{"FIXER_NO_DIFF"}, jsonrpc.InternalError, false, ExitInvalid},
	AllowedPathsViolation:  {[]string{"LINKER_ALLOWED_PATHS_VIOLATION"}, jsonrpc.InternalError, false, ExitPolicy},
	PolicyViolation: {[]string{"NETWORK_BLOCKED", "POLICY_FLOATING_REF_DETECTED", "POLICY_CHANGE_BUDGET_EXCEEDED", "POLICY_NETWORK_UNAUTHORIZED_HOST",
		"SECURITY_SECRET_LEAKED", "SECURITY_UNTRUSTED_EXECUTION"}, jsonrpc.InternalError, false, ExitPolicy},
	BudgetExceeded: {[]string{"BUDGET_EXCEEDED_RUNTIME", "BUDGET_EXCEEDED_LLM_CALLS", "BUDGET_EXCEEDED_LLM_TOKENS", "BUDGET_EXCEEDED_FILE_WRITES",
		"BUDGET_EXCEEDED_PATCH_ATTEMPTS"}, jsonrpc.InternalError, false, ExitPolicy},
	CommitServiceError: {[]string{"COMMIT_SERVICE_NETWORK_FAILED", "COMMIT_SERVICE_AUTH_FAILED", "COMMIT_SERVICE_PATH_NOT_ALLOWED", "COMMIT_SERVICE_CONFLICT",
		"COMMIT_SERVICE_RATE_LIMITED", "AG001_APPROVAL_REQUIRED", "AG001_APPROVAL_DENIED"}, jsonrpc.InternalError, false, ExitExternal},
	LLMError:     {[]string{"LLM_NETWORK_TIMEOUT", "LLM_RATE_LIMITED", "LLM_AUTH_FAILED", "LLM_OUTPUT_INVALID"}, jsonrpc.InternalError, false, ExitExternal},
	RepoNotFound: {[]string{"REPO_NOT_FOUND", "REPO_EMPTY"}, jsonrpc.InternalError, false, ExitExternal},
	CloneFailed:  {[]string{"REPO_SCOUT_CLONE_FAILED"}, jsonrpc.InternalError, false, ExitExternal},
	Timeout:      {[]string{"TOOL_TIMEOUT"}, jsonrpc.InternalError, true, ExitExternal},
	RateLimited:  {[]string{"MCP_RATE_LIMITED"}, jsonrpc.InternalError, true, ExitExternal},
	ShuttingDown: {[]string{"ORCHESTRATOR_SHUTTING_DOWN"}, jsonrpc.InternalError, true, ExitExternal},
	Cancelled:    {[]string{"ORCHESTRATOR_CANCELLED"}, jsonrpc.InternalError, false, ExitInvalid},
	Internal:     {[]string{"INTERNAL_UNEXPECTED"}, jsonrpc.InternalError, false, ExitInternal},
}

// An Error is the answer to a call that failed.
type Error struct {
	Code      Code
	ErrorCode string // one of the code's; empty means its usual one
	Message   string
	RunID     string
	// Retryable: the same may work later. The code's own word counts too.
	Retryable    bool
	RetryAfter   time.Duration // 0 means the usual pause
	Details      map[string]any
	SuggestedFix string
	Tool         string
	RequestID    string
	Cause        error // for the log
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// ExitCode is what the command exits with.
func (e *Error) ExitCode() int {
	if e.ErrorCode != "" {
		return ExitCodeOf(e.ErrorCode)
	}
	return codes[e.Code].exit
}

// exits are those of error codes that differ from their rows, and of faults of
// runs that are in none.
var exits = map[string]int{"REPO_EMPTY": ExitInvalid, pipeline.CodeConfig: ExitInvalid, run.CodeFull: ExitExternal}

// ExitCodeOf is what the command exits with for an error_code.
func ExitCodeOf(errorCode string) int {
	if exit, named := exits[errorCode]; named {
		return exit
	}
	for _, row := range codes {
		if slices.Contains(row.errorCodes, errorCode) {
			return row.exit
		}
	}
	return ExitInternal
}

func (e *Error) errorCode() string { return cmp.Or(e.ErrorCode, codes[e.Code].errorCodes[0]) }

func (e *Error) retryable() bool { return e.Retryable || codes[e.Code].retry }

// usualPause is what a caller waits before he tries again for the first time.
const usualPause = time.Second

type errorData struct {
	ErrorCode    string         `json:"error_code"`
	Code         Code           `json:"code"`
	ToolName     string         `json:"tool_name,omitempty"`
	RunID        string         `json:"run_id,omitempty"`
	Retryable    bool           `json:"retryable"`
	Retry        *retry         `json:"retry,omitempty"`
	Details      map[string]any `json:"details"`
	SuggestedFix string         `json:"suggested_fix,omitempty"`
	RequestID    string         `json:"request_id,omitempty"`
	URI          string         `json:"uri,omitempty"` // of a resource that is not there
}

type retry struct {
	Strategy    string `json:"strategy"`
	AfterMillis int64  `json:"after_ms"`
	MaxAttempts int    `json:"max_attempts"`
}

func (e *Error) data() errorData {
	data := errorData{
		ErrorCode: e.errorCode(), Code: e.Code, ToolName: e.Tool, RunID: e.RunID, Retryable: e.retryable(), Details: e.Details,
		SuggestedFix: e.SuggestedFix, RequestID: e.RequestID,
	}
	if data.Details == nil {
		data.Details = map[string]any{}
	}
	if data.Retryable {
		data.Retry = &retry{"exponential", cmp.Or(e.RetryAfter, usualPause).Milliseconds(), 5}
	}
	return data
}

// wire is the error as JSON-RPC has it. Its cause is logged by then.
func (e *Error) wire() *jsonrpc.Error {
	wire := &jsonrpc.Error{Code: codes[e.Code].rpc, Message: e.Message, Data: e.data()}
	if e.Code == RateLimited {
		wire.Cause = server.ErrBusy // over HTTP it is 429 (18.17)
	}
	return wire
}

// A violation is one way in which arguments are wrong.
type violation struct {
	Path    string `json:"path"`
	Keyword string `json:"keyword"`
	Message string `json:"message"`
}

// violated is the error of an argument that the schema cannot judge.
func (c *call) violated(path, keyword, message string) error {
	return invalidArguments(c.tool, []server.Violation{{Path: path, Keyword: keyword, Message: message}})
}

// invalidArguments lists all violations (S-31).
func invalidArguments(tool string, found []server.Violation) *Error {
	e := &Error{Code: SchemaValidationFailed, Message: "invalid arguments for " + tool, Details: map[string]any{"violations": listed(found)}}
	if known, _, ok := find(tool); ok {
		e.SuggestedFix = known.example
	}
	return e
}

func listed(found []server.Violation) []violation {
	list := []violation{}
	for _, v := range found {
		list = append(list, violation{v.Path, v.Keyword, v.Message})
	}
	return list
}

// maxName is how much of a name that does not exist is repeated.
const maxName = 64

// unknownTool names the tool, and what was probably meant (C-4).
func unknownTool(name string) *Error {
	e := &Error{Code: ToolNotFound, Details: map[string]any{"close_names": []string{}}, SuggestedFix: "call tools/list to see all tools"}
	shown := []rune(name)
	e.Message = fmt.Sprintf("there is no tool %q", string(shown[:min(len(shown), maxName)]))
	current := slices.DeleteFunc(Tools(), func(tool string) bool {
		_, deprecated, _ := find(tool)
		return deprecated
	})
	if near, ok := nearest.Name(name, current); ok {
		e.Details["close_names"] = []string{near}
		e.SuggestedFix = "did you mean " + near + "?"
	}
	return e
}

var runIDForm = regexp.MustCompile(`^[a-zA-Z0-9_-]{8,64}$`)

// isFailure says whether an error is one of the list, and returns it.
func isFailure(err error) (*Error, bool) { return errors.AsType[*Error](err) }
