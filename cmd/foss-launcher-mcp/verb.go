package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"mcpworks/internal/cmdline"
	"mcpworks/packs/launch"
)

// A verb is one thing that the program does.
type verb struct {
	cmdline.Verb
	serves bool   // it runs for as long as its client wants, and heeds signals itself
	reads  bool   // it is about runs that are there, and makes no data directory
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
	verb     verb
	stdin    io.Reader
	stderr   *screen
	terminal bool // somebody reads the result on a screen
	now      func() time.Time
	dataDir  string // once the launcher is open
}

// The options that every verb takes, as they are written.
const (
	optConfig       = "--config"
	optDataDir      = "--data-dir"
	optProfilesDir  = "--profiles-dir"
	optTaskcardsDir = "--taskcards-dir"
	optAllowLocal   = "--allow-local-repos"
	optAllowHost    = "--allow-host"
	optVerbose      = "--verbose"
)

// Options of many verbs.
const (
	optCursor = "--cursor"
	optJSON   = "--json"
)

var grammar = cmdline.Grammar{
	Program: launch.Name,
	Example: launch.Name + " status RUN --data-dir data",
	Everywhere: []cmdline.Option{
		{Name: optConfig, Kind: cmdline.Path}, {Name: optDataDir, Kind: cmdline.Path}, {Name: optProfilesDir, Kind: cmdline.Path},
		{Name: optTaskcardsDir, Kind: cmdline.Path}, {Name: optAllowHost, Kind: cmdline.Path, Many: true}, {Name: optAllowLocal}, {Name: optVerbose},
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
	cfg.Log, c.dataDir = log, cfg.DataDir
	if err := c.dataDirFor(cfg.DataDir); err != nil {
		return nil, err
	}
	l, err := launch.New(ctx, cfg)
	if errors.Is(err, fs.ErrPermission) {
		return nil, noDataDir(err)
	}
	if err != nil {
		return nil, &failure{exit: launch.ExitInvalid, err: err}
	}
	return l, nil
}

// dataDirFor makes the data directory for verbs that begin something. Those that
// read want it to be there.
func (c *call) dataDirFor(dir string) error {
	if c.verb.reads {
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return &failure{exit: launch.ExitInvalid, err: fmt.Errorf("there is no data directory %s", dir), hint: optDataDir + " names another one; start makes one"}
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return noDataDir(err)
	}
	return nil
}

func noDataDir(err error) error {
	return &failure{exit: launch.ExitInvalid, err: fmt.Errorf("the data directory cannot be used: %w", err), hint: optDataDir + " names another one"}
}

// with opens the launcher for as long as something is done with it.
func (c *call) with(ctx context.Context, do func(*launch.Launcher) ([]byte, error)) (result []byte, err error) {
	l, err := c.open(ctx, c.logger(slog.LevelError))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	_ = l.Recover(ctx) // whose process was killed is told as such; where nothing can be written, as it was
	return do(l)
}

// ask does what a tool does, and shows its answer as text. What judges the answer
// decides on the exit code.
func ask(tool string, arguments func(*call) (map[string]any, error), text view, judges ...func(json.RawMessage) error) func(context.Context, *call) ([]byte, error) {
	return func(ctx context.Context, c *call) ([]byte, error) {
		given, err := arguments(c)
		if err != nil {
			return nil, err
		}
		return c.with(ctx, func(l *launch.Launcher) ([]byte, error) {
			answer, err := c.patiently(ctx, func() (json.RawMessage, error) { return callTool(ctx, l, tool, given) })
			if err != nil {
				return nil, err
			}
			shown, err := c.show(answer, text)
			for _, judge := range judges {
				err = errors.Join(err, judge(answer))
			}
			return shown, err
		})
	}
}

// A view makes text of the answer of a tool.
type view func(*call, json.RawMessage) ([]byte, error)

// show shows an answer as text, or as it is.
func (c *call) show(answer json.RawMessage, text view) ([]byte, error) {
	if c.Has(optJSON) {
		return shown(answer), nil
	}
	return text(c, answer)
}

func callTool(ctx context.Context, l *launch.Launcher, tool string, arguments map[string]any) (json.RawMessage, error) {
	text, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	return l.Call(ctx, tool, text)
}
