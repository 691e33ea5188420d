package main

import (
	"context"

	"mcpworks/internal/cmdline"
)

const overview = `Checks MCP servers, and talks to them: lists what they offer, calls their tools, reads their resources.

Usage: mcplint COMMAND [OPTIONS] TARGET [ARGUMENTS]

Try it on a server that is run with a command, or on one that has a URL:

  mcplint validate npx -y @modelcontextprotocol/server-everything
  mcplint tools npx -y @modelcontextprotocol/server-everything
  mcplint call --arg message=hello echo npx -y @modelcontextprotocol/server-everything
  mcplint discover https://example.com/mcp

Commands:
  tools        List the tools
  resources    List the resources
  templates    List the resource templates
  prompts      List the prompts
  call         Call a tool
  read         Read a resource
  get          Fill in a prompt
  complete     Complete the value of an argument
  ping         Ask whether the server is there
  discover     Print what the server is
  listen       Print what the server tells unasked
  raw          Send lines of standard input as they are
  doctor       Find out why a server cannot be used
  validate     Check whether a server keeps to the protocol
  rules        List the rules that are checked
  explain      Explain a rule
  completions  Print a script that lets a shell complete command lines
  version      Print the version
  help         Print this help, or that of a command: mcplint help call

Options stand before the target, as --name value or --name=value; everything behind the target is for the server. The
result goes to standard output, everything else to standard error.

Exit codes:
  0    Success
  1    The server said no: a tool reports an error, an error is the answer, an expectation failed, a rule is broken
  2    Bad command line, or a file that cannot be used
  3    Some of what was to be checked could not be
  4    The server could not be started or reached, or did not answer in time
  5    The server wants credentials
  130  Interrupted
`

// targetHelp is the end of the help of every command that talks to a server.
const targetHelp = `
The target is a URL, a command, or a file: .js, .mjs and .cjs are run by node, .ts by npx tsx, .py by python3. A word
that is no command but could be a package of npm is run by npx, with a notice. Everything behind the target is for the
server; -- ends the options before it.

Options:
      --transport T          auto (default), stdio, http or sse
      --protocol P           auto (default), legacy, modern, or the date of a protocol version
  -t, --timeout DUR          How long one answer may take (default 30s)
      --startup-timeout DUR  How long opening the session may take (default 30s)
      --max-time DUR         How long everything may take (default 5m)
  -e, --env NAME[=VALUE]     Set a variable for the server, or pass one on; repeatable
      --inherit-env          Pass on all variables; a server gets a few like PATH and HOME otherwise
      --cwd DIR              Start the server there
  -H, --header 'NAME: VALUE' Send a header; repeatable
      --bearer-env VAR       Send the token that the variable VAR holds
      --insecure             Accept any certificate
      --ca-file FILE         Trust the certificates in FILE, too
  -f, --format FORMAT        text (default) or json
  -o, --output FILE          Write the result to FILE
  -q, --quiet                No notices
  -v, --verbose              Say what is being done, on standard error
  -vv, --messages            Show all messages, on standard error
      --server-logs          Show the server's standard error, and what it logs
      --transcript FILE      Record everything that is said, as lines of JSON; secrets are left out
  -h, --help                 Print this help
  -V, --version              Print the version

Exit codes:
  0    Success
  1    The server said no: a tool reports an error, an error is the answer, an expectation failed
  2    Bad command line, or a file that cannot be used
  4    The server could not be started or reached, or did not answer in time
  5    The server wants credentials
  130  Interrupted
`

const helpHelp = `Prints help, on everything or on one command.

Usage: mcplint help [COMMAND]

Examples:
  mcplint help
  mcplint help call
  mcplint call --help

Exit codes:
  0  The help is on standard output
  2  Bad command line, or it could not be written
`

func helpVerb() verb {
	return verb{Verb: cmdline.Verb{Name: "help", Help: helpHelp, Operands: []string{"[COMMAND]"}}, run: printHelp}
}

func printHelp(_ context.Context, c *call) ([]byte, error) {
	return cmdline.Help(grammar, verbs(), overview, c.Arguments)
}
