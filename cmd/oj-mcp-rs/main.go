// Command oj-mcp-rs gives MCP clients programming problems from online judges,
// over standard input and output.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"mcpworks/internal/logging"
	"mcpworks/internal/secret"
	"mcpworks/internal/serve"
	"mcpworks/internal/version"
	"mcpworks/mcp/transport/stdio"
	"mcpworks/packs/judge"
)

// The exit codes.
const (
	exitOK    = 0
	exitError = 1 // the configuration cannot be used, or serving failed
	exitUsage = 2 // the command line cannot be read
)

const usage = `Gives MCP clients programming problems from online judges, over standard input and output.

Usage: oj-mcp-rs --base-url <URL> [--token <TOKEN>]

Options:
      --base-url <URL>   Origin of the oj-api backend, for example http://127.0.0.1:7856
      --token <TOKEN>    Bearer token for the backend
  -h, --help             Print this help
  -V, --version          Print the version

Environment:
  RUST_LOG               off, error, warn, info (default), debug or trace; the log goes to standard error
`

func main() {
	serve.IgnoreBrokenPipes()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	options, err := parseOptions(args)
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "error: %v\n\n%s\n", err, "For more information, try '--help'.")
		return exitUsage
	case options.help:
		_, err = fmt.Fprint(stdout, usage)
	case options.version:
		_, err = fmt.Fprintf(stdout, "%s %s\n", judge.Name, version.Number)
	default:
		err = serveJudge(options, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "error: %v\n", err)
		return exitError
	}
	return exitOK
}

func serveJudge(options options, stderr io.Writer) error {
	config := judge.Config{BaseURL: options.baseURL}
	if err := config.Validate(); err != nil {
		return err
	}
	var err error
	if config.Token, err = judge.ParseToken(options.token); err != nil {
		return err
	}
	level := logging.ParseFilter(os.Getenv("RUST_LOG"), "oj_mcp_rs", judge.Name)
	config.Log = logging.New(secret.Writer(stderr, config.Token), level)
	logging.Adopt(config.Log)
	srv, err := judge.New(config)
	if err != nil {
		return err
	}
	if err := serve.Stdio(context.Background(), srv, stdio.Options{}); err != nil {
		config.Log.Error("the connection failed", "error", err)
		return errors.New("the connection to the client failed")
	}
	return nil
}
