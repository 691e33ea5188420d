package launch

import (
	"context"
	"crypto/rand"
	"sync"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

// A connection is what is kept for one client while it is there.
type connection struct {
	id    string
	calls *window
}

func (f *face) connect() any {
	return &connection{id: "conn_" + rand.Text(), calls: newWindow(f.cfg.CallsPerMinute, f.cfg.Now)}
}

// tokenShare is how many times the calls of a connection all connections with
// one token have together (14.5).
const tokenShare = 4

// limited lets a call through if its connection, or its token over HTTP, has not
// asked too much (14.2, 14.5).
func (f *face) limited(ctx context.Context, r *server.Request, next server.Handler) (mcp.Result, error) {
	from := r.Connection().(*connection)
	windows, limit := []*window{from.calls}, f.cfg.CallsPerMinute
	if f.cfg.HTTP {
		windows = append(windows, f.tokens.of(r.Principal()))
	}
	for _, calls := range windows {
		if wait, ok := calls.enter(); !ok {
			return nil, &Error{Code: RateLimited, Message: "too many calls in a minute", RetryAfter: wait, Details: map[string]any{"limit": limit}}
		}
		limit = tokenShare * f.cfg.CallsPerMinute
	}
	leave, ok := f.inside.Enter(from.id)
	if !ok {
		return nil, &Error{Code: RateLimited, Message: "too many calls at once", Details: map[string]any{"limit": f.cfg.InFlight}}
	}
	defer leave()
	return next(ctx, r)
}

// shares are the calls of tokens, by their names. These are the operator's, so
// there are few.
type shares struct {
	open func() *window

	mu     sync.Mutex
	byName map[string]*window
}

func (s *shares) of(name string) *window {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byName[name] == nil {
		if s.byName == nil {
			s.byName = map[string]*window{}
		}
		s.byName[name] = s.open()
	}
	return s.byName[name]
}
