// Package pipeline executes runs: it gives each stage what it needs, keeps what
// comes of it, and decides where the run goes from there (5.7–5.9, 6).
//
// A step is the work that begins in one state. It reads nothing but the run's
// own folder, the repositories at their commits, and the rules of the site; and
// everything that it makes is an artifact with its event. So a step can be
// killed anywhere and done again: what was finished before is found and skipped,
// and the rest comes out the same.
//
//   - item.go: one piece of work with its time-out and its retries
//   - step.go: who is told of what is going on
//   - fault.go: what a failure means for the run
//   - worktree.go: the site as it will be, made of its base and the patches
//   - one file for each stage
package pipeline

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"time"

	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/pr"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/taskcard"
)

// The workers, as events, time-outs and artifacts name them.
const (
	scoutWorker   = "W1"
	factsWorker   = "W2"
	snippetWorker = "W3"
	planWorker    = "W4"
	writeWorker   = "W5"
	reviewWorker  = "W5.5"
	linkWorker    = "W6"
	gateWorker    = "W7"
	fixWorker     = "W8"
	publishWorker = "W9"
)

// Stages are the workers in their order, for resuming. If the work of the
// reviewer is lost, so are the drafts that he has changed.
func (*Pipeline) Stages() []run.Stage {
	return []run.Stage{
		{Worker: scoutWorker, From: state.ClonedInputs},
		{Worker: factsWorker, After: []string{scoutWorker}, From: state.Ingested},
		{Worker: snippetWorker, After: []string{factsWorker}, From: state.FactsReady},
		{Worker: planWorker, After: []string{snippetWorker}, From: state.FactsReady},
		{Worker: writeWorker, After: []string{planWorker}, From: state.PlanReady},
		{Worker: reviewWorker, After: []string{writeWorker}, From: state.PlanReady},
		{Worker: linkWorker, After: []string{reviewWorker}, From: state.DraftReady},
		{Worker: gateWorker, After: []string{linkWorker}, From: state.DraftReady},
		{Worker: fixWorker, After: []string{linkWorker}, From: state.DraftReady},
		{Worker: publishWorker, After: []string{gateWorker}, From: state.ReadyForPR},
	}
}

// Options are what the server has for all runs.
type Options struct {
	// Folder is the data directory, with the repositories in it.
	Folder string
	// Git fetches from the network.
	Git *gitrepo.Git
	// LocalGit also fetches from this machine, for profiles that allow it; nil
	// means that none may.
	LocalGit *gitrepo.Git
	Profiles *siteprofile.Set
	// Rulesets and Templates are looked at before those of the program.
	Rulesets, Templates []fs.FS
	// Version is that of the launcher.
	Version string
	// AllowedHosts are those that runs may talk to, besides those of a profile.
	AllowedHosts []string
	// Taskcard finds the card that a run names, which may allow whole trees where
	// the profile says so; nil means that there are none.
	Taskcard func(id string, broadPaths bool) *taskcard.Report
	// Service is who commits for a run; nil means that nobody does.
	Service func(c *config.Config) (pr.Service, error)

	// Secret says whether a text holds a secret of the operator; files of products
	// that do are not read. Nil: there are none.
	Secret func(text string) bool
	// Noted is called with every step of a run, which its log has by then, by
	// the goroutine that works on the run. Nil: nobody wants to know.
	Noted func(runID string, step Step)

	Clock  func() time.Time                                 // nil: time.Now
	Wait   func(ctx context.Context, d time.Duration) error // nil: in real time
	Chance func() float64                                   // nil: at random; between 0 and 1
}

// A Pipeline executes the runs of a store. Many goroutines may use it, each with
// a run of its own.
type Pipeline struct {
	store   *run.Store
	options Options
}

// New makes the pipeline of a store.
func New(store *run.Store, options Options) (*Pipeline, error) {
	if store == nil || options.Git == nil || options.Profiles == nil || options.Folder == "" {
		return nil, errors.New("pipeline: a store with its folder, git and site profiles are needed")
	}
	if options.Clock == nil {
		options.Clock = time.Now
	}
	if options.Wait == nil {
		options.Wait = wait
	}
	if options.Chance == nil {
		options.Chance = rand.Float64
	}
	return &Pipeline{store, options}, nil
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// nodes are the work that begins in each state.
var nodes = map[state.State]func(*job, context.Context) error{
	state.Created:      (*job).clone,
	state.ClonedInputs: (*job).scout,
	state.Ingested:     (*job).facts,
	state.FactsReady:   (*job).plan,
	state.PlanReady:    (*job).draft,
	state.Drafting:     (*job).draft,
	state.DraftReady:   (*job).link,
	state.Linking:      (*job).link,
	state.Validating:   (*job).validate,
	state.Fixing:       (*job).fix,
	state.ReadyForPR:   (*job).publish,
	state.PROpened:     (*job).publish,
}

// Execute does the work that begins in the state of a run, and says whether
// there is more to do. It is a queue.Step. A run that fails is recorded as failed; an
// error is a bug, or the end of the context.
func (p *Pipeline) Execute(ctx context.Context, held *run.Held) (again bool, err error) {
	j, err := p.job(held)
	if err == nil {
		again, err = j.step(ctx)
	}
	if fault, ok := errors.AsType[*Fault](err); ok && ctx.Err() == nil {
		return false, held.Fail(ctx, fault.failure())
	}
	return again, err
}

func (j *job) step(ctx context.Context) (again bool, err error) {
	before := j.held.Snapshot()
	if j.reached(before) {
		return false, j.held.Pause(ctx, snapshot.StopAt)
	}
	if err := j.withinRuntime(before); err != nil {
		return false, err
	}
	node := nodes[before.State]
	if node == nil {
		return false, &state.IllegalError{State: before.State, Reason: "no work begins here"}
	}
	if err := node(j, ctx); err != nil {
		return false, err
	}
	now := j.held.Snapshot()
	switch {
	case now.Activity != snapshot.Running: // the node has paused or ended it
		return false, nil
	case j.reached(now), now.Until == untilNextStable && now.State != before.State && now.State.Stable():
		return false, j.held.Pause(ctx, snapshot.StopAt)
	}
	return true, nil
}

// untilNextStable is the order to stop at the next state a run can rest in.
const untilNextStable = "next_stable"

// reached says whether the run is where it shall stop. A draft is ready when it
// has been reviewed. Nothing is published by going to the next stable state.
func (j *job) reached(s *snapshot.Snapshot) bool {
	target := state.State(cmp.Or(s.Until, s.StopAt, j.config.StopAt))
	if target == untilNextStable {
		target = state.ReadyForPR
	}
	switch {
	case target == "" || s.State.Before(target) || s.State == state.PROpened:
		return false
	case s.State == state.DraftReady:
		return j.reviewed(s)
	}
	return true
}

// place is a folder or file of the run on this machine.
func (j *job) place(parts ...string) string {
	return filepath.Join(append([]string{j.options.Folder, "runs", j.held.ID()}, parts...)...)
}
