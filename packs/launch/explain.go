package launch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"mcpworks/packs/launch/internal/commitsvc"
	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/pr"
	"mcpworks/packs/launch/internal/queue"
	"mcpworks/packs/launch/internal/record"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/taskcard"
)

// explain makes any error of a call one of the list, in words that hold no
// secret and no place of this machine.
func (l *Launcher) explain(c *call, err error) *Error {
	e, ok := isFailure(err)
	if !ok {
		e = classify(err)
	}
	told := *e
	if known, _, ok := find(c.tool); ok {
		told.placed(known)
	}
	told.Message = l.Redact(told.Message)
	told.Tool, told.RequestID = c.label(), c.requestID
	if told.RunID == "" {
		told.RunID = c.runID()
	}
	if told.Details != nil {
		told.Details, _ = l.engine.RedactValue(told.Details).(map[string]any)
	}
	return &told
}

// placed adds what the operation knows about an error: in which states it can be
// done, and what it is called when nobody has foreseen it.
func (e *Error) placed(at entry) {
	switch {
	case e.Code == IllegalState && at.states != nil:
		e.Details = maps.Clone(e.Details)
		if e.Details == nil {
			e.Details = map[string]any{}
		}
		e.Details["allowed_states"] = at.states
	case e.Code == Internal && at.unforeseen != "" && e.ErrorCode == "":
		e.Code = at.unforeseen
	}
}

// classify finds the code of an error of the engine.
func classify(err error) *Error {
	for _, kind := range []func(error) *Error{ofArguments, ofFaults, ofRuns, ofRepositories} {
		if e := kind(err); e != nil {
			e.Cause = err
			return e
		}
	}
	if errors.Is(err, context.Canceled) { // nobody waits for it
		return &Error{Code: Cancelled, Message: "the call was cancelled", Cause: err}
	}
	return &Error{Code: Internal, Message: "internal error", Details: map[string]any{"cause_class": "unexpected"}, Cause: err}
}

// ofArguments are errors that another request would not have.
func ofArguments(err error) *Error {
	if invalid, ok := errors.AsType[*config.InvalidError](err); ok {
		e := invalidArguments("launch_start_run", invalid.Violations)
		for i, v := range e.Details["violations"].([]violation) {
			e.Details["violations"].([]violation)[i].Path = "/run_config" + v.Path
		}
		e.Message = "run_config is not valid"
		return e
	}
	if refused, ok := errors.AsType[*operate.RefusedError](err); ok {
		return refusedConfig(refused)
	}
	if input, ok := errors.AsType[*siteprofile.InputError](err); ok {
		e := &Error{Code: Code(input.Code), Message: input.Message, Details: map[string]any{}}
		if input.Missing != nil {
			e.Details["missing_fields"] = input.Missing
		}
		if input.Suggested != nil {
			e.Details["suggested_values"] = input.Suggested
		}
		return e
	}
	if policy, ok := errors.AsType[*siteprofile.PolicyError](err); ok {
		return &Error{Code: InvalidURL, Message: "the URL of the repository " + policy.Reason, Details: map[string]any{"policy_code": policy.Code}}
	}
	if argument, ok := errors.AsType[*operate.ArgumentError](err); ok {
		return &Error{Code: InvalidInput, Message: argument.Error(), Details: map[string]any{"violations": []violation{{argument.Path, "format", argument.Message}}}}
	}
	switch {
	case errors.Is(err, operate.ErrCursor), errors.Is(err, record.ErrCursor):
		return &Error{Code: InvalidInput, Message: "the cursor does not belong to this list", Details: map[string]any{
			"violations": []violation{{"/cursor", "format", "must be the next_cursor of the same list"}},
		}, SuggestedFix: "start again without a cursor"}
	case errors.Is(err, operate.ErrKeyConflict):
		return &Error{Code: IdempotencyConflict, Message: "the idempotency_key was used for another request", SuggestedFix: "use a new key for a new request"}
	case errors.Is(err, taskcard.ErrUnknown):
		return &Error{Code: InvalidInput, Message: err.Error(), SuggestedFix: "call list_taskcards to see all taskcards"}
	case errors.Is(err, run.ErrID):
		return &Error{Code: SchemaValidationFailed, Message: err.Error()}
	}
	return nil
}

func refusedConfig(refused *operate.RefusedError) *Error {
	var list []violation
	var policies []string
	for _, fault := range refused.Faults {
		list = append(list, violation{"/run_config" + fault.Path, "semantics", fault.Message})
		if fault.Policy != "" {
			policies = append(policies, fault.Policy)
		}
	}
	e := &Error{Code: InvalidInput, Message: fmt.Sprintf("run_config cannot be used: %d faults", len(list)), Details: map[string]any{"violations": list}}
	if len(list) == 1 {
		e.Message = refused.Error()
	}
	if policies != nil {
		e.Details["policy_code"] = policies[0]
		e.Details["policy_codes"] = policies
	}
	return e
}

