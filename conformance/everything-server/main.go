// Command everything-server is the fixture that the official conformance suite
// drives: every feature of the core behind fixed names. It is for loopback and
// for tests, and is never installed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"mcpworks/internal/httpguard"
	"mcpworks/internal/serve"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/sse"
	"mcpworks/mcp/transport/stdio"
	"mcpworks/mcp/transport/streamable"
)

func main() {
	listen := flag.String("listen", "", "host and port to serve HTTP on; without it, standard input and output")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *listen); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, listen string) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	f := &fixture{}
	var err error
	f.server, err = server.New(server.Options{
		Info:        mcp.Implementation{Name: "everything-server", Version: "1.0.0"},
		Tools:       f.tools(),
		Resources:   f.resources(),
		Templates:   f.templates(),
		Prompts:     f.prompts(),
		Complete:    complete,
		Logging:     true,
		ListChanged: true,
		Subscribe:   true,
		Log:         log,
	})
	if err != nil {
		return err
	}
	go f.touch(ctx)
	if listen == "" {
		return serve.Stdio(ctx, f.server, stdio.Options{})
	}
	return serveHTTP(ctx, f.server, listen, log)
}

func serveHTTP(ctx context.Context, srv *server.Server, listen string, log *slog.Logger) error {
	endpoint := streamable.New(srv, streamable.Options{Log: log})
	events := sse.New(srv, sse.Options{Log: log})
	mux := http.NewServeMux()
	mux.Handle("/mcp", endpoint)
	mux.Handle("/sse", events)
	host, err := httpguard.Host(httpguard.HostConfig{})
	if err != nil {
		return err
	}
	origin, err := httpguard.Origin(httpguard.OriginConfig{})
	if err != nil {
		return err
	}
	web := &http.Server{Handler: host(origin(mux)), ReadHeaderTimeout: 10 * time.Second}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "listening on http://%s/mcp\n", listener.Addr())
	context.AfterFunc(ctx, func() {
		srv.EndSubscriptions(context.Background())
		endpoint.Close()
		events.Close()
		_ = web.Shutdown(context.Background())
	})
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
