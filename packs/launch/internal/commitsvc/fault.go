package commitsvc

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/patch"
)

// The codes of the service (11.2).
const (
	InvalidRequest      = "INVALID_REQUEST"
	KeyInvalid          = "IDEMPOTENCY_KEY_INVALID"
	InvalidToken        = "AUTH_INVALID_TOKEN"
	InsufficientScope   = "AUTH_INSUFFICIENT_SCOPE"
	PathNotAllowed      = "PATH_NOT_ALLOWED"
	ApprovalRequired    = "AG001_APPROVAL_REQUIRED"
	ApprovalDenied      = "AG001_APPROVAL_DENIED"
	BranchExists        = "BRANCH_EXISTS"
	BaseMoved           = "BASE_MOVED"
	IdempotencyMismatch = "IDEMPOTENCY_MISMATCH"
	PatchConflict       = "PATCH_CONFLICT"
	TooLarge            = "TOO_LARGE"
	BinaryNotAllowed    = "BINARY_NOT_ALLOWED"
	RateLimited         = "RATE_LIMITED"
	Unavailable         = "UNAVAILABLE"
	Internal            = "INTERNAL"
)

var statuses = map[string]int{
	InvalidRequest: http.StatusBadRequest, KeyInvalid: http.StatusBadRequest,
	InvalidToken:      http.StatusUnauthorized,
	InsufficientScope: http.StatusForbidden, PathNotAllowed: http.StatusForbidden,
	ApprovalRequired: http.StatusForbidden, ApprovalDenied: http.StatusForbidden,
	BranchExists: http.StatusConflict, BaseMoved: http.StatusConflict, IdempotencyMismatch: http.StatusConflict, PatchConflict: http.StatusConflict,
	TooLarge: http.StatusRequestEntityTooLarge, BinaryNotAllowed: http.StatusUnsupportedMediaType,
	RateLimited: http.StatusTooManyRequests, Unavailable: http.StatusServiceUnavailable, Internal: http.StatusInternalServerError,
}

// A fault is a request that is not granted.
type fault struct {
	code    string
	message string
	details any
	retry   time.Duration // for RateLimited
	cause   error         // for the log
}

func (f *fault) Error() string { return f.code + ": " + f.message }
func (f *fault) Unwrap() error { return f.cause }

func refuse(code, format string, args ...any) *fault {
	return &fault{code: code, message: fmt.Sprintf(format, args...)}
}

// faultOf finds the answer to an error. What is not foreseen is our own fault,
// and its text stays here.
func faultOf(err error) *fault {
	if f, ok := errors.AsType[*fault](err); ok {
		return f
	}
	if refusal, ok := fence.Refused(err); ok {
		return &fault{code: PathNotAllowed, message: refusal.Error(), details: map[string]any{"path": refusal.Path, "reason": string(refusal.Code)}}
	}
	if conflict, ok := errors.AsType[*patch.ConflictError](err); ok {
		return conflictFault(conflict)
	}
	switch gitrepo.KindOf(err) {
	case gitrepo.Refused:
		return &fault{code: PathNotAllowed, message: "the base has something else than a plain file there", cause: err}
	case gitrepo.TooLarge:
		return &fault{code: TooLarge, message: "the files are too large", cause: err}
	case gitrepo.UnknownRef:
		return &fault{code: BaseMoved, message: "the repository does not have the base", cause: err}
	case gitrepo.Network, gitrepo.TimedOut, gitrepo.Cancelled:
		return &fault{code: Unavailable, message: "the repository could not be reached in time", cause: err}
	}
	return &fault{code: Internal, message: "internal error", cause: err}
}

// conflictFault tells files that are no text, or too long, from those that have
// changed.
func conflictFault(conflict *patch.ConflictError) *fault {
	f := &fault{code: PatchConflict, message: conflict.Error(), details: map[string]any{"conflicts": conflict.Conflicts}}
	switch conflict.Conflicts[0].Reason {
	case patch.BinaryTarget, patch.EncodingError:
		f.code = BinaryNotAllowed
	case patch.TooLarge:
		f.code = TooLarge
	}
	return f
}

// An errorBody is how the service says no.
type errorBody struct {
	SchemaVersion string          `json:"schema_version"`
	Code          string          `json:"code"`
	Message       string          `json:"message"`
	Details       json.RawMessage `json:"details"`
}

func (f *fault) write(w http.ResponseWriter) {
	details, err := json.Marshal(f.details)
	if err != nil {
		details = []byte("null")
	}
	if f.code == RateLimited {
		w.Header().Set("Retry-After", strconv.Itoa(int((f.retry+time.Second-1)/time.Second)))
	}
	if f.code == InvalidToken {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	writeJSON(w, statuses[f.code], errorBody{Version, f.code, f.message, details})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // whoever has gone asks again
}