// ofFaults are errors of the stages. One whose code is not in the list is told
// as an internal one, with that code in its details.
func ofFaults(err error) *Error {
	if failed, ok := errors.AsType[*commitsvc.Failure](err); ok {
		e := &Error{Code: CommitServiceError, Message: failed.Error(), Retryable: failed.Retryable(), RetryAfter: failed.RetryAfter}
		if slices.Contains(codes[CommitServiceError].errorCodes, failed.ErrorCode()) {
			e.ErrorCode = failed.ErrorCode()
		}
		if fault, ok := errors.AsType[*pipeline.Fault](err); ok && !fault.Resumable {
			e.Message = fault.Message
		} else if failed.Code == commitsvc.BaseMoved {
			e.Message = "the site has changed since the run was made from it: let the run begin again, and open the pull request then"
			e.SuggestedFix = `call resume_run with "force_from":"CREATED"`
		}
		return e
	}
	if errors.Is(err, pr.ErrNotReady) {
		return &Error{Code: IllegalState, Message: err.Error()}
	}
	fault, ok := errors.AsType[*pipeline.Fault](err)
	if !ok {
		return nil
	}
	for code, row := range codes {
		if slices.Contains(row.errorCodes, fault.Code) {
			return &Error{Code: code, ErrorCode: fault.Code, Message: fault.Message, Retryable: fault.Retryable}
		}
	}
	return &Error{Code: Internal, Message: fault.Message, Retryable: fault.Retryable, Details: map[string]any{"cause_class": fault.Code}}
}

// ofRuns are errors that come of how a run is.
func ofRuns(err error) *Error {
	if missing, ok := errors.AsType[*run.MissingError](err); ok {
		details := map[string]any{"available": missing.Available}
		if missing.Expired {
			details["expired"] = true
		}
		return &Error{Code: ArtifactNotFound, Message: err.Error(), Details: details}
	}
	if illegal, ok := errors.AsType[*operate.IllegalError](err); ok {
		return &Error{Code: IllegalState, Message: illegal.Error(), Details: map[string]any{"state": string(illegal.State)}}
	}
	if busy, ok := errors.AsType[*operate.BusyError](err); ok {
		return &Error{Code: IllegalState, Message: busy.Error(), Retryable: true, Details: map[string]any{"state": string(busy.State), "activity": string(busy.Activity)}}
	}
	if locked, ok := errors.AsType[*run.LockedError](err); ok {
		e := &Error{Code: RunLocked, Message: locked.Error(), Details: map[string]any{"holder_tool": locked.Operation}}
		if locked.Dead { // his lease ends by itself
			e.Details["holder_gone"] = true
			e.RetryAfter = max(time.Until(locked.Until), usualPause)
		}
		return e
	}
	if slow, ok := errors.AsType[*operate.SlowStopError](err); ok {
		return &Error{Code: Timeout, Message: slow.Error(), Details: map[string]any{"operation_continues": true}}
	}
	switch {
	case errors.Is(err, run.ErrNotFound):
		return &Error{Code: RunNotFound, Message: err.Error(), SuggestedFix: "call list_runs to find existing runs"}
	case errors.Is(err, operate.ErrChainBroken):
		return &Error{Code: EventChainBroken, Message: "the event log of the run was tampered with: it can be read, and not be changed"}
	case errors.Is(err, run.ErrCancelled):
		return &Error{Code: Cancelled, Message: err.Error()}
	case errors.Is(err, queue.ErrFull):
		return &Error{Code: QueueFull, Message: err.Error()}
	}
	if _, ok := errors.AsType[*operate.CreationError](err); ok && !errors.Is(err, context.Canceled) {
		return &Error{Code: RunCreationFailed, Message: "the run could not be created"}
	}
	return nil
}

// ofRepositories are errors of git and of the network.
func ofRepositories(err error) *Error {
	if blocked, ok := errors.AsType[*operate.BlockedError](err); ok {
		return &Error{Code: PolicyViolation, ErrorCode: "NETWORK_BLOCKED", Message: blocked.Error(), Details: map[string]any{"host": blocked.Host},
			SuggestedFix: "the operator has to add the host to network_allowlist"}
	}
	failed, ok := errors.AsType[*gitrepo.Error](err)
	if !ok {
		return nil
	}
	told := func(otherwise string) string {
		if which, ok := errors.AsType[*pipeline.UnfetchedError](err); ok {
			return which.Error()
		}
		return otherwise
	}
	switch failed.Kind {
	case gitrepo.Missing:
		return &Error{Code: ToolchainMissing, Message: "git 2.30 or newer is needed on the server"}
	case gitrepo.NotFound:
		return &Error{Code: RepoNotFound, Message: told("there is no repository that can be read")}
	case gitrepo.Empty:
		return &Error{Code: RepoNotFound, ErrorCode: "REPO_EMPTY", Message: told("the repository has no commit")}
	case gitrepo.UnknownRef:
		return &Error{Code: InvalidInput, Message: told("the repository has no such branch, tag or commit")}
	case gitrepo.Refused:
		return &Error{Code: PolicyViolation, ErrorCode: "POLICY_NETWORK_UNAUTHORIZED_HOST", Message: told("the repository must not be read")}
	case gitrepo.Cancelled:
		return nil
	}
	return &Error{Code: CloneFailed, Message: told("the repository could not be fetched"), Retryable: failed.Retryable(), Details: map[string]any{"kind": string(failed.Kind)}}
}
