package main

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"strconv"
	"time"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/serve"
	"mcpworks/mcp/transport/stdio"
	"mcpworks/packs/contextengine"
)

const serveHelp = `Serves the caches in a directory to an MCP client, over standard input and output.

Usage: context serve --cache-root DIR [--timeout SECONDS] [--v0]

Examples:
  context serve --cache-root caches
  claude mcp add docs -- context serve --cache-root /srv/caches

The client gets the tools context.resolve, context.list_caches and context.inspect_cache. It names caches relative to
DIR and cannot leave it. Files are only read, and the network is not used.

Options:
      --cache-root DIR     The directory that holds the caches; it may be made later
      --timeout SECONDS    How long one call of a tool may take (default 30)
      --v0                 Serve exactly what mcp-context-server does: protocol 2024-11-05, one call after another
      --verbose            Log more on standard error
  -h, --help               Print this help
  -V, --version            Print the version

Exit codes:
  0  The input ended, or SIGINT or SIGTERM was received and the calls in flight were answered
  1  Bad command line
  6  Reading the input or writing the output failed
  7  Internal error
`

func serveVerb() verb {
	return verb{serves: true, run: serveCaches, Verb: cmdline.Verb{
		Name: "serve",
		Help: serveHelp,
		Options: []cmdline.Option{
			{Name: optCacheRoot, Kind: cmdline.Path, Required: true},
			{Name: optTimeout, Kind: cmdline.Text},
			{Name: optV0},
		},
	}}
}

// gcPercent keeps memory close to what the indexes of caches take: they are a
// few large pieces without pointers, so that collecting often costs little.
const gcPercent = 25

func serveCaches(ctx context.Context, c *call) ([]byte, error) {
	timeout, err := parseTimeout(c.Arguments)
	if err != nil {
		return nil, err
	}
	debug.SetGCPercent(gcPercent)
	engine, err := contextengine.New(contextengine.Config{Root: c.Value(optCacheRoot), Timeout: timeout, Log: c.log})
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	server := engine.Server
	if c.Has(optV0) {
		server = engine.ServerV0
	}
	srv, err := server()
	if err != nil {
		return nil, err
	}
	c.log.Debug("serving", "cache_root", c.Value(optCacheRoot), "timeout", timeout, "v0", c.Has(optV0))
	if err := serve.Stdio(ctx, srv, stdio.Options{MaxMessage: contextengine.MaxMessage}); err != nil {
		return nil, &failure{
			exit: contextengine.IOError.ExitCode(),
			err:  fmt.Errorf("the connection to the client failed: %w", err),
		}
	}
	return nil, nil
}

// parseTimeout returns how long a call may take; zero is the server's default.
func parseTimeout(given cmdline.Arguments) (time.Duration, error) {
	if !given.Has(optTimeout) {
		return 0, nil
	}
	value := given.Value(optTimeout)
	seconds, err := strconv.ParseUint(value, 10, 63)
	if err != nil || seconds == 0 {
		return 0, serveVerb().usage("the value of %s must be a whole number of seconds above 0, not %q", optTimeout, value)
	}
	return time.Duration(min(seconds, math.MaxInt64/uint64(time.Second))) * time.Second, nil
}
