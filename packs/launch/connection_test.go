package launch_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport"
	"mcpworks/packs/launch"
)

// S-41, 14.5: over HTTP a call counts for its session, and for its token.
func TestS41Tokens(t *testing.T) {
	h := newHouse(t, launch.Config{Now: func() time.Time { return noon }, CallsPerMinute: 3, HTTP: true}, nil, false)
	srv := h.server(t)
	for who, want := range map[string]int{"ci": 12, "someone": 12} {
		passed := 0
		for session := range 5 {
			inSession := 0
			for _, r := range callInSession(t, srv, who, 4) {
				if r.Error == nil {
					inSession++
					continue
				}
				r.wants(t, -32603, "MCP_RATE_LIMITED")
			}
			if passed += inSession; inSession > 3 {
				t.Errorf("S-41: %d calls pass in session %d", inSession, session)
			}
		}
		if passed != want {
			t.Errorf("14.5: %d calls of %s pass", passed, who)
		}
	}
}

// callInSession calls a tool some times as HTTP does: in one session, for a
// principal.
func callInSession(t *testing.T, srv *server.Server, principal string, times int) (replies []reply) {
	t.Helper()
	session := srv.Open(func([]byte) error { return nil })
	defer session.Close()
	session.Assume(mcp.V20251125)
	for n := range times {
		var out answers
		session.Handle(t.Context(), transport.Incoming{
			Message:   jsonrpc.Message{ID: jsonrpc.IntID(int64(n)), Method: "tools/call", Params: []byte(`{"name":"list_taskcards"}`)},
			Principal: principal,
		}, &out)
		replies = append(replies, out...)
	}
	return replies
}

// answers are those that an outlet got.
type answers []reply

func (a *answers) Notify(context.Context, []byte) error { return nil }

func (a *answers) Answer(_ context.Context, msg []byte, _ transport.Outcome) error {
	var r reply
	err := json.Unmarshal(msg, &r)
	*a = append(*a, r)
	return err
}

// S-46, 14.8: connections of one server have names of their own.
func TestS46ConnectionsHaveNames(t *testing.T) {
	var log lockedLog
	h := newHouse(t, launch.Config{Log: slog.New(slog.NewJSONHandler(&log, nil))}, nil, false)
	for range 3 {
		s := h.open(t)
		s.call("list_runs", "{}")
		s.call("list_taskcards", "{}")
		s.hangUp()
	}
	calls := map[string]int{}
	for line := range strings.Lines(log.String()) {
		var told struct {
			Msg        string
			Connection string `json:"connection_id"`
		}
		if err := json.Unmarshal([]byte(line), &told); err != nil {
			t.Fatal(err)
		}
		if told.Msg == "tool call" {
			calls[told.Connection]++
		}
	}
	if got := slices.Sorted(maps.Values(calls)); !slices.Equal(got, []int{2, 2, 2}) || calls[""] != 0 {
		t.Errorf("the calls of connections are %v", calls)
	}
}

// A lockedLog is written to by several goroutines.
type lockedLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
