package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/serve"
	"mcpworks/mcp/transport/stdio"
	"mcpworks/packs/launch"
)

const stdioName = "stdio"

func stdioVerb() verb {
	return verb{serves: true, run: serveStdio, Verb: cmdline.Verb{Name: stdioName, Help: stdioHelp}}
}

// serveStdio serves the one client, and executes runs meanwhile. When the client
// is gone, runs at work stop where they can go on later; with linger they come to
// their next stable state first, unless a signal says to end (14.4).
func serveStdio(ctx context.Context, c *call) ([]byte, error) {
	l, err := c.open(ctx, c.logger(slog.LevelInfo))
	if err != nil {
		return nil, err
	}
	srv, err := l.Server()
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	if isTerminal(c.stdin) {
		fmt.Fprintf(c.stderr, "waiting for an MCP client on standard input; %s help lists what else there is, and Ctrl-D ends this\n", launch.Name)
	}
	told, ignore := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer ignore()
	context.AfterFunc(told, ignore) // the second signal finds no handler
	working, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- l.Work(working) }()
	served := serve.Stdio(ctx, srv, stdio.Options{MaxMessage: launch.MaxMessage})
	l.Linger(told)
	stop()
	if err := errors.Join(served, <-ended, l.Close()); err != nil {
		return nil, fmt.Errorf("serving ended: %w", err)
	}
	return nil, nil
}
