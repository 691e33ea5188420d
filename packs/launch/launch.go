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
	"regexp"
	"slices"
	"sync"
	"time"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/ratelimit"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/redact"
	"mcpworks/packs/launch/internal/run"
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
	// AllowLocalRepos makes the profile default take repositories of this machine.
	AllowLocalRepos bool
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

	// TelemetryURL is a service that gets all records, beside the data
	// directory; empty means none. TelemetryTokenEnv names the variable that
	// has the token for it.
	TelemetryURL, TelemetryTokenEnv string
	// SecretEnv names the variables of Environ that runs may use for tokens,
	// besides GITHUB_TOKEN and those that begin with LAUNCHER_ and end in _TOKEN,
	// _KEY, _SECRET or _PASSWORD.
	SecretEnv []string
	// KeepWork, KeepReports and KeepRun are how long the work and drafts of a
	// run, its reports and logs, and all the rest are kept after its end; 7, 30
	// and 90 days.
	KeepWork, KeepReports, KeepRun time.Duration

	CallsPerMinute int // tool calls of one connection; 100
	InFlight       int // calls of one connection at once; 64
	// HTTP says that clients come over HTTP: all with one token together have
	// four times the calls of one.
	HTTP bool
	// Timeouts are those of tools by name, where the table's shall not hold.
	Timeouts map[string]time.Duration
	// Grace is how long calls may go on after a request to stop; 10 minutes.
	Grace time.Duration
	// Linger lets the runs at work come to their next stable state before a
	// process ends whose client is gone.
	Linger bool
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
		{"work_days", int(c.KeepWork / time.Hour)}, {"reports_days", int(c.KeepReports / time.Hour)}, {"run_days", int(c.KeepRun / time.Hour)},
	} {
		if limit.value < 0 {
			return fmt.Errorf("%s cannot be negative", limit.name)
		}
	}
	for _, host := range c.NetworkAllowlist {
		if !hostForm.MatchString(host) {
			return fmt.Errorf("network_allowlist: %q is no host; it has to be like code.example, *.code.example or code.example:8443", host)
		}
	}
	for _, name := range c.SecretEnv {
		if !variableForm.MatchString(name) {
			return fmt.Errorf("secret_env: %q is no name of a variable", name)
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

var (
	hostForm     = regexp.MustCompile(`^(\*\.)?([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(:[0-9]{1,5})?$|^\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?$`)
	variableForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// A Launcher does operations on the runs of a data directory. Several may share
// one directory, in one process or in many.
type Launcher struct {
	cfg     Config
	engine  *operate.Launcher
	inputs  map[string]*jsonschema.Schema // by tool
	inside  *ratelimit.Gate
	tokens  shares
	numbers *numbers

	departure departure
	timeout   map[string]time.Duration // by tool
	atWork    sync.WaitGroup           // operations, also those whose callers are gone
	going     context.Context          // ends with Abort
	abort     context.CancelFunc
}

// New opens the data directory. The launcher has to be closed once its servers
// and its work have ended.
func New(ctx context.Context, cfg Config) (*Launcher, error) {
	return open(ctx, cfg, operate.Pipeline, 0)
}

// open opens it for an executor. Poll is how often the queue is looked at; 0 means
// as often as usual.
func open(ctx context.Context, cfg Config, executor func(operate.Rooms) (operate.Executor, error), poll time.Duration) (*Launcher, error) {
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
	going, abort := context.WithCancel(context.Background())
	l := &Launcher{going: going, abort: abort, cfg: cfg, inputs: map[string]*jsonschema.Schema{}, timeout: map[string]time.Duration{}}
	l.tokens.open = func() *window { return newWindow(tokenShare*cfg.CallsPerMinute, cfg.Now) }
	l.numbers = newNumbers(l)
	var err error
	if l.inside, err = ratelimit.NewGate(ratelimit.GateConfig{Total: max(defaultInFlightTotal, cfg.InFlight), PerKey: cfg.InFlight}); err != nil {
		return nil, err
	}
	for _, entry := range catalogue {
		schema, err := jsonschema.Compile([]byte(entry.input))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry.name, err)
		}
		for _, name := range entry.all() {
			l.inputs[name] = schema
			l.timeout[name] = cmp.Or(cfg.Timeouts[name], entry.timeout)
		}
	}
	l.engine, err = operate.Open(ctx, operate.Options{
		Measure: l.numbers.measure,
		DataDir: cfg.DataDir, ProfilesDir: cfg.ProfilesDir, AllowLocal: cfg.AllowLocalRepos, TaskcardsDir: cfg.TaskcardsDir,
		Concurrency: cfg.Concurrency, PerProfile: cfg.PerProfile, QueueLimit: cfg.QueueLimit, Requeue: cfg.Requeue,
		NetworkAllowlist: cfg.NetworkAllowlist, Environ: cfg.Environ, SecretEnv: cfg.SecretEnv,
		TelemetryURL: cfg.TelemetryURL, TelemetryTokenEnv: cfg.TelemetryTokenEnv,
		Retention: run.Retention{Work: cfg.KeepWork, Reports: cfg.KeepReports, Run: cfg.KeepRun}, Clock: cfg.Now, Logger: cfg.Log, Executor: l.departure.departing(executor), Poll: poll,
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Abort cancels all calls, and those to come.
func (l *Launcher) Abort() { l.abort() }

// Close lets go of the data directory. Operations that are still at work, whose
// callers have been told to go, end before.
func (l *Launcher) Close() error {
	l.atWork.Wait()
	l.abort()
	return l.engine.Close()
}

// Remove deletes a data directory that nobody has open, with what is read-only in
// it.
func Remove(dataDir string) error { return gitrepo.Remove(dataDir) }

// Work executes queued runs, those of other processes too, until the context
// ends. It returns when all steps have stopped; their runs can go on later.
func (l *Launcher) Work(ctx context.Context) error {
	err := l.engine.Work(ctx)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil // it ended while it began
	}
	return err
}

// Execute executes one run, and no other, until it rests or the context ends. A
// run that is stopped so waits to be resumed.
func (l *Launcher) Execute(ctx context.Context, runID string) error {
	err := l.engine.Execute(ctx, runID)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// Recover looks once after runs whose process has died: they are told as
// interrupted from then on.
func (l *Launcher) Recover(ctx context.Context) error { return l.engine.Recover(ctx) }

// Redact takes secrets and the places of this machine out of a text.
func (l *Launcher) Redact(text string) string { return l.engine.Redact(text) }

// IsSecretVariable says whether a variable of the environment is called as those
// are that hold secrets: LAUNCHER_COMMIT_TOKEN, say.
func IsSecretVariable(name string) bool { return redact.IsSecretVariable(name) }
