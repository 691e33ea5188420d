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

// IgnoreBrokenPipes makes a reader that is gone, of standard output or standard
// error, an error and not the end of the process. A program that writes before
// it serves calls it first.
func IgnoreBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }

// Stdio serves the one client at standard input and output until it closes the
// input, or until SIGINT or SIGTERM: then calls in flight may finish. A second
// signal ends the process at once.
func Stdio(ctx context.Context, srv *server.Server, opts stdio.Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	go func() {
		select {
		case <-signals:
			signal.Stop(signals) // the second signal finds no handler
			cancel()
		case <-ctx.Done():
		}
	}()
	IgnoreBrokenPipes()

	out := os.Stdout
	os.Stdout = os.Stderr // a stray print must not break the protocol
	return srv.Serve(ctx, stdio.New(os.Stdin, out, opts))
}
