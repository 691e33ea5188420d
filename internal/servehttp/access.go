package servehttp

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"mcpworks/internal/bounded"
)

const headerRequestID = "X-Request-Id"

type requestIDKey struct{}

// RequestID returns the id that Stack gave the request of a context, empty if
// it gave none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// identify gives every request a random id. None is taken from outside: two
// callers could choose the same, or one with a meaning for whoever reads logs.
func identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := rand.Text()
		w.Header().Set(headerRequestID, id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id)))
	})
}

// maxPath is how much of a path is logged.
const maxPath = 200

// accessLog writes one line per request, without its query and its headers. A
// handler that panics is answered with 500.
func accessLog(log *slog.Logger, quiet []string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start := time.Now()
			rec := &recorder{ResponseWriter: w}
			defer func() {
				level := slog.LevelInfo
				if slices.Contains(quiet, r.URL.Path) {
					level = slog.LevelDebug
				}
				log.LogAttrs(r.Context(), level, "request",
					slog.String("method", bounded.Runes(r.Method, 16)), slog.String("path", bounded.Runes(r.URL.Path, maxPath)),
					slog.Int("status", rec.status()), slog.Int64("bytes", rec.bytes), slog.Duration("duration", time.Since(start)),
					slog.String("remote", r.RemoteAddr), slog.String("request_id", RequestID(r.Context())))
			}()
			defer answerPanic(log, rec, r)
			next.ServeHTTP(rec, r)
		})
	}
}

// answerPanic, deferred, turns a defect into an answer, unless there is one
// already: then the connection is cut, so that half an answer is not taken for
// a whole one.
func answerPanic(log *slog.Logger, rec *recorder, r *http.Request) {
	cause := recover()
	switch {
	case cause == nil:
		return
	case cause == http.ErrAbortHandler:
		panic(cause)
	}
	log.Error("handler panicked", "panic", cause, "stack", string(debug.Stack()), "request_id", RequestID(r.Context()))
	if rec.code != 0 {
		panic(http.ErrAbortHandler)
	}
	if isREST(r) {
		writeFailure(rec, http.StatusInternalServerError, "INTERNAL_ERROR", "Internal server error")
		return
	}
	http.Error(rec, "internal server error", http.StatusInternalServerError)
}

// A recorder notes what an answer was.
type recorder struct {
	http.ResponseWriter
	code  int // 0 before the header
	bytes int64
}

func (rec *recorder) WriteHeader(status int) {
	if rec.code == 0 && status >= http.StatusOK {
		rec.code = status
	}
	rec.ResponseWriter.WriteHeader(status)
}

func (rec *recorder) Write(b []byte) (int, error) {
	if rec.code == 0 {
		rec.code = http.StatusOK
	}
	n, err := rec.ResponseWriter.Write(b)
	rec.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (rec *recorder) Unwrap() http.ResponseWriter { return rec.ResponseWriter }

func (rec *recorder) status() int {
	if rec.code == 0 {
		return http.StatusOK // what net/http sends for a handler that says nothing
	}
	return rec.code
}
