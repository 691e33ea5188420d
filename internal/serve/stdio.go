// Package serve runs a server for the lifetime of its process.
package serve

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/stdio"
)

// Stdio serves the one client at standard input and output until it closes the
// input, or until SIGINT or SIGTERM: then calls in flight may finish. A second
// signal ends the process at once.
func Stdio(ctx context.Context, srv *server.Server, opts stdio.Options) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // the second signal finds no handler

	signal.Ignore(syscall.SIGPIPE) // a reader that is gone is an error, not the end

	out := os.Stdout
	os.Stdout = os.Stderr // a stray print must not break the protocol
	return srv.Serve(ctx, stdio.New(os.Stdin, out, opts))
}
