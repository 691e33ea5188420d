package snapshot

import (
	"cmp"
	"encoding/json"
	"slices"

	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/state"
)

// The types of events that change a snapshot.
const (
	RunCreated         = "RUN_CREATED"
	RunQueued          = "RUN_QUEUED"
	RunStarted         = "RUN_STARTED"
	RunPaused          = "RUN_PAUSED"
	RunStateChanged    = "RUN_STATE_CHANGED"
	SectionChanged     = "SECTION_STATE_CHANGED"
	InputsCloned       = "INPUTS_CLONED"
	ArtifactWritten    = "ARTIFACT_WRITTEN"
	ArtifactStale      = "ARTIFACT_STALE"
	WorkItemQueued     = "WORK_ITEM_QUEUED"
	WorkItemStarted    = "WORK_ITEM_STARTED"
	WorkItemFinished   = "WORK_ITEM_FINISHED"
	WorkItemFailed     = "WORK_ITEM_FAILED"
	WorkItemSkipped    = "WORK_ITEM_SKIPPED"
	IssueOpened        = "ISSUE_OPENED"
	IssueResolved      = "ISSUE_RESOLVED"
	IssueUnfixable     = "ISSUE_UNFIXABLE"
	FixAttempted       = "FIX_ATTEMPTED"
	LLMCallStarted     = "LLM_CALL_STARTED"
	LLMCallFinished    = "LLM_CALL_FINISHED"
	RunCancelRequested = "RUN_CANCEL_REQUESTED"
	RunInterrupted     = "RUN_INTERRUPTED"
	RunResumed         = "RUN_RESUMED"
	CommitIntent       = "COMMIT_INTENT"
	CommitCreated      = "COMMIT_CREATED"
	PROpened           = "PR_OPENED"
	RunCompleted       = "RUN_COMPLETED"
	RunFailed          = "RUN_FAILED"
)

// Types that change nothing, beside those of the stages.
const (
	ResumeRewind      = "RESUME_REWIND"
	InvalidTransition = "INVALID_STATE_TRANSITION"
)

// effects are the reducer, one row per type of event.
var effects = map[string]func(*Snapshot, eventlog.Event){
	RunCreated: func(s *Snapshot, e eventlog.Event) {
		*s = Snapshot{
			SchemaVersion: Version, RunID: e.RunID, State: state.Created, StableState: state.Created, Activity: Queued,
			Sections: map[string]state.Section{}, Artifacts: map[string]Artifact{}, Inputs: json.RawMessage("{}"), CreatedAt: e.Time,
		}
		read(e, &s.Created)
	},
	RunQueued: func(s *Snapshot, e eventlog.Event) {
		s.rest(Queued, "")
		p := payload[Order](e)
		s.StopAt = cmp.Or(p.StopAt, s.StopAt)
		s.Until, s.Rewind, s.ForceFrom = p.Until, p.Rewind, p.ForceFrom
	},
	RunStarted: func(s *Snapshot, e eventlog.Event) { s.rest(Running, ""); s.Rewind, s.ForceFrom = false, "" },
	RunPaused:  func(s *Snapshot, e eventlog.Event) { s.rest(Paused, payload[Pause](e).Reason) },
	RunInterrupted: func(s *Snapshot, e eventlog.Event) {
		s.rest(Paused, Interrupted)
		s.Rewind = true
	},
	RunResumed:         func(s *Snapshot, e eventlog.Event) {}, // what follows it counts: it may be the last event before a crash
	RunCancelRequested: func(s *Snapshot, e eventlog.Event) { s.CancelRequested = true },
	RunStateChanged: func(s *Snapshot, e eventlog.Event) {
		p := payload[Change](e)
		s.InputsHash = cmp.Or(p.InputsHash, s.InputsHash)
		s.enter(p.New, e.Time)
	},
	RunCompleted: func(s *Snapshot, e eventlog.Event) { s.rest(Finished, "") },
	RunFailed: func(s *Snapshot, e eventlog.Event) {
		failure := payload[Failure](e)
		s.Failure = &failure
	},
	SectionChanged: func(s *Snapshot, e eventlog.Event) {
		p := payload[SectionChange](e)
		if p.New == state.Blocked {
			s.BlockedFrom = with(s.BlockedFrom, p.Section, p.Old)
		} else {
			delete(s.BlockedFrom, p.Section)
		}
		s.Sections = with(s.Sections, p.Section, p.New)
	},
	InputsCloned: func(s *Snapshot, e eventlog.Event) { s.Inputs = e.Payload },
	ArtifactWritten: func(s *Snapshot, e eventlog.Event) {
		p := payload[Writing](e)
		s.Artifacts = with(s.Artifacts, p.Name, Artifact{p.Path, p.SHA256, p.Size, p.SchemaID, p.Writer, e.Time, e.ID, false})
	},
	ArtifactStale: func(s *Snapshot, e eventlog.Event) {
		name := payload[Staleness](e).Name
		if entry, ok := s.Artifacts[name]; ok {
			entry.Stale = true
			s.Artifacts[name] = entry
		}
	},
	WorkItemQueued:   itemEffect(ItemQueued),
	WorkItemStarted:  itemEffect(ItemRunning),
	WorkItemFinished: itemEffect(ItemFinished),
	WorkItemFailed:   itemEffect(ItemFailed),
	WorkItemSkipped:  itemEffect(ItemSkipped),
	IssueOpened: func(s *Snapshot, e eventlog.Event) {
		found := payload[Finding](e).Issue
		if i := s.issueAt(found.ID); i >= 0 {
			s.Issues[i] = found
		} else {
			s.Issues = append(s.Issues, found)
		}
	},
	IssueResolved:  issueEffect(issue.Resolved),
	IssueUnfixable: issueEffect(issue.Unfixable),
	FixAttempted:   func(s *Snapshot, e eventlog.Event) { s.FixAttempts++ },
	LLMCallStarted: func(s *Snapshot, e eventlog.Event) { s.Budgets.LLMCalls++ },
	LLMCallFinished: func(s *Snapshot, e eventlog.Event) {
		s.Budgets.LLMTokens += payload[struct {
			Usage struct {
				Total int64 `json:"total_tokens"`
			} `json:"token_usage"`
		}](e).Usage.Total
	},
	CommitIntent:  publish,
	CommitCreated: publish,
	PROpened:      publish,
}

