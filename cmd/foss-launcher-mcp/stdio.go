package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

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
	working, stop := context.WithCancel(ctx)
	hurried := make(chan struct{})
	told, ignore := heedSignals(ctx, func() {
		close(hurried)
		stop()
		l.Abort()
	})
	defer ignore()
	ended := make(chan error, 1)
	go func() { ended <- l.Work(working) }()
	served := serve.Stdio(ctx, srv, stdio.Options{MaxMessage: launch.MaxMessage})
	l.Linger(told)
	stop()
	if err := errors.Join(served, <-ended, l.Close()); err != nil {
		return nil, fmt.Errorf("serving ended: %w", err)
	}
	select {
	case <-hurried:
		return nil, &failure{exit: exitInterrupted, err: errors.New("stopped by a second signal")}
	default:
		return nil, nil
	}
}

// exitInterrupted is what a shell says of a program that Ctrl-C has ended.
const exitInterrupted = 130

// heedSignals returns a context that ends with the first signal. The second does
// not wait any more (14.1): all work and all calls are cancelled, have a second to
// end, and the process exits with 130.
func heedSignals(ctx context.Context, abort func()) (told context.Context, ignore func()) {
	told, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for n := range 2 {
			select {
			case <-signals:
				if cancel(); n == 0 {
					continue
				}
				abort()
				time.Sleep(time.Second)
				os.Exit(exitInterrupted)
			case <-done:
				return
			}
		}
	}()
	return told, func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
}
