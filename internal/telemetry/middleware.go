package telemetry

import (
	"context"
	"errors"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
)

// Middleware records what reaches the methods of a server, for
// server.Options.Middleware. A server that is wrapped by Service needs none:
// its requests would be counted twice.
func (p *Pack) Middleware() func(server.Handler) server.Handler {
	return func(next server.Handler) server.Handler {
		return func(ctx context.Context, r *server.Request) (mcp.Result, error) {
			inner, o := p.begin(ctx, request{
				method: r.Method(), name: r.Target(), id: r.ID(),
				meta: func(name string) []byte { return r.Meta(name) },
			})
			e := ending{outcome: OutcomeError, code: jsonrpc.InternalError, revision: r.Revision()} // if it panics
			defer func() { o.end(ctx, e) }()
			result, err := next(inner, r)
			e.outcome, e.code = outcomeOf(inner, r.Revision(), result, err)
			return result, err
		}
	}
}

// outcomeOf sorts what a handler returned.
func outcomeOf(ctx context.Context, rev *mcp.Revision, result mcp.Result, err error) (Outcome, int) {
	var wire *jsonrpc.Error
	switch {
	case err == nil:
		if called, ok := result.(*mcp.CallToolResult); ok && called.IsError {
			return OutcomeToolError, 0
		}
		return OutcomeOK, 0
	case ctx.Err() != nil:
		return OutcomeCancelled, 0
	case errors.As(err, &wire):
		return OutcomeError, wire.Code
	case errors.Is(err, server.ErrNotFound):
		return OutcomeError, rev.ResourceNotFound
	}
	return OutcomeError, jsonrpc.InternalError
}
