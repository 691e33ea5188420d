package client_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"mcpworks/internal/mcptest/foreign"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/transport"
)

// TestMidstream has many callers in one session, some of whom give up, and ends
// it under them: each gets its own answer or an error, and nobody is left.
func TestMidstream(t *testing.T) {
	for _, rev := range []*mcp.Revision{mcp.V20250618, mcp.V20260728} {
		for _, w := range ways {
			if rev.Modern && !w.modern {
				continue
			}
			t.Run(rev.Version+"/"+w.name, func(t *testing.T) {
				t.Parallel()
				s := connect(t, w.target(t, foreign.Server(t)), make(events, 1000).options(rev))
				var callers sync.WaitGroup
				for i := range 20 {
					callers.Go(func() { insist(t, s, fmt.Sprint("caller ", i)) })
				}
				time.Sleep(100 * time.Millisecond)
				if err := s.Close(context.Background()); err != nil {
					t.Errorf("Close: %v", err)
				}
				callers.Wait()
			})
		}
	}
}

// insist makes calls until the session is over.
func insist(t *testing.T, s *client.Session, name string) {
	for i := 0; ; i++ {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.IntN(5000))*time.Microsecond)
		text := fmt.Sprint(name, " ", i)
		result, err := s.CallTool(ctx, []string{"echo", "sample", "report"}[i%3], map[string]any{"text": text})
		cancel()
		switch {
		case err == nil && i%3 == 0 && result.Content[0] != (mcp.Text{Text: text}):
			t.Errorf("%s got %v", text, result.Content)
		case errors.Is(err, transport.ErrClosed):
			return
		case err != nil && !errors.Is(err, context.DeadlineExceeded):
			t.Errorf("%s: %v", text, err)
			return
		}
	}
}
