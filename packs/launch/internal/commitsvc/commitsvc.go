// Package commitsvc commits for the launcher, and for nobody else: it makes the
// branch, the commit and the pull request that come of a run (11).
//
// Server is the service on bare repositories of this machine, a plain
// http.Handler. Client talks to it, or to another service of the same wire, and
// knows which failures may be tried again. Both say the same thing as often as
// they are asked: a request that was answered is answered the same way again,
// and one whose answer was lost finds what it has made. There is never a second
// branch, commit or pull request for one run.
package commitsvc

import (
	"time"

	"mcpworks/packs/launch/internal/artifact"
)

// Version is the schema_version of all messages.
const Version = "1.0"

// The paths of the service, below its address.
const (
	CommitPath = "/v1/commit"
	OpenPRPath = "/v1/open_pr"
	HealthPath = "/v1/health"
)

// KeyHeader repeats the idempotency key of the body.
const KeyHeader = "Idempotency-Key"

// A CommitRequest asks for one commit on a new branch.
type CommitRequest struct {
	SchemaVersion       string               `json:"schema_version"`
	RunID               string               `json:"run_id"`
	IdempotencyKey      string               `json:"idempotency_key"`
	RepoURL             string               `json:"repo_url"`
	BaseRef             string               `json:"base_ref"` // a branch, or a commit id of the site's own branch
	BranchName          string               `json:"branch_name"`
	AllowedPaths        []string             `json:"allowed_paths"`
	CommitMessage       string               `json:"commit_message"`
	CommitBody          string               `json:"commit_body"`
	RequireCleanBase    *bool                `json:"require_clean_base,omitempty"` // nil means true
	AllowExistingBranch bool                 `json:"allow_existing_branch,omitempty"`
	PatchBundle         artifact.PatchBundle `json:"patch_bundle"`
	Governance          *Governance          `json:"ai_governance_metadata,omitempty"`
}

// Governance says that a person has agreed.
type Governance struct {
	Approval Approval `json:"ag001_approval"`
}

// An Approval is a person's yes or no.
type Approval struct {
	Approved  bool   `json:"approved"`
	Source    string `json:"approval_source"` // interactive-dialog, manual-marker, config-override
	Timestamp string `json:"timestamp"`
	Approver  string `json:"approver,omitempty"`
}

// A CommitResponse is the commit that was made.
type CommitResponse struct {
	SchemaVersion  string `json:"schema_version"`
	RunID          string `json:"run_id"`
	IdempotencyKey string `json:"idempotency_key"`
	RepoURL        string `json:"repo_url"`
	BaseRef        string `json:"base_ref"`
	BranchName     string `json:"branch_name"`
	CommitSHA      string `json:"commit_sha"`
	CreatedAt      string `json:"created_at"`
}

// An OpenPRRequest asks for a pull request of a branch that is there.
type OpenPRRequest struct {
	SchemaVersion  string `json:"schema_version"`
	RunID          string `json:"run_id"`
	IdempotencyKey string `json:"idempotency_key"`
	RepoURL        string `json:"repo_url"`
	BaseRef        string `json:"base_ref"`
	BranchName     string `json:"branch_name"`
	Title          string `json:"pr_title"`
	Body           string `json:"pr_body"`
	Draft          bool   `json:"draft,omitempty"`
}

// An OpenPRResponse is the pull request. A service without numbers has none.
type OpenPRResponse struct {
	SchemaVersion  string `json:"schema_version"`
	RunID          string `json:"run_id"`
	IdempotencyKey string `json:"idempotency_key"`
	RepoURL        string `json:"repo_url"`
	BaseRef        string `json:"base_ref"`
	BranchName     string `json:"branch_name"`
	URL            string `json:"pr_url"`
	Number         *int   `json:"pr_number"`
}

// timeLayout is how times are written (0).
const timeLayout = "2006-01-02T15:04:05.000Z"

func stamp(t time.Time) string { return t.UTC().Format(timeLayout) }
