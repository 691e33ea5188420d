package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"mcpworks/internal/cmdline"
	"mcpworks/lint/doctor"
)

const doctorHelp = `Finds out, step by step, why a server cannot be used, and what to do about it.

Usage: mcplint doctor [OPTIONS] [TARGET [ARGUMENTS]]

Examples:
  mcplint doctor npx -y @modelcontextprotocol/server-everything
  mcplint doctor --format markdown https://example.com/mcp
  mcplint doctor

It goes the way of a client: finds the command or the host, starts or dials it, opens a session, asks for the lists,
pings and takes its leave. No tool is called. ✓ is a step that works, ✗ one that does not, ! one that is worth a
look. The first ✗ decides, and has its cause and what to do about it at the end. Secrets that were given are left
out, so that the report of --format markdown can be part of a bug report.

Without a target it tells which programs that run servers are installed, and which configurations of MCP clients there
are. It ends with exit code 1 if one of these cannot be read.

      --watch-stderr         Show the server's standard error as it comes, and stay with a server that works until it
                             ends, or until Ctrl-C or --max-time
` + colorHelp

func doctorVerb() verb {
	formats := []string{formatText, formatJSON, formatMarkdown}
	v := verb{Verb: cmdline.Verb{
		Name: "doctor", Help: doctorHelp + strings.Replace(targetHelp, "text (default) or json", "text (default), json or markdown", 1),
		Target: true, Alone: true,
		Options: append([]cmdline.Option{{Name: optWatchStderr}, {Name: optFormat, Kind: cmdline.Text, Choices: formats}}, coloring...),
	}}
	v.run = func(ctx context.Context, c *call) ([]byte, error) {
		if err := v.checkColor(c); err != nil {
			return nil, err
		}
		if len(c.Target) == 0 {
			return v.examineMachine(ctx, c)
		}
		v.streams = c.Has(optWatchStderr) // it ends when it is told to
		return v.prepared(ctx, c, examine)
	}
	return v
}

// examine examines a server. What is known is told also when it was stopped
// (B1.7).
func examine(ctx context.Context, t *talk) ([]byte, error) {
	watches := t.Has(optWatchStderr)
	if watches && t.target.words == nil {
		return nil, t.verb.usage("%s is for commands, and the target is a URL", optWatchStderr)
	}
	t.watch.serverLogs = t.watch.serverLogs || watches
	d := doctor.Examine(ctx, t.target.Target, doctor.Options{Client: t.opts, Watch: watches})
	var stop interrupted
	switch {
	case errors.As(context.Cause(ctx), &stop):
		return t.written(d, stop.exit()), stop
	case d.Locked():
		return t.written(d, exitLocked), exitCode(exitLocked)
	case d.Failed():
		return t.written(d, exitUnreachable), exitCode(exitUnreachable)
	}
	return t.written(d, exitOK), nil
}

func (v verb) examineMachine(ctx context.Context, c *call) ([]byte, error) {
	for _, o := range grammar.Options(v.Verb) {
		if c.Has(o.Name) && !slices.Contains([]string{optColor, optNoColor, optFormat, optOutput, optQuiet, optVerbose}, o.Name) {
			return nil, v.usage("%s is for a target, and there is none", o.Name)
		}
	}
	var at doctor.Places
	at.Home, _ = os.UserHomeDir() // what is not known is not looked into
	at.Config, _ = os.UserConfigDir()
	at.Project, _ = os.Getwd()
	d := doctor.ExamineMachine(ctx, at)
	if d.Failed() {
		return c.written(d, exitNo), exitCode(exitNo)
	}
	return c.written(d, exitOK), context.Cause(ctx)
}

// written is a diagnosis in the format that was asked for.
func (c *call) written(d *doctor.Diagnosis, exit int) []byte {
	switch c.Value(optFormat) {
	case formatJSON:
		return pretty(d.AppendJSON(nil, exit))
	case formatMarkdown:
		return []byte(d.Markdown())
	}
	return c.colored([]byte(d.Text()))
}
