// Package operate is everything that can be done with runs: one method for each
// operation, whoever asks for it.
//
// An operation checks what it is asked, asks the rooms that know (run, queue,
// siteprofile, gitrepo, taskcard), and says what came of it as a value that is
// JSON already by its tags. How it is asked, and how errors are told, is the
// business of those who call.
package operate

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/pr"
	"mcpworks/packs/launch/internal/queue"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/taskcard"
)

// Options are what a launcher is opened with. Zero values mean the defaults.
type Options struct {
	DataDir      string // required
	ProfilesDir  string // further site profiles; empty: none
	AllowLocal   bool   // the profile default takes repositories of this machine
	TaskcardsDir string // empty: the folder taskcards of DataDir

	Concurrency int  // runs executed at once by this process
	PerProfile  int  // runs executed at once for a site profile, by all processes
	QueueLimit  int  // runs that may wait
	Requeue     bool // runs whose executor has died go on by themselves

	// NetworkAllowlist has the hosts that may be talked to: host, *.suffix or
	// host:port. Empty allows none.
	NetworkAllowlist []string
	// Retention is how long the parts of runs are kept after their end.
	Retention run.Retention

	// TelemetryURL is a service that gets all records, beside the store of the
	// data directory; empty or embedded: none. A run may name another one for
	// its own. TelemetryTokenEnv is the variable that has the token for it.
	TelemetryURL, TelemetryTokenEnv string
	// Environ is the environment that secrets are looked for in, and SecretEnv
	// names the variables of it that runs may use, besides GITHUB_TOKEN for the
	// commit service, LAUNCHER_TELEMETRY_…_TOKEN for telemetry, and elsewhere those
	// of the launcher that are named like secrets (LAUNCHER_…_TOKEN).
	Environ, SecretEnv []string

	Clock  func() time.Time
	Random io.Reader // must bear being read at the same time
	Logger *slog.Logger
	// Measure is called with every step of a run in this process; nil: never.
	Measure func(Step)
	// Poll is how often the queue is looked at.
	Poll time.Duration
	// Wait waits before something is tried again; nil means in real time.
	Wait func(ctx context.Context, d time.Duration) error

	// Executor makes what executes runs. Nil leaves them to other processes.
	Executor func(Rooms) (Executor, error)
}

// Rooms are what an executor works with.
type Rooms struct {
	DataDir  string
	Store    *run.Store
	Profiles *siteprofile.Set
	Git      *gitrepo.Git // of the network
	LocalGit *gitrepo.Git // of this machine too; nil if no profile allows that
	Cards    taskcard.Folder
	Logger   *slog.Logger
	Clock    func() time.Time
	// AllowedHosts are those of the network allowlist.
	AllowedHosts []string
	// CommitToken is the value of a variable that runs may name for the commit
	// service.
	CommitToken func(name string) string
	// Secret says whether a text holds the value of a secret variable.
	Secret func(text string) bool
	// Noted is to be called with every step of a run.
	Noted func(runID string, step Step)
	Wait  func(ctx context.Context, d time.Duration) error // as in Options
}

// An Executor does the work of runs: one step at a time for the queue (15.2),
// or what somebody asks for who holds the run.
type Executor interface {
	// Stages are what it does, in order.
	Stages() []run.Stage
	// Execute does the next step of a run; it is a queue.Step.
	Execute(ctx context.Context, held *run.Held) (again bool, err error)
	Validate(ctx context.Context, held *run.Held, gates []string) (artifact.ValidationReport, error)
	FixNext(ctx context.Context, held *run.Held) (pipeline.Fixed, error)
	OpenPR(ctx context.Context, held *run.Held, options pr.Options) (pr.Outcome, error)
}

// A Caller is who asks. Connection and Request are for locks, Identity says
// among whose idempotency keys a key is one and whose turn it is in the queue.
type Caller struct{ Connection, Request, Identity string }

func (c Caller) holder(operation string) run.Holder {
	return run.Holder{Connection: cmp.Or(c.Connection, "local"), Request: c.Request, Operation: operation}
}

// A Launcher does the operations. Its methods may be called at the same time.
type Launcher struct {
	options  Options
	store    *run.Store
	queue    *queue.Queue
	profiles *siteprofile.Set
	git      *gitrepo.Git // nil if there is none on this machine
	local    *gitrepo.Git // as in Rooms
	gitFault error
	cards    taskcard.Folder
	executor Executor
	stages   []run.Stage
	secrets  *secrets
	kept     kept
	*telemetry
}

// cancelGrace leaves the call that cancels time to answer within its ten
// seconds.
const cancelGrace = 9 * time.Second