// Reduce applies an event. It says whether the snapshot has changed; an audit
// event leaves no trace in it at all (18.6).
func (s *Snapshot) Reduce(e eventlog.Event) bool {
	effect, ok := effects[e.Type]
	if !ok {
		return false
	}
	effect(s, e)
	s.UpdatedAt, s.LastSeq, s.LastHash = e.Time, e.Seq, e.Hash
	return true
}

// Reduces says whether events of the type change a snapshot.
func Reduces(eventType string) bool { return effects[eventType] != nil }

// enter changes the state and what follows from it.
func (s *Snapshot) enter(to state.State, now string) {
	s.State, s.EndedAt = to, ""
	if to != state.Failed {
		s.Failure = nil
	}
	switch {
	case to.Terminal():
		s.rest(Finished, "")
		s.EndedAt = now
	case to == state.Failed && s.Failure != nil && s.Failure.Resumable:
		s.rest(Paused, FailedPause)
		s.EndedAt = now
	case to == state.Failed:
		s.rest(Finished, "")
		s.EndedAt = now
	case to.Rewound().Stable():
		s.StableState = to.Rewound()
	}
}

func (s *Snapshot) rest(activity Activity, reason string) {
	s.Activity, s.PauseReason = activity, reason
}

func (s *Snapshot) issueAt(id string) int {
	return slices.IndexFunc(s.Issues, func(i issue.Issue) bool { return i.ID == id })
}

func issueEffect(status issue.Status) func(*Snapshot, eventlog.Event) {
	return func(s *Snapshot, e eventlog.Event) {
		if i := s.issueAt(payload[Finding](e).ID); i >= 0 {
			s.Issues[i].Status = status
		}
	}
}

func itemEffect(status ItemStatus) func(*Snapshot, eventlog.Event) {
	return func(s *Snapshot, e eventlog.Event) {
		p := payload[WorkItem](e)
		i := slices.IndexFunc(s.WorkItems, func(w WorkItem) bool { return w.ID == p.ID })
		if i < 0 {
			i = len(s.WorkItems)
			s.WorkItems = append(s.WorkItems, WorkItem{ID: p.ID, Worker: p.Worker, Scope: p.Scope, Attempt: p.Attempt})
		}
		item := &s.WorkItems[i]
		item.Status = status
		if p.Inputs != nil {
			item.Inputs = p.Inputs
		}
		if p.Outputs != nil {
			item.Outputs = p.Outputs
		}
		switch status {
		case ItemRunning:
			item.StartedAt = e.Time
		case ItemFinished, ItemFailed, ItemSkipped:
			item.FinishedAt, item.Error, item.Retryable = e.Time, p.Error, p.Retryable
		}
	}
}

// publish adds what an event knows of the pull request.
func publish(s *Snapshot, e eventlog.Event) {
	if s.PR == nil {
		s.PR = &PullRequest{}
	}
	read(e, s.PR)
}

// with sets a member of a map that may not be there yet.
func with[V any](m map[string]V, key string, value V) map[string]V {
	if m == nil {
		m = map[string]V{}
	}
	m[key] = value
	return m
}

// payload reads a payload. What does not fit stays empty: a log that verifies
// was written by this program, perhaps by another version of it.
func payload[P any](e eventlog.Event) (p P) {
	read(e, &p)
	return p
}

func read(e eventlog.Event, into any) { _ = json.Unmarshal(e.Payload, into) }
