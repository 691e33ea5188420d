package launch

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/commitsvc"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/queue"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/index"
	runstate "mcpworks/packs/launch/internal/run/state"
	"mcpworks/packs/launch/internal/siteprofile"
)

var codeForm = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`) // C-33

// S-35: every code has its error codes, each for one code alone.
func TestS35CodesAreAList(t *testing.T) {
	of := map[string]Code{}
	for code, row := range codes {
		if len(row.errorCodes) == 0 || row.rpc == 0 || row.exit == 0 {
			t.Errorf("%s is not complete: %+v", code, row)
		}
		for _, errorCode := range row.errorCodes {
			if other, twice := of[errorCode]; twice || !codeForm.MatchString(errorCode) {
				t.Errorf("%s of %s is malformed, or one of %s too", errorCode, code, other)
			}
			of[errorCode] = code
		}
	}
}

// S-34, 3.6: what becomes of the errors of the engine.
func TestClassify(t *testing.T) {
	for _, test := range []struct {
		err   error
		code  Code
		retry bool
	}{
		{run.ErrNotFound, RunNotFound, false},
		{&run.MissingError{}, ArtifactNotFound, false},
		{&runstate.IllegalError{State: runstate.Done}, IllegalState, false},
		{&operate.BusyError{Activity: "running"}, IllegalState, true},
		{&run.LockedError{Operation: "validate"}, RunLocked, true},
		{&operate.SlowStopError{}, Timeout, true},
		{eventlog.ErrChainBroken, EventChainBroken, false},
		{run.ErrCancelled, Cancelled, false},
		{&operate.CreationError{Err: queue.ErrFull}, QueueFull, true},
		{&operate.CreationError{Err: index.ErrKeyConflict}, IdempotencyConflict, false},
		{&operate.CreationError{Err: errors.New("disk full")}, RunCreationFailed, true},
		{index.ErrCursor, InvalidInput, false},
		{&siteprofile.InputError{Code: siteprofile.UnsupportedSite}, UnsupportedSite, false},
		{&siteprofile.PolicyError{Code: siteprofile.RepoInvalidHost}, InvalidURL, false},
		{&gitrepo.Error{Kind: gitrepo.Missing}, ToolchainMissing, false},
		{&gitrepo.Error{Kind: gitrepo.NotFound}, RepoNotFound, false},
		{&gitrepo.Error{Kind: gitrepo.Network}, CloneFailed, true},
		{&gitrepo.Error{Kind: gitrepo.TooLarge}, CloneFailed, false},
		{&gitrepo.Error{Kind: gitrepo.Refused, Err: &operate.BlockedError{Host: "x"}}, PolicyViolation, false},
		{&pipeline.Fault{Code: pipeline.CodeExhausted}, FixExhausted, false},
		{&pipeline.Fault{Code: pipeline.CodeRuntime}, BudgetExceeded, false},
		{&pipeline.Fault{Code: "NEW_CODE"}, Internal, false},
		{&commitsvc.Failure{Status: 429}, CommitServiceError, true},
		{&commitsvc.Failure{Status: 403}, CommitServiceError, false},
		{errors.New("what nobody has foreseen in /secret/place"), Internal, false},
	} {
		e := classify(fmt.Errorf("while testing: %w", test.err))
		if e.Code != test.code || e.retryable() != test.retry {
			t.Errorf("%v: %s, retryable %v", test.err, e.Code, e.retryable())
		}
	}
}

// S-30: a call that takes too long is answered in time, and says so.
func TestS30Timeout(t *testing.T) {
	l := &Launcher{going: t.Context(), cfg: Config{Now: time.Now}, timeout: map[string]time.Duration{"slow": time.Millisecond}}
	stopped := make(chan struct{})
	slow := entry{operation: &operation{continues: true, do: func(ctx context.Context, _ *Launcher, _ *call) (any, error) {
		<-ctx.Done()
		close(stopped)
		return nil, ctx.Err()
	}}}
	_, err := l.perform(t.Context(), slow, &call{tool: "slow"})
	if e, ok := isFailure(err); !ok || e.Code != Timeout || !e.retryable() || e.Details["operation_continues"] != true {
		t.Errorf("%v", err)
	}
	<-stopped
	if launchOperation.timeout != 300*time.Second {
		t.Errorf("launch_run may take %v", launchOperation.timeout)
	}
}

// 14.11: a panic is the end of its call alone.
func TestPanicIsAnError(t *testing.T) {
	l := &Launcher{going: t.Context(), cfg: Config{Now: time.Now}, timeout: map[string]time.Duration{"bad": time.Minute}}
	bad := entry{operation: &operation{do: func(context.Context, *Launcher, *call) (any, error) { panic("oh") }}}
	if _, err := l.perform(t.Context(), bad, &call{tool: "bad"}); err == nil || classify(err).Code != Internal || classify(err).Message != "internal error" {
		t.Errorf("%v", err)
	}
}

// S-41: a hundred in any minute.
func TestS41Window(t *testing.T) {
	now := time.Unix(1000, 0)
	w := newWindow(3, func() time.Time { return now })
	for i, step := range []struct {
		after time.Duration
		ok    bool
		wait  time.Duration
	}{{0, true, 0}, {20 * time.Second, true, 0}, {0, true, 0}, {0, false, 40 * time.Second}, {39 * time.Second, false, time.Second}, {time.Second, true, 0}, {0, false, 20 * time.Second}} {
		now = now.Add(step.after)
		if wait, ok := w.enter(); ok != step.ok || wait != step.wait {
			t.Errorf("step %d: %v %v", i, wait, ok)
		}
	}
}
