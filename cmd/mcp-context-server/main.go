// Command mcp-context-server gives MCP clients the documents of context caches
// that fit a query and a token budget, over standard input and output.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"mcpworks/internal/logging"
	"mcpworks/internal/serve"
	"mcpworks/internal/version"
	"mcpworks/mcp/transport/stdio"
	"mcpworks/packs/contextengine"
)

// The exit codes.
const (
	exitOK    = 0
	exitError = 1
)

const usage = `Gives MCP clients the documents of context caches that fit a query and a token budget,
over standard input and output.

Usage: mcp-context-server

Options:
  -h, --help                  Print this help
  -V, --version               Print the version

Environment:
  CONTEXT_CACHE_ROOT          Directory whose children are caches; required
  CONTEXT_TOOL_TIMEOUT_SECS   Seconds for one tool call (default 30)
  CONTEXT_LOG                 off, error, warn (default), info, debug or trace; the log goes to standard error
`

// gcPercent keeps memory close to what the indexes of caches take: they are a
// few large pieces without pointers, so that collecting often costs little.
const gcPercent = 25

func main() {
	debug.SetGCPercent(gcPercent)
	serve.IgnoreBrokenPipes()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	var err error
	switch {
	case len(args) == 0:
		err = serveCaches(stderr)
	case len(args) > 1:
		err = errUsage
	case args[0] == "--help", args[0] == "-h":
		_, err = fmt.Fprint(stdout, usage)
	case args[0] == "--version", args[0] == "-V":
		_, err = fmt.Fprintf(stdout, "%s %s\n", contextengine.Name, version.Number)
	default:
		err = errUsage
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", contextengine.Name, err)
		return exitError
	}
	return exitOK
}

var errUsage = errors.New("usage error: there are no arguments but --help and --version; the environment configures the server")

func serveCaches(stderr io.Writer) error {
	config, err := readEnvironment(os.LookupEnv)
	if err != nil {
		return fmt.Errorf("configuration error: %w", err)
	}
	config.Log = logging.New(stderr, logging.ParseFilter("warn,"+os.Getenv("CONTEXT_LOG")))
	logging.Adopt(config.Log)
	engine, err := contextengine.New(config)
	if err != nil {
		return err
	}
	defer engine.Close()
	srv, err := engine.ServerV0()
	if err != nil {
		return err
	}
	if err := serve.Stdio(context.Background(), srv, stdio.Options{MaxMessage: contextengine.MaxMessage}); err != nil {
		config.Log.Error("the connection failed", "error", err)
		return errors.New("the connection to the client failed")
	}
	return nil
}
