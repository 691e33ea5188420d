// Package queue decides when and where runs are executed (15). It is River on
// the index of the run store, so that a run and its job come to be in one
// transaction.
//
// The event log says what a run is; a job only says that it has work. One job is
// one step of one run: whoever gets it takes the run's lease, does the step, and
// enqueues the next one, or goes on with it if no other run waits. Jobs that are lost or doubled do no harm: the sweep
// finds the former, and the latter find nothing to do.
//
// What River does not do on SQLite is done beside it: one waiting job per run
// (its own uniqueness would also count the job of an executor that was killed),
// limits per site profile and turns between owners (enqueue.go, place.go), and
// prompt recovery, for which River's rescuer is far too slow.
package queue

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"mcpworks/packs/launch/internal/run"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
)

const queueName = "runs"

//go:embed schema.sql
var schema string

// ErrFull: as many runs wait as may.
var ErrFull = errors.New("the queue is full")

// Options are what an operator decides. Zero values mean the defaults.
type Options struct {
	Concurrency int  // runs executed at once by this process: the number of CPUs
	PerProfile  int  // runs executed at once for a site profile, by all processes: 4
	Limit       int  // runs that may wait: 1000
	Requeue     bool // runs whose executor has died are queued again (recovery: auto)

	SweepEvery time.Duration // how often lost runs are looked for: 30 s
	Poll       time.Duration // how often the queue is looked at: 250 ms
	Clock      func() time.Time
	Logger     *slog.Logger
}

// A Step does one step of a run's work and says whether another shall follow.
// It stops when the context ends. How a run ends or pauses is the step's to
// record; an error is a bug, and fails the run.
type Step func(ctx context.Context, held *run.Held) (again bool, err error)

// A Queue executes the runs of a store.
type Queue struct {
	store   *run.Store
	options Options
	client  *river.Client[*sql.Tx]
	stages  []run.Stage
	step    Step
}

// Migrate makes the tables of the queue. It is what a store's Options.Migrate
// has to call.
func Migrate(ctx context.Context, db *sql.DB) error {
	migrator, err := rivermigrate.New(riversqlite.New(db), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("prepare the queue: %w", err)
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("prepare the queue: %w", err)
	}
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return fmt.Errorf("prepare the queue: %w", err)
	}
	return nil
}

// New makes the queue of a store. Without Work it only takes jobs in.
func New(store *run.Store, stages []run.Stage, step Step, options Options) (*Queue, error) {
	q := &Queue{store: store, options: options.withDefaults(), stages: stages, step: step}
	workers := river.NewWorkers()
	if err := river.AddWorkerSafely(workers, &worker{queue: q}); err != nil {
		return nil, fmt.Errorf("make the queue: %w", err)
	}
	client, err := river.NewClient(riversqlite.New(store.Index().Writer()), &river.Config{
		Logger:               quietLogger(q.options.Logger, q.options.Clock),
		Queues:               map[string]river.QueueConfig{queueName: {MaxWorkers: q.options.Concurrency}},
		Workers:              workers,
		JobTimeout:           -1, // stages have their own
		RescueStuckJobsAfter: 2 * run.LongestTimeout,
		FetchCooldown:        min(50*time.Millisecond, q.options.Poll),
		FetchPollInterval:    q.options.Poll,
	})
	if err != nil {
		return nil, fmt.Errorf("make the queue: %w", err)
	}
	q.client = client
	return q, nil
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		value     *int
		otherwise int
	}{{&o.Concurrency, runtime.NumCPU()}, {&o.PerProfile, 4}, {&o.Limit, 1000}} {
		if *d.value == 0 {
			*d.value = d.otherwise
		}
	}
	if o.SweepEvery == 0 {
		o.SweepEvery = 30 * time.Second
	}
	if o.Poll == 0 {
		o.Poll = 250 * time.Millisecond
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Work executes runs until the context ends. Then the steps are told to stop,
// and their runs are put back into the queue. It returns when all have.
func (q *Queue) Work(ctx context.Context) error {
	if err := q.Sweep(ctx); err != nil {
		return err
	}
	if err := q.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the queue: %w", err)
	}
	var sweeping sync.WaitGroup
	sweeping.Go(func() { q.sweepOn(ctx) })
	<-ctx.Done()
	sweeping.Wait()
	if err := q.client.StopAndCancel(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("stop the queue: %w", err)
	}
	return nil
}

// Sweep looks after runs without an executor once.
func (q *Queue) Sweep(ctx context.Context) error {
	by := run.Holder{Connection: "queue", Request: "sweep", Operation: "recovery"}
	changed, err := q.store.Recover(ctx, by, q.options.Requeue, q.Again)
	for _, id := range changed {
		q.options.Logger.Info("a run without an executor was found", "run_id", id)
	}
	return errors.Join(err, q.unparkFree(ctx))
}

func (q *Queue) sweepOn(ctx context.Context) {
	ticker := time.NewTicker(q.options.SweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := q.Sweep(ctx); err != nil && ctx.Err() == nil {
				q.options.Logger.Warn("the sweep failed", "error", err)
			}
		}
	}
}
