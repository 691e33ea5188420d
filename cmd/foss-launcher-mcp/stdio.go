package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

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
// is gone, runs at work stop where they can go on later.
func serveStdio(ctx context.Context, c *call) ([]byte, error) {
	l, err := c.open(ctx, c.logger(slog.LevelInfo))
	if err != nil {
		return nil, err
	}
	srv, err := l.Server()
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	working, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- l.Work(working) }()
	served := serve.Stdio(ctx, srv, stdio.Options{MaxMessage: launch.MaxMessage})
	stop()
	if err := errors.Join(served, <-ended, l.Close()); err != nil {
		return nil, fmt.Errorf("serving ended: %w", err)
	}
	return nil, nil
}
