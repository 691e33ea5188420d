package crooked

import (
	"net/http"
	"sync"

	"mcpworks/mcp"
)

// A head changes the head of a response.
type head struct {
	http.ResponseWriter
	change func(status int) int
	sent   bool
}

func (h *head) WriteHeader(status int) {
	h.sent = true
	h.ResponseWriter.WriteHeader(h.change(status))
}

func (h *head) Write(p []byte) (int, error) {
	if !h.sent {
		h.WriteHeader(http.StatusOK)
	}
	return h.ResponseWriter.Write(p)
}

func (h *head) FlushError() error { return http.NewResponseController(h.ResponseWriter).Flush() }

// Unwrap implements what http.ResponseController looks for.
func (h *head) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// header sets a field of responses.
func header(about pick, name, value string) middleware {
	return picked(about, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(&head{ResponseWriter: w, change: func(status int) int {
			w.Header().Set(name, value)
			return status
		}}, r)
	})
}

// statusOf changes the status of responses.
func statusOf(about func(r *http.Request, status int) bool, to int) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(&head{ResponseWriter: w, change: func(status int) int {
				if about(r, status) {
					return to
				}
				return status
			}}, r)
		})
	}
}

// sessionIDs writes the ids of sessions otherwise, given how many there were. If
// they are unsayable, a client that sends none back means the last.
func sessionIDs(unsayable bool, write func(id string, n int) string) middleware {
	var mu sync.Mutex
	own, last := map[string]string{}, ""
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			if id := own[r.Header.Get(sessionHeader)]; id != "" {
				r.Header.Set(sessionHeader, id)
			} else if unsayable && last != "" && r.Header.Get(sessionHeader) == "" && methodOf([]byte(bodyOf(r))) != mcp.MethodInitialize {
				r.Header.Set(sessionHeader, last)
			}
			mu.Unlock()
			next.ServeHTTP(&head{ResponseWriter: w, change: func(status int) int {
				mu.Lock()
				defer mu.Unlock()
				if id := w.Header().Get(sessionHeader); id != "" {
					other := write(id, len(own))
					own[other], last = id, id
					w.Header().Set(sessionHeader, other)
				}
				return status
			}}, r)
		})
	}
}
