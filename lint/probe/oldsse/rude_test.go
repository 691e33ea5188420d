package oldsse_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/rules/sse"
)

// rude counts its sessions, takes messages from everywhere, does not answer to
// sessions that it does not know, and accepts with 200.
type rude struct {
	mu       sync.Mutex
	sessions []chan string
}

func (s *rude) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/sse" && r.Method == http.MethodGet:
		s.stream(w, r)
	case r.URL.Path == "/messages":
		s.take(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *rude) stream(w http.ResponseWriter, r *http.Request) {
	out := make(chan string, 16)
	s.mu.Lock()
	s.sessions = append(s.sessions, out)
	n := len(s.sessions)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "event: endpoint\ndata: /messages?session=%d\n\n", 80+n)
	for {
		w.(http.Flusher).Flush()
		select {
		case message := <-out:
			fmt.Fprintf(w, "event: message\ndata: %s\n\n", message)
		case <-r.Context().Done():
			return
		}
	}
}

func (s *rude) take(w http.ResponseWriter, r *http.Request) {
	var n int
	_, _ = fmt.Sscan(r.URL.Query().Get("session"), &n)
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	if n -= 81; n < 0 || n >= len(s.sessions) {
		s.mu.Unlock()
		<-r.Context().Done()
		s.mu.Lock()
		return
	}
	if id := rawjson.Member(body, "id"); id != nil {
		s.sessions[n] <- `{"jsonrpc":"2.0","id":` + string(id) + `,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"rude","version":"1"}}}`
	}
}

// What is wrong with a server is found by asking it (SSE-005, 006, 007, 009).
func TestRudeServer(t *testing.T) {
	server := httptest.NewServer(&rude{})
	t.Cleanup(server.Close)
	report := lint.Run(probed(t, server.URL+"/sse"), sse.Rules(), lint.Options{})
	var found []string
	for _, f := range report.Findings {
		found = append(found, fmt.Sprintf("%v %s %v: %s", f.Severity, f.RuleID, f.Subject, f.Message))
	}
	want := []string{
		"error SSE-006 server: a message to an unknown session is not answered",
		"error SSE-007 method GET: a request with a foreign Origin is served with HTTP status 200",
		"error SSE-007 method POST: a request with a foreign Origin is served with HTTP status 200",
		"warning SSE-009 server: the sessions in the endpoint count up",
		"info SSE-005 server: a message is accepted with HTTP status 200, not 202",
	}
	if !slices.Equal(found, want) {
		t.Errorf("found %q", found)
	}
}
