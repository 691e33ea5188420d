package commitsvc

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// A Failure is a request that the service did not grant, or that did not reach
// it.
type Failure struct {
	Code    string // of the service; empty if it gave none
	Status  int    // of HTTP; 0 if there was no answer
	Message string
	Details json.RawMessage
	// RetryAfter is what the service asked for.
	RetryAfter time.Duration
	Err        error
}

func (f *Failure) Error() string {
	switch {
	case f.Code != "":
		return fmt.Sprintf("commit service: %s: %s", f.Code, f.Message)
	case f.Status != 0:
		return fmt.Sprintf("commit service: %s (status %d)", f.Message, f.Status)
	}
	return "commit service: " + f.Message
}

func (f *Failure) Unwrap() error { return f.Err }

// ErrorCode is the launcher's own code for the failure (3.6).
func (f *Failure) ErrorCode() string {
	switch {
	case f.Code == ApprovalRequired, f.Code == ApprovalDenied:
		return f.Code
	case f.Code == PathNotAllowed:
		return "COMMIT_SERVICE_PATH_NOT_ALLOWED"
	case f.Status == http.StatusUnauthorized, f.Status == http.StatusForbidden:
		return "COMMIT_SERVICE_AUTH_FAILED"
	case f.Status == http.StatusConflict:
		return "COMMIT_SERVICE_CONFLICT"
	case f.Status == http.StatusTooManyRequests:
		return "COMMIT_SERVICE_RATE_LIMITED"
	case f.Status == 0, f.again():
		return "COMMIT_SERVICE_NETWORK_FAILED"
	}
	return "COMMIT_SERVICE_ERROR"
}

// Retryable says whether the same request may be granted later.
func (f *Failure) Retryable() bool {
	return f.Status == 0 || f.Status == http.StatusTooManyRequests || f.Status >= 500
}

// Blocked says that nothing but a person can help: the run ends BLOCKED.
func (f *Failure) Blocked() bool {
	return f.Status == http.StatusUnauthorized || f.Status == http.StatusForbidden
}

// Resumable says that the run can be resumed on the site as it is now.
func (f *Failure) Resumable() bool { return f.Code == BaseMoved || f.Retryable() }

// again says whether the client itself tries again.
func (f *Failure) again() bool {
	return f.Status == 0 || f.Status == http.StatusTooManyRequests ||
		f.Status == http.StatusBadGateway || f.Status == http.StatusServiceUnavailable || f.Status == http.StatusGatewayTimeout
}
