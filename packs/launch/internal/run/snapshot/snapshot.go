// Package snapshot is what a log of events amounts to: where a run is, what it
// has made and what is wrong with it (5.4).
//
// A snapshot is a pure function of the log. Reduce is that function, one event
// at a time; equal logs give equal bytes.
package snapshot

import (
	"encoding/json"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/run/state"
)

// FileName is the name of the snapshot in the folder of a run.
const FileName = "snapshot.json"

// Version is the schema_version of snapshots.
const Version = "1.1"

// An Activity says who has to do something next.
type Activity string

// The activities (5.1).
const (
	Queued   Activity = "queued"
	Running  Activity = "running"
	Paused   Activity = "paused"
	Finished Activity = "finished"
)

// Why a run is paused.
const (
	StopAt         = "stop_at"
	FixManual      = "fix_manual"
	Interrupted    = "interrupted"
	FailedPause    = "failed"
	ReviewRequired = "review_required"
)

// A Snapshot is the state of a run after an event.
type Snapshot struct {
	SchemaVersion string `json:"schema_version"`
	RunID         string `json:"run_id"`
	Created

	State       state.State `json:"run_state"`
	StableState state.State `json:"stable_state"` // where a failed run can go on from
	Activity    Activity    `json:"activity"`
	PauseReason string      `json:"pause_reason,omitempty"`
	StopAt      string      `json:"stop_at,omitempty"`
	Until       string      `json:"until,omitempty"`
	// Rewind asks whoever executes the run next to plan its resume first.
	Rewind          bool   `json:"rewind,omitempty"`
	ForceFrom       string `json:"force_from,omitempty"`
	CancelRequested bool   `json:"cancel_requested,omitempty"`

	Sections    map[string]state.Section `json:"section_states"`
	BlockedFrom map[string]state.Section `json:"blocked_sections,omitempty"` // what blocked sections were before

	Inputs      json.RawMessage     `json:"inputs"`
	InputsHash  string              `json:"inputs_hash,omitempty"`
	Artifacts   map[string]Artifact `json:"artifacts_index"`
	WorkItems   []WorkItem          `json:"work_items"`
	Issues      []issue.Issue       `json:"issues"`
	FixAttempts int                 `json:"fix_attempts"`
	Budgets     Budgets             `json:"budgets"`
	Failure     *Failure            `json:"failure,omitempty"`
	PR          *PullRequest        `json:"pr,omitempty"`

	CreatedAt string `json:"created_at"`
	UpdatedAt string `json:"updated_at"`
	EndedAt   string `json:"ended_at,omitempty"`
	LastSeq   int64  `json:"last_seq"` // of the last event that changed something
	LastHash  string `json:"last_event_hash"`
}

// Created is what is known of a run from the beginning: the payload of
// RUN_CREATED.
type Created struct {
	Operation    string `json:"operation"`
	ConfigSHA256 string `json:"config_sha256"`
	ProductSlug  string `json:"product_slug"`
	Family       string `json:"family"`
	Platform     string `json:"platform"`
	SiteProfile  string `json:"site_profile"`
	Owner        string `json:"owner,omitempty"` // whose turn it is in the queue
	KeyHash      string `json:"idempotency_key_hash,omitempty"`
	RequestHash  string `json:"request_hash"`
}

// An Artifact is one file the run has made.
type Artifact struct {
	Path     string `json:"path"`
	SHA256   string `json:"sha256"`
	Size     int64  `json:"size_bytes"`
	SchemaID string `json:"schema_id"`
	Writer   string `json:"writer_worker"`
	Time     string `json:"ts"`
	EventID  string `json:"event_id"`
	Stale    bool   `json:"stale,omitempty"`
}

// An ItemStatus is how far a work item is.
type ItemStatus string

// The statuses of work items.
const (
	ItemQueued   ItemStatus = "queued"
	ItemRunning  ItemStatus = "running"
	ItemFinished ItemStatus = "finished"
	ItemFailed   ItemStatus = "failed"
	ItemSkipped  ItemStatus = "skipped"
)

// A WorkItem is one attempt of one stage, or of a part of it (5.9).
type WorkItem struct {
	ID         string            `json:"work_item_id"`
	Worker     string            `json:"worker"`
	Scope      string            `json:"scope_key,omitempty"`
	Attempt    int               `json:"attempt"`
	Status     ItemStatus        `json:"status"`
	Inputs     map[string]string `json:"inputs"`
	Outputs    map[string]string `json:"outputs"`
	StartedAt  string            `json:"started_at,omitempty"`
	FinishedAt string            `json:"finished_at,omitempty"`
	Error      string            `json:"error,omitempty"`
	Retryable  bool              `json:"retryable,omitempty"`
}

// Budgets count what a run has used up.
type Budgets struct {
	LLMCalls  int64 `json:"llm_calls"`
	LLMTokens int64 `json:"llm_tokens"`
}

// A Failure says why a run ended badly, and whether it can go on.
type Failure struct {
	Class     string `json:"class"` // FAILED, or BLOCKED by a policy or from outside
	ErrorCode string `json:"error_code"`
	Message   string `json:"message,omitempty"`
	Stage     string `json:"stage"`
	Resumable bool   `json:"resumable"`
}

// A PullRequest is how far publishing is. The key is there before anything was
// sent (5.7).
type PullRequest struct {
	IdempotencyKey string `json:"idempotency_key,omitempty"`
	Branch         string `json:"branch,omitempty"`
	CommitSHA      string `json:"commit_sha,omitempty"`
	URL            string `json:"pr_url,omitempty"`
	Number         int64  `json:"pr_number,omitempty"`
}

// Encode writes the snapshot as it is on disk.
func (s *Snapshot) Encode() ([]byte, error) { return artifact.Encode(s) }

// Decode reads a snapshot.
func Decode(text []byte) (*Snapshot, error) {
	s := &Snapshot{}
	if err := artifact.Decode(text, s); err != nil {
		return nil, err
	}
	return s, nil
}

// Clone returns a copy that shares nothing with s.
func (s *Snapshot) Clone() *Snapshot {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // all its members are plain
	}
	copied := &Snapshot{}
	if err := json.Unmarshal(text, copied); err != nil {
		panic(err)
	}
	return copied
}

// LastItem is the latest attempt of a worker at a scope; ok is false if there is
// none.
func (s *Snapshot) LastItem(worker, scope string) (last WorkItem, ok bool) {
	for _, item := range s.WorkItems {
		if item.Worker == worker && item.Scope == scope && item.Attempt > last.Attempt {
			last, ok = item, true
		}
	}
	return last, ok
}
