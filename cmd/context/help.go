package main

import (
	"context"

	"mcpworks/internal/cmdline"
)

const overview = `Makes caches of Markdown documents and asks them which documents belong to a query and fit a budget of tokens.

Usage: context COMMAND [OPTIONS]

Try it, where there is a directory docs with Markdown files:

  context build --sources docs --cache docs.cache
  context resolve --cache docs.cache --query "how to deploy" --budget 4000 --format pretty
  context inspect --cache docs.cache

Commands:
  build      Make a cache of a directory of Markdown files
  resolve    Print the documents that fit a query and a budget
  inspect    Print the version and the size of a cache, and whether it is valid
  verify     List every problem of a cache
  list       List the caches in a directory
  diff       Print which documents differ between two caches
  serve      Serve the caches in a directory to an MCP client
  version    Print the version
  help       Print this help, or that of a command: context help build

Options:
      --verbose    Log on standard error
  -h, --help       Print this help, or that of the command
  -V, --version    Print the version

Options follow the command, as --name value or --name=value. Results go to standard output, everything else to standard
error. Nothing is asked, no configuration file is read, and only serve reads its input.

Exit codes:
  0        Success
  1        Bad command line
  2        The query is invalid
  3        The budget is invalid
  4        The cache does not exist
  5        The cache is invalid
  6        Something could not be read or written
  7        Internal error
  128 + n  Stopped by signal n
`

const helpHelp = `Prints help, on everything or on one command.

Usage: context help [COMMAND]

Examples:
  context help
  context help build
  context build --help

Exit codes:
  0  The help is on standard output
  1  Bad command line
  6  It could not be written
`

func helpVerb() verb {
	return verb{Verb: cmdline.Verb{Name: "help", Help: helpHelp, Operands: []string{"[COMMAND]"}}, run: printHelp}
}

func printHelp(_ context.Context, c *call) ([]byte, error) {
	return cmdline.Help(grammar, verbs(), overview, c.Arguments)
}
