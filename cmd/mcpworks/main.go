// Command mcpworks serves all packs behind one HTTP listener.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"mcpworks/internal/httpguard"
	"mcpworks/internal/version"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // serving failed, or could not begin: the port is taken
	exitUsage  = 2 // the command line cannot be read
	exitConfig = 3 // the configuration cannot be used, or would be unsafe
)

const usage = `Serves MCP servers (packs) behind one HTTP address.

Usage: mcpworks serve [--listen HOST:PORT] [--data-dir DIR] [--config FILE]
       mcpworks version
       mcpworks help

Try it; nothing needs to be installed or configured:

  mcpworks serve
  curl http://127.0.0.1:8080/api/tools
  claude mcp add --transport http judge http://127.0.0.1:8080/judge/mcp

and open http://127.0.0.1:8080/ for the packs, their tools and the lines for other clients.

Serve other machines, which takes a token:

  export MCPWORKS_TOKEN=$(openssl rand -hex 32)
  mcpworks serve --listen 0.0.0.0:8080

Options of serve:
      --listen HOST:PORT  Where to listen (default 127.0.0.1:8080; port 0 picks a free one)
      --data-dir DIR      Where packs keep what they make; created if missing
      --config FILE       Tokens, names, TLS and backends, as JSON: see docs/mcpworks-serve.md
  -h, --help              Print this help

Environment:
  MCPWORKS_TOKEN          Bearer token that every request must carry
  MCPWORKS_LOG            off, error, warn, info (default), debug or trace; the log goes to standard error

Exit codes: 0 ended by a signal, 1 serving failed, 2 bad command line, 3 bad configuration.
`

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	verb, options, err := parseCommand(args)
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "error: %v\ntry mcpworks help\n", err)
		return exitUsage
	case verb == verbHelp:
		fmt.Fprint(stdout, usage)
		return exitOK
	case verb == verbVersion:
		fmt.Fprintf(stdout, "mcpworks %s\n", version.Number)
		return exitOK
	}
	cfg, err := loadConfig(options, os.LookupEnv)
	if err == nil {
		err = serve(ctx, cfg, stderr)
	}
	return report(err, stderr)
}

// report says what went wrong, with a hint where there is one.
func report(err error, stderr io.Writer) int {
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(stderr, "error: %v\n", err)
	if errors.Is(err, httpguard.ErrUnauthenticated) {
		fmt.Fprint(stderr, "hint: set MCPWORKS_TOKEN to a random token (openssl rand -hex 32), or listen on 127.0.0.1\n")
		return exitConfig
	}
	var bad *configError
	if errors.As(err, &bad) {
		return exitConfig
	}
	return exitFailed
}
