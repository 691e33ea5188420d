// Command plantuml-mcp turns PlantUML text into URLs of plantuml.com, over
// HTTP: a service under /api/tools, an MCP endpoint and a page for people.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"mcpworks/internal/httpguard"
	"mcpworks/internal/logging"
	"mcpworks/internal/servehttp"
	"mcpworks/internal/version"
	"mcpworks/packs/plantuml"
)

// The exit codes.
const (
	exitOK    = 0
	exitError = 1 // serving failed
	exitUsage = 2 // the command line cannot be used
)

const usage = `Turns PlantUML text into URLs of plantuml.com, over HTTP.

Usage: plantuml-mcp [--listen <HOST:PORT>] [--log-level <LEVEL>]

Options:
      --listen <HOST:PORT>  Where to listen (default 127.0.0.1:8080; port 0 picks a free one).
                            The service asks nobody for a password: on another address than
                            this machine's own, everyone who can reach it can use it.
      --log-level <LEVEL>   off, error, warn, info (default) or debug; the log goes to standard error
  -h, --help                Print this help
  -V, --version             Print the version

Then:
  http://127.0.0.1:8080/           a page to try it on
  http://127.0.0.1:8080/api/tools  what it can do, for programs
  http://127.0.0.1:8080/mcp        the same, for MCP clients
`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	o, err := parseOptions(args)
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "error: %v\n\nFor more information, try '--help'.\n", err)
		return exitUsage
	case o.help:
		fmt.Fprint(stdout, usage)
		return exitOK
	case o.version:
		fmt.Fprintf(stdout, "%s %s\n", plantuml.Name, version.Number)
		return exitOK
	}
	if err := serve(o, stderr); err != nil {
		fmt.Fprintf(stderr, "error: %v\n", err)
		return exitError
	}
	return exitOK
}

func serve(o options, stderr io.Writer) error {
	log := logging.New(stderr, logging.ParseFilter(o.logLevel))
	handler, err := newHandler(o.listen, plantuml.Config{Log: log})
	if err != nil {
		return err
	}
	return servehttp.Run(context.Background(), servehttp.Config{
		Listen:    o.listen,
		Handler:   handler,
		Listening: func(url string) { fmt.Fprintf(stderr, "listening on %s\n", url) },
		Drain:     requestTime,
		Log:       log,
	})
}

// options is the command line.
type options struct {
	listen, logLevel string
	help, version    bool
}

var logLevels = []string{"off", "error", "warn", "info", "debug"}

func parseOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet(plantuml.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8080", "")
	flags.StringVar(&o.logLevel, "log-level", "info", "")
	for _, name := range []string{"V", "version"} {
		flags.BoolVar(&o.version, name, false, "")
	}
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return options{help: true}, nil
	case err != nil:
		return o, err
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q: only options are taken", flags.Arg(0))
	case o.version:
		return o, nil
	case !slices.Contains(logLevels, o.logLevel):
		return o, fmt.Errorf("log level %q is not one of %s", o.logLevel, strings.Join(logLevels, ", "))
	}
	// Open to everyone by contract: naming another host is wish enough.
	return o, httpguard.CheckListen(o.listen, false, true)
}
