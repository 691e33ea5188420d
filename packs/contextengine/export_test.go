package contextengine

import (
	"context"
	"slices"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

// MaxCalls is how many calls are at work at once.
const MaxCalls = maxCalls

// NewV0With returns the frozen server with one more tool, work, that does what a
// test wants.
func NewV0With(cfg Config, work func(context.Context) ([]byte, error)) (*server.Server, error) {
	e, err := New(cfg)
	if err != nil {
		return nil, err
	}
	return server.New(e.optionsV0(append(slices.Clone(tools), &tool{
		Tool:    mcp.Tool{Name: "work", Description: "For tests."},
		inputV0: noArguments,
		find:    func(_ *Engine, ctx context.Context, _ arguments, _ int) ([]byte, error) { return work(ctx) },
	})))
}

// BreakV0 makes the frozen server panic outside its tools, at a ping.
func BreakV0(cfg Config) (*server.Server, error) {
	e, err := New(cfg)
	if err != nil {
		return nil, err
	}
	opts := e.optionsV0(tools)
	opts.Middleware = append(opts.Middleware, func(next server.Handler) server.Handler {
		return func(ctx context.Context, r *server.Request) (mcp.Result, error) {
			if r.Method() == mcp.MethodPing {
				panic("broken")
			}
			return next(ctx, r)
		}
	})
	return server.New(opts)
}
