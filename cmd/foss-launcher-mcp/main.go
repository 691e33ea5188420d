// Command foss-launcher-mcp turns product repositories into pages of a site and a
// pull request: as an MCP server over standard input and output, and with one
// verb for each operation of that server.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/serve"
	"mcpworks/packs/launch"
)

func main() {
	serve.IgnoreBrokenPipes()
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run does what the command line asks for and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if bug := recover(); bug != nil {
			fmt.Fprintf(stderr, "error: internal error: %v\nhint: this is a bug; please report it with the lines below\n%s", bug, debug.Stack())
			code = launch.ExitInternal
		}
	}()
	v, given, err := cmdline.Parse(grammar, verbs(), withVerb(args))
	c := &call{Arguments: given, verb: v, stdin: stdin, stderr: newScreen(stderr), terminal: isTerminal(stdout), now: time.Now}
	if err == nil {
		err = perform(ctx, v, c, stdout)
	}
	return c.report(err)
}

// withVerb adds the verb that a client leaves out, which wants to be served.
func withVerb(args []string) []string {
	if len(args) == 0 {
		return []string{stdioName}
	}
	name, _, _ := strings.Cut(args[0], "=")
	if _, ours := grammar.Option(stdioVerb().Verb, name); ours && name != "--help" && name != "--version" && name != "-h" && name != "-V" {
		return append([]string{stdioName}, args...)
	}
	return args
}

// perform runs a verb and writes what it found.
func perform(ctx context.Context, v verb, c *call, stdout io.Writer) error {
	work := interruptible
	if v.serves {
		work = uninterrupted
	}
	result, err := work(ctx, c, v.run)
	if len(result) > 0 {
		_, lost := stdout.Write(result)
		if errors.Is(lost, syscall.EPIPE) { // nobody wants the rest
			return interrupted{syscall.SIGPIPE}
		}
		if lost != nil {
			return fmt.Errorf("the result could not be written: %w", lost)
		}
	}
	return err
}
