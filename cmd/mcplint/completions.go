package main

import (
	"context"

	"mcpworks/internal/cmdline"
)

const completionsHelp = `Prints a script that lets a shell complete the command lines of mcplint.

Usage: mcplint completions bash|zsh|fish|powershell

Examples:
  source <(mcplint completions bash)
  mcplint completions zsh > "${fpath[1]}/_mcplint"
  mcplint completions fish > ~/.config/fish/completions/mcplint.fish
  mcplint completions powershell >> $PROFILE

Exit codes:
  0  The script is on standard output
  2  Bad command line, or it could not be written
`

func completionsVerb() verb {
	return verb{run: printCompletions, Verb: cmdline.Verb{Name: "completions", Help: completionsHelp, Operands: []string{"SHELL"}, Words: cmdline.Shells}}
}

func printCompletions(_ context.Context, c *call) ([]byte, error) {
	text := cmdline.Script(grammar, verbs(), c.Operands[0])
	if text == "" {
		return nil, completionsVerb().usage("there is no script for %q: the shells are bash, zsh, fish and powershell", c.Operands[0])
	}
	return []byte(text), nil
}
