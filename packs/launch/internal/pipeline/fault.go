package pipeline

import (
	"context"
	"errors"

	"mcpworks/packs/launch/internal/commitsvc"
	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/stage/scout"
)

// The codes of faults that no other room has.
const (
	CodeConfig        = "ORCHESTRATOR_CONFIG_UNUSABLE"
	CodeStageTimeout  = "ORCHESTRATOR_STAGE_TIMEOUT"
	CodeRuntime       = "BUDGET_EXCEEDED_RUNTIME"
	CodePatchAttempts = "BUDGET_EXCEEDED_PATCH_ATTEMPTS"
	CodeOutOfScope    = "LINKER_ALLOWED_PATHS_VIOLATION"
	CodeWriteFailed   = "LINKER_WRITE_FAILED"
	CodeExhausted     = "FIXER_EXHAUSTED"
)

// A Fault is why a run cannot go on. Its message is for people, and has nothing
// of this machine in it.
type Fault struct {
	Code    string // as 3.6 has it, or that of the blocker
	Stage   string
	Message string
	// Blocked: a policy or somebody outside has refused.
	Blocked bool
	// Resumable: the same may work later, or after somebody has helped.
	Resumable bool
	// Retryable: it is worth trying again at once.
	Retryable bool
	Err       error
}

func (f *Fault) Error() string { return f.Code + ": " + f.Message }
func (f *Fault) Unwrap() error { return f.Err }

// failure is the fault as the log has it (5.1).
func (f *Fault) failure() snapshot.Failure {
	class := "FAILED"
	if f.Blocked {
		class = "BLOCKED"
	}
	return snapshot.Failure{Class: class, ErrorCode: f.Code, Message: f.Message, Stage: f.Stage, Resumable: f.Resumable}
}

// faultOf finds out what an error means for the run; nil if it is none that is
// foreseen.
func faultOf(err error) *Fault {
	if fault, ok := errors.AsType[*Fault](err); ok {
		return fault
	}
	if run.Full(err) {
		return &Fault{Code: run.CodeFull, Message: run.ErrFull.Error(), Resumable: true, Err: err}
	}
	if policy, ok := errors.AsType[*siteprofile.PolicyError](err); ok {
		return &Fault{Code: policy.Code, Message: policy.Reason, Blocked: true, Err: err}
	}
	if refusal, refused := fence.Refused(err); refused {
		return &Fault{Code: CodeOutOfScope, Message: refusal.Error(), Blocked: true, Err: err}
	}
	if budget, ok := errors.AsType[*patch.BudgetError](err); ok {
		return &Fault{Code: budget.Code, Message: budget.What, Blocked: true, Err: err}
	}
	if conflict, ok := errors.AsType[*patch.ConflictError](err); ok {
		return &Fault{Code: patch.ConflictCode, Message: conflict.Error(), Resumable: true, Err: err}
	}
	if written, ok := errors.AsType[*patch.WriteError](err); ok {
		return &Fault{Code: CodeWriteFailed, Message: "the file " + written.Path + " could not be written", Resumable: true, Retryable: true, Err: err}
	}
	if failed, ok := errors.AsType[*commitsvc.Failure](err); ok {
		return &Fault{Code: failed.ErrorCode(), Message: failed.Error(), Blocked: failed.Blocked(), Resumable: failed.Resumable(), Err: err}
	}
	return repositoryFault(err)
}

// repositoryFault is for errors of git and of the scout.
func repositoryFault(err error) *Fault {
	kind := gitrepo.KindOf(err)
	if kind == "" && !errors.Is(err, scout.ErrEmpty) && !errors.Is(err, scout.ErrTooLarge) {
		return nil
	}
	code, retryable := scout.ErrorCode(err)
	final := code == "REPO_EMPTY" || kind == gitrepo.Refused || kind == gitrepo.Unsupported || errors.Is(err, scout.ErrTooLarge)
	return &Fault{Code: code, Message: err.Error(), Blocked: kind == gitrepo.Refused, Resumable: !final, Retryable: retryable, Err: err}
}

// blocked is the fault of a stage that has found a blocker. An error without one
// stays as it is.
func blocked(issues []issue.Issue, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || faultOf(err) != nil {
		return err
	}
	for _, i := range issues {
		if i.Severity == issue.Blocker {
			return &Fault{Code: i.Code, Message: i.Message, Resumable: true, Err: err}
		}
	}
	return err
}
