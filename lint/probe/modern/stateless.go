package modern

import (
	"context"

	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
)

// beginWithLists asks for lists before and after server/discover.
func beginWithLists(ctx context.Context, s *wire.Server) {
	t := open(ctx, s, step.Stateless)
	defer t.Close()
	methods := lists(s.Modern())
	for i, method := range methods {
		if i == 0 {
			askFirst(s, t, step.List, method, method, "")
		} else {
			t.Ask(step.List, method, method, "")
		}
	}
	t.Discover()
	for _, method := range methods {
		t.Ask(step.ListAgain, method, method, "")
	}
}
