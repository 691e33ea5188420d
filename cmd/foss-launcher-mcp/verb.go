package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/printable"
	"mcpworks/packs/launch"
)

// A verb is one thing that the program does.
type verb struct {
	cmdline.Verb
	serves bool   // it runs for as long as its client wants, and heeds signals itself
	tool   string // the tool that does the same; empty if it touches no runs (S-1)
	run    func(ctx context.Context, c *call) ([]byte, error)
}

// verbs lists all of them, in the order of the help.
func verbs() []verb {
	return append(operations(), stdioVerb(), versionVerb(), helpVerb())
}

// A call is one run of a verb.
type call struct {
	cmdline.Arguments
	stdin    io.Reader
	stderr   io.Writer
	terminal bool // somebody reads the result on a screen
}

// The options that every verb takes, as they are written.
const (
	optConfig       = "--config"
	optDataDir      = "--data-dir"
	optProfilesDir  = "--profiles-dir"
	optTaskcardsDir = "--taskcards-dir"
	optAllowHost    = "--allow-host"
	optVerbose      = "--verbose"
)

var grammar = cmdline.Grammar{
	Program: launch.Name,
	Example: launch.Name + " status RUN --data-dir data",
	Everywhere: []cmdline.Option{
		{Name: optConfig, Kind: cmdline.Path}, {Name: optDataDir, Kind: cmdline.Path}, {Name: optProfilesDir, Kind: cmdline.Path},
		{Name: optTaskcardsDir, Kind: cmdline.Path}, {Name: optAllowHost, Kind: cmdline.Path, Many: true}, {Name: optVerbose},
	},
	Shorthands: map[string]string{"-h": "--help", "-V": "--version"},
}

// open opens the launcher that the command line, the environment and the
// configuration file describe.
func (c *call) open(ctx context.Context, log *slog.Logger) (*launch.Launcher, error) {
	cfg, err := c.settings()
	if err != nil {
		return nil, err
	}
	cfg.Log = log
	l, err := launch.New(ctx, cfg)
	if err != nil {
		return nil, &failure{exit: launch.ExitInvalid, err: err}
	}
	return l, nil
}

// with opens the launcher for as long as something is done with it.
func (c *call) with(ctx context.Context, do func(*launch.Launcher) ([]byte, error)) (result []byte, err error) {
	l, err := c.open(ctx, c.logger(slog.LevelError))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return do(l)
}

// ask does what a tool does, and shows its answer.
func ask(tool string, arguments func(*call) (map[string]any, error)) func(context.Context, *call) ([]byte, error) {
	return func(ctx context.Context, c *call) ([]byte, error) {
		given, err := arguments(c)
		if err != nil {
			return nil, err
		}
		return c.with(ctx, func(l *launch.Launcher) ([]byte, error) {
			answer, err := callTool(ctx, l, tool, given)
			if err != nil {
				return nil, err
			}
			return shown(answer), nil
		})
	}
}

func callTool(ctx context.Context, l *launch.Launcher, tool string, arguments map[string]any) (json.RawMessage, error) {
	text, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	return l.Call(ctx, tool, text)
}

// shown is an answer with one member to a line, and with nothing that a terminal
// would act on: titles of issues repeat what repositories say.
func shown(answer json.RawMessage) []byte {
	if answer == nil {
		return nil
	}
	var b bytes.Buffer
	if json.Indent(&b, printable.JSON(answer), "", "  ") != nil {
		return append(answer, '\n')
	}
	b.WriteByte('\n')
	return b.Bytes()
}
