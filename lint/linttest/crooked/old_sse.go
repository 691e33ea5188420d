package crooked

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

var sseFaults = []Fault{
	{Rule: "SSE-001", Web: firstEvent(func(text string) string { return "event: ping\ndata: {}\n\n" + text })},
	{Rule: "SSE-002", Mute: true, Web: firstEvent(func(text string) string { return strings.Replace(text, "data: /", "data: http://evil.example/", 1) })},
	{Rule: "SSE-003", Web: firstEvent(func(text string) string { return strings.Replace(text, "/sse?", "/sse?für=dich&", 1) })},
	{Rule: "SSE-004", Web: laterEvents("event: message\n", "event: answer\n")},
	{Rule: "SSE-005", Web: statusOf(func(r *http.Request, s int) bool { return s == http.StatusAccepted && r.URL.Path == SSEPath }, http.StatusOK)},
	{Rule: "SSE-006", Web: statusOf(func(r *http.Request, s int) bool { return s == http.StatusNotFound && r.URL.Query().Has("session") }, http.StatusOK)},
	{Rule: "SSE-007", Web: request(func(r *http.Request) bool { return r.Header.Get("Origin") == "http://evil.example" }, func(r *http.Request) { r.Header.Del("Origin") })},
	{Rule: "SSE-008", Web: status(func(r *http.Request, _ string) bool { return r.URL.Path == StreamablePath }, http.StatusNotFound)},
	{Rule: "SSE-009", Web: countStreams()},
	{Rule: "SSE-010", Mute: true, Web: header(method(http.MethodGet), "Content-Type", "text/plain")},
}

// An eventWriter changes what is written to a stream, event by event.
type eventWriter struct {
	http.ResponseWriter
	change func(n int, event string) string
	n      int
}

func (w *eventWriter) Write(p []byte) (int, error) {
	w.n++
	if _, err := io.WriteString(w.ResponseWriter, w.change(w.n, string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Unwrap implements what http.ResponseController looks for.
func (w *eventWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// firstEvent changes the first event of a stream.
func firstEvent(change func(event string) string) middleware {
	return picked(method(http.MethodGet), func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(&eventWriter{ResponseWriter: w, change: func(n int, event string) string {
			if n == 1 {
				return change(event)
			}
			return event
		}}, r)
	})
}

// laterEvents replaces a text in all events but the first.
func laterEvents(old, by string) middleware {
	return picked(method(http.MethodGet), func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(&eventWriter{ResponseWriter: w, change: func(n int, event string) string {
			if n == 1 {
				return event
			}
			return strings.ReplaceAll(event, old, by)
		}}, r)
	})
}

// countStreams names sessions by numbers.
func countStreams() middleware {
	var mu sync.Mutex
	var last atomic.Int64
	own := map[string]string{}
	return func(next http.Handler) http.Handler {
		number := firstEvent(func(event string) string {
			_, id, _ := strings.Cut(strings.TrimSpace(event), "session=")
			n := strconv.FormatInt(last.Add(1), 10)
			mu.Lock()
			defer mu.Unlock()
			own[n] = id
			return strings.Replace(event, id, n, 1)
		})(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			if id := own[r.URL.Query().Get("session")]; id != "" {
				r.URL.RawQuery = "session=" + id
			}
			mu.Unlock()
			number.ServeHTTP(w, r)
		})
	}
}
