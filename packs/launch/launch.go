// Package launch turns product repositories into pages of a site, run by run:
// as a Launcher that does operations, and as an MCP server whose tools are these
// operations under all their names.
//
// Section numbers and statements such as S-2 refer to the launcher's contract.
// An operation has one file here, with its schemas; what it does is done by the
// engine, which knows nothing of MCP.
package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/ratelimit"
	"mcpworks/packs/launch/internal/operate"
)

// Name is what the server calls itself (3.1).
const Name = "foss-launcher-mcp"

// What an operator has not decided (14).
const (
	defaultCallsPerMinute = 100
	defaultInFlight       = 64
	defaultInFlightTotal  = 1024
	defaultGrace          = 600 * time.Second
	// disconnectGrace is how long calls of a client that is gone may go on.
	disconnectGrace = time.Second
)

// MaxMessage is the longest message that the server takes, in bytes (3.1).
const MaxMessage = 16 << 20

// Config is what an operator decides. Zero values mean the defaults.
type Config struct {
	// DataDir is where runs are kept; required. It is made if need be.
	DataDir string
	// ProfilesDir has further site profiles; empty means none.
	ProfilesDir string
	// TaskcardsDir has the taskcards; empty means taskcards in DataDir.
	TaskcardsDir string

	Concurrency int // runs executed at once; the number of processors
	PerProfile  int // runs executed at once for one site, by all processes; 4
	QueueLimit  int // runs that may wait; 1000
	// Requeue lets runs whose executor has died go on by themselves.
	Requeue bool

	// NetworkAllowlist has the hosts that runs may talk to, as host, *.suffix
	// or host:port; empty means none.
	NetworkAllowlist []string

	CallsPerMinute int // tool calls of one connection; 100
	InFlight       int // calls of one connection at once; 64
	// Timeouts are those of tools by name, where the table's shall not hold.
	Timeouts map[string]time.Duration
	// Grace is how long calls may go on after a request to stop; 10 minutes.
	Grace time.Duration
	// ErrorsAsResults answers failed calls with results that say so, for
	// clients that hide JSON-RPC errors from the model (C-3).
	ErrorsAsResults bool

	// Environ is the environment that secrets are looked for in.
	Environ []string
	// Log gets what happens; nil means nowhere.
	Log *slog.Logger
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Validate reports what cannot be used.
func (c *Config) Validate() error {
	if c.DataDir == "" {
		return errors.New("the data directory is not set")
	}
	for _, limit := range []struct {
		name  string
		value int
	}{
		{"concurrency", c.Concurrency}, {"per_profile", c.PerProfile}, {"queue_limit", c.QueueLimit},
		{"calls_per_minute", c.CallsPerMinute}, {"inflight_per_connection", c.InFlight}, {"shutdown_grace_s", int(c.Grace / time.Second)},
	} {
		if limit.value < 0 {
			return fmt.Errorf("%s cannot be negative", limit.name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Timeouts)) {
		if _, _, ok := find(name); !ok {
			return fmt.Errorf("tool_timeout_s: there is no tool %q", name)
		}
		if c.Timeouts[name] <= 0 {
			return fmt.Errorf("tool_timeout_s: the time of %s must be above 0", name)
		}
	}
	return nil
}

// A Launcher does operations on the runs of a data directory. Several may share
// one directory, in one process or in many.
type Launcher struct {
	cfg     Config
	engine  *operate.Launcher
	inputs  map[string]*jsonschema.Schema // by tool
	inside  *ratelimit.Gate
	timeout map[string]time.Duration // by tool
}

// New opens the data directory. The launcher has to be closed once its servers
// and its work have ended.
func New(ctx context.Context, cfg Config) (*Launcher, error) { return open(ctx, cfg, operate.Pipeline) }

func open(ctx context.Context, cfg Config, executor func(operate.Rooms) (operate.Executor, error)) (*Launcher, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg.CallsPerMinute = cmp.Or(cfg.CallsPerMinute, defaultCallsPerMinute)
	cfg.InFlight = cmp.Or(cfg.InFlight, defaultInFlight)
	cfg.Grace = cmp.Or(cfg.Grace, defaultGrace)
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	l := &Launcher{cfg: cfg, inputs: map[string]*jsonschema.Schema{}, timeout: map[string]time.Duration{}}
	var err error
	if l.inside, err = ratelimit.NewGate(ratelimit.GateConfig{Total: max(defaultInFlightTotal, cfg.InFlight), PerKey: cfg.InFlight}); err != nil {
		return nil, err
	}
	for _, entry := range catalogue {
		for _, name := range entry.all() {
			if l.inputs[name], err = jsonschema.Compile([]byte(entry.input)); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			l.timeout[name] = cmp.Or(cfg.Timeouts[name], entry.timeout)
		}
	}
	l.engine, err = operate.Open(ctx, operate.Options{
		DataDir: cfg.DataDir, ProfilesDir: cfg.ProfilesDir, TaskcardsDir: cfg.TaskcardsDir,
		Concurrency: cfg.Concurrency, PerProfile: cfg.PerProfile, QueueLimit: cfg.QueueLimit, Requeue: cfg.Requeue,
		NetworkAllowlist: cfg.NetworkAllowlist, Environ: cfg.Environ, Clock: cfg.Now, Logger: cfg.Log, Executor: executor,
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Close lets go of the data directory.
func (l *Launcher) Close() error { return l.engine.Close() }

// Work executes queued runs, those of other processes too, until the context
// ends. It returns when all steps have stopped; their runs can go on later.
func (l *Launcher) Work(ctx context.Context) error { return l.engine.Work(ctx) }

// Redact takes secrets and the places of this machine out of a text.
func (l *Launcher) Redact(text string) string { return l.engine.Redact(text) }
