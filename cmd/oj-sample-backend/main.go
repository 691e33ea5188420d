// Command oj-sample-backend serves a handful of invented problems the way the
// online-judge backend does, for trying oj-mcp-rs without an account.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"mcpworks/internal/secret"
	"mcpworks/packs/judge/sample"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// shutdownTime is how long calls may take to finish after a signal.
const shutdownTime = 5 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

const usage = `usage: oj-sample-backend [--listen HOST:PORT] [--token TOKEN]

Serves invented online-judge problems, so that oj-mcp-rs can be tried:

  oj-sample-backend &
  oj-mcp-rs --base-url http://127.0.0.1:7856

  --listen HOST:PORT  where to listen (default 127.0.0.1:7856; port 0 picks a free one)
  --token TOKEN       ask for this bearer token (default: ask for none)
`

// run serves until ctx is done and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("oj-sample-backend", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	listen := flags.String("listen", "127.0.0.1:7856", "")
	token := flags.String("token", "", "")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return exitOK
	case err == nil && flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case err == nil:
		err = checkListen(*listen)
	}
	if err != nil {
		fmt.Fprintf(stderr, "error: %v\ntry oj-sample-backend --help\n", err)
		return exitUsage
	}
	if err := serve(ctx, *listen, secret.New(*token), stderr); err != nil {
		fmt.Fprintf(stderr, "error: %v\n", err)
		return exitFailed
	}
	return exitOK
}

// checkListen wants a host, so that nobody serves every interface by accident.
func checkListen(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("--listen wants HOST:PORT, such as 127.0.0.1:7856: %w", err)
	}
	if host == "" {
		return fmt.Errorf("--listen %s names no host; say 127.0.0.1:%s for this machine only, or 0.0.0.0:%s for every interface", address, port, port)
	}
	return nil
}

func serve(ctx context.Context, address string, token secret.String, stderr io.Writer) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "listening on http://%s\n", listener.Addr())
	server := &http.Server{
		Handler:           sample.Handler(sample.Options{Token: token}),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	err = server.Shutdown(last)
	<-failed // always http.ErrServerClosed by now
	return err
}