// Open opens a data directory for operations.
func Open(ctx context.Context, options Options) (*Launcher, error) {
	options = options.withDefaults()
	folder, err := filepath.Abs(options.DataDir)
	if err != nil || options.DataDir == "" {
		return nil, errors.New("the data directory is not set")
	}
	if options.TelemetryTokenEnv != "" && hostOf(options.TelemetryURL) != "" && !keepsTokens(options.TelemetryURL) {
		return nil, errors.New("the telemetry service must begin with https://, since a token is sent there")
	}
	options.DataDir = folder
	l := &Launcher{options: options, secrets: newSecrets(options, folder), kept: newKept(options.Clock)}
	if l.profiles, err = loadProfiles(options.ProfilesDir); err != nil {
		return nil, fmt.Errorf("read the site profiles: %w", err)
	}
	if options.AllowLocal {
		l.profiles.AllowLocal()
	}
	l.cards = taskcard.Folder{Dir: cmp.Or(options.TaskcardsDir, filepath.Join(folder, "taskcards")), BroadPaths: l.anyProfile(func(p *siteprofile.Profile) bool { return p.BroadPaths })}
	l.openGit(ctx)
	l.store, err = run.Open(ctx, folder, run.Options{
		Clock: options.Clock, Random: options.Random, Logger: options.Logger,
		Redact: l.secrets.redactor.Payload, Migrate: queue.Migrate, CancelGrace: cancelGrace,
	})
	if index.Broken(err) {
		return nil, fmt.Errorf("the index of the data directory is broken; when no launcher uses it, remove %s and what begins with that name: it is made again from the runs", index.FileName)
	}
	if err != nil {
		return nil, err
	}
	if l.telemetry, err = openTelemetry(ctx, l); err != nil {
		return nil, errors.Join(err, l.store.Close())
	}
	if err := l.openQueue(); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// openGit looks for git. Without it there is much that can be done, but no new
// run gets far.
func (l *Launcher) openGit(ctx context.Context) {
	l.git, l.gitFault = gitrepo.New(ctx, gitrepo.Options{Admit: l.admit()})
	if l.gitFault == nil && l.localRepos() {
		l.local, l.gitFault = gitrepo.New(ctx, gitrepo.Options{AllowLocal: true, Admit: l.admit()})
	}
	if l.gitFault != nil {
		l.git = nil
		l.options.Logger.Warn("runs cannot be executed here", "error", l.gitFault)
	}
}

// executable says why runs that begin now would wait in vain: this process is to
// execute them, and there is no git.
func (l *Launcher) executable() error {
	if l.options.Executor == nil {
		return nil
	}
	return l.gitFault
}

func (o Options) withDefaults() Options {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

func (l *Launcher) openQueue() (err error) {
	if l.options.Executor != nil && l.git != nil {
		if l.executor, err = l.options.Executor(l.rooms()); err != nil {
			return fmt.Errorf("prepare the execution of runs: %w", err)
		}
		l.stages = l.executor.Stages()
	}
	l.queue, err = queue.New(l.store, l.stages, l.step, queue.Options{
		Concurrency: l.options.Concurrency, PerProfile: l.options.PerProfile, Limit: l.options.QueueLimit,
		Requeue: l.options.Requeue, Poll: l.options.Poll, Clock: l.options.Clock, Logger: l.options.Logger,
	})
	return err
}

func (l *Launcher) rooms() Rooms {
	return Rooms{
		DataDir: l.options.DataDir, Store: l.store, Profiles: l.profiles, Git: l.git, LocalGit: l.local, Cards: l.cards,
		Logger: l.options.Logger, Clock: l.options.Clock, AllowedHosts: l.options.NetworkAllowlist, CommitToken: func(name string) string { return l.secrets.variable(tokenForCommits, name) }, Secret: l.secrets.in,
		Noted: l.noted, Wait: l.options.Wait,
	}
}

// noted is told of what runs do in this process.
func (l *Launcher) noted(runID string, step Step) {
	if step.Gate == "" { // gates have their records with their stage's
		l.note(runID)
	}
	if l.options.Measure != nil {
		l.options.Measure(step)
	}
}

// step is one step of a run.
func (l *Launcher) step(ctx context.Context, held *run.Held) (bool, error) {
	defer l.note(held.ID())
	if left, err := l.leaves(ctx, held); left || err != nil {
		return false, err
	}
	return l.executor.Execute(ctx, held)
}

// Close lets go of the data directory. Work has to have ended before.
func (l *Launcher) Close() error {
	var errs []error
	if closer, ok := l.executor.(io.Closer); ok {
		errs = append(errs, closer.Close())
	}
	return errors.Join(append(errs, l.telemetry.close(), l.store.Close())...)
}

// Work executes queued runs until the context ends, and returns when all steps
// have stopped. Without an executor it only waits.
func (l *Launcher) Work(ctx context.Context) error {
	if l.executor == nil {
		<-ctx.Done()
		return nil
	}
	var keeping sync.WaitGroup
	keeping.Go(func() { l.upkeep(ctx) })
	defer keeping.Wait()
	return l.queue.Work(ctx)
}

// Execute executes one run, and no other, until it rests or the context ends. A
// run that is stopped so waits to be resumed.
func (l *Launcher) Execute(ctx context.Context, runID string) error {
	if l.executor == nil {
		return cmp.Or(l.executable(), errors.New("this process does not work on runs"))
	}
	defer l.note(runID)
	return l.queue.Execute(ctx, runID)
}

// Recover looks once after runs whose executor has died: they are told as
// interrupted, and go on by themselves only if that is wanted.
func (l *Launcher) Recover(ctx context.Context) error { return l.queue.Sweep(ctx) }

// Redact takes secrets and the places of this machine out of a text.
func (l *Launcher) Redact(text string) string { return l.secrets.redactor.Text(text) }

// RedactValue is Redact for decoded JSON.
func (l *Launcher) RedactValue(value any) any { return l.secrets.redactor.Value(value) }

func loadProfiles(folder string) (*siteprofile.Set, error) {
	var files fs.FS
	if folder != "" {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return nil, errors.New("the folder of profiles cannot be read")
		}
		files = os.DirFS(folder)
	}
	return siteprofile.Load(files)
}

// localRepos says whether any profile reads repositories of this machine; each
// profile decides for itself again.
func (l *Launcher) localRepos() bool {
	return l.anyProfile((*siteprofile.Profile).LocalRepos)
}

func (l *Launcher) anyProfile(has func(*siteprofile.Profile) bool) bool {
	return slices.ContainsFunc(l.profiles.Names(), func(name string) bool {
		p, _ := l.profiles.Get(name)
		return has(p)
	})
}
