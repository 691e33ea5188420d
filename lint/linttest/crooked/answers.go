package crooked

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mcpworks/mcp"
)

// overheard says something on all streams that a session has opened with GET,
// when it is asked something: what to say is made of the answer.
func overheard(about pick, say func(answer string) string) middleware {
	var mu sync.Mutex
	open := map[string][]*tap{}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			session := r.Header.Get(sessionHeader)
			switch {
			case r.Method == http.MethodGet:
				t := &tap{ResponseWriter: w}
				mu.Lock()
				open[session] = append(open[session], t)
				mu.Unlock()
				defer t.close()
				next.ServeHTTP(t, r)
			case about(r, bodyOf(r)):
				kept := recorded(next, r)
				mu.Lock()
				for _, t := range open[session] {
					t.say(say(kept.Body.String()))
				}
				mu.Unlock()
				for name, values := range kept.Header() {
					w.Header()[name] = values
				}
				w.WriteHeader(kept.Code)
				_, _ = w.Write(kept.Body.Bytes())
			default:
				next.ServeHTTP(w, r)
			}
		})
	}
}

// A tap is a stream on which others can say something.
type tap struct {
	http.ResponseWriter
	mu     sync.Mutex
	closed bool
}

func (t *tap) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ResponseWriter.Write(p)
}

// FlushError implements what http.ResponseController looks for.
func (t *tap) FlushError() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return http.NewResponseController(t.ResponseWriter).Flush()
}

// Unwrap implements what http.ResponseController looks for.
func (t *tap) Unwrap() http.ResponseWriter { return t.ResponseWriter }

func (t *tap) say(message string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		_, _ = io.WriteString(t.ResponseWriter, "data: "+message+"\n\n")
		_ = http.NewResponseController(t.ResponseWriter).Flush()
	}
}

func (t *tap) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
}

// replayAll answers who comes back with the event that was the last one.
func replayAll(next http.Handler) http.Handler {
	return picked(func(r *http.Request, _ string) bool { return r.Header.Get("Last-Event-Id") != "" }, func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		asEvents(w)
		_, _ = io.WriteString(w, "id: "+r.Header.Get("Last-Event-Id")+"\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n")
	})(next)
}

// recorded is the whole response of a handler to a request.
func recorded(next http.Handler, r *http.Request) *httptest.ResponseRecorder {
	kept := httptest.NewRecorder()
	next.ServeHTTP(kept, r)
	return kept
}

// asEvents begins a stream.
func asEvents(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
}

// events answers with the text of a stream; if answered, %s stands for the
// answer.
func events(about pick, text string, answered bool) middleware {
	return picked(about, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		answer := recorded(next, r).Body.String()
		asEvents(w)
		if answered {
			_, _ = io.WriteString(w, strings.ReplaceAll(text, "%s", answer))
		} else {
			_, _ = io.WriteString(w, text)
		}
	})
}

// numbered is events with a number that is never used again.
func numbered(about pick, text string) middleware {
	var last atomic.Int64
	return picked(about, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		answer := recorded(next, r).Body.String()
		asEvents(w)
		text := strings.ReplaceAll(text, "%d", "n"+strconv.FormatInt(last.Add(1), 10))
		_, _ = io.WriteString(w, strings.ReplaceAll(text, "%s", answer))
	})
}

// streamed answers with a stream whatever is accepted.
func streamed(about func(*http.Request) bool) middleware {
	return picked(func(r *http.Request, _ string) bool { return about(r) }, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		r.Header.Set("Accept", "application/json, text/event-stream")
		answer := recorded(next, r).Body.String()
		asEvents(w)
		_, _ = io.WriteString(w, "data: "+answer+"\n\n")
	})
}

// linger leaves the stream of an answer open.
func linger(about pick) middleware {
	return picked(about, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		answer := recorded(next, r).Body.String()
		asEvents(w)
		_, _ = io.WriteString(w, "data: "+answer+"\n\n")
		_ = http.NewResponseController(w).Flush()
		timer := time.NewTimer(10 * time.Second)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
		}
	})
}

// redirect has a message make a detour.
func redirect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if methodOf([]byte(bodyOf(r))) == mcp.MethodListPrompts && r.URL.RawQuery == "" {
			http.Redirect(w, r, r.URL.Path+"?again", http.StatusTemporaryRedirect)
			return
		}
		next.ServeHTTP(w, r)
	})
}
