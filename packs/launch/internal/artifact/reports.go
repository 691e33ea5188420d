package artifact

import "mcpworks/packs/launch/internal/issue"

// A ReviewReport is what the reviewer thinks of the drafts (6.6).
type ReviewReport struct {
	SchemaVersion   string         `json:"schema_version"`
	OK              bool           `json:"ok"`
	OverallStatus   string         `json:"overall_status"` // PASS, NEEDS_CHANGES, REJECT
	DimensionScores map[string]int `json:"dimension_scores"`
	SeverityCounts  map[string]int `json:"severity_counts"`
	PagesReviewed   int            `json:"pages_reviewed"`
	PagesPassed     int            `json:"pages_passed"`
	PagesFailed     int            `json:"pages_failed"`
	Issues          []issue.Issue  `json:"issues"`
	FixResults      []FixResult    `json:"fix_results"`
}

// A FixResult is something that the reviewer has put right.
type FixResult struct {
	Path  string `json:"path"`
	Check string `json:"check"`
	Round int    `json:"round"`
	Count int    `json:"count"`
}

// A ValidationReport is the verdict of the gates (10.3).
type ValidationReport struct {
	SchemaVersion     string         `json:"schema_version"`
	OK                bool           `json:"ok"`
	Profile           string         `json:"profile"` // local, ci, prod
	Gates             []GateResult   `json:"gates"`
	Issues            []issue.Issue  `json:"issues"`
	Counts            map[string]int `json:"counts"` // by severity
	ManualEdits       bool           `json:"manual_edits"`
	ManualEditedFiles []string       `json:"manual_edited_files,omitempty"`
	InputsHash        string         `json:"inputs_hash"`
	TreeHash          string         `json:"tree_hash"`
}

// A GateResult is how one gate ended.
type GateResult struct {
	Name        string `json:"name"`
	OK          bool   `json:"ok"`
	Status      string `json:"status"` // pass, fail, skipped, timeout, error
	SeverityMax string `json:"severity_max,omitempty"`
	Issues      int    `json:"issues"`
	Reason      string `json:"reason,omitempty"`
	LogPath     string `json:"log_path,omitempty"`
	ToolVersion string `json:"tool_version,omitempty"`
}

// A PatchBundle is everything that changes in the site (9.2).
type PatchBundle struct {
	SchemaVersion string  `json:"schema_version"`
	BaseSHA       string  `json:"base_sha"`
	TreeHashAfter string  `json:"tree_hash_after"`
	Patches       []Patch `json:"patches"`
}

// A Patch is one change of one file.
type Patch struct {
	ID                 string         `json:"patch_id"`
	Type               string         `json:"type"` // create_file, update_by_anchor, update_frontmatter_keys, update_file_range, delete_file
	Path               string         `json:"path"`
	Section            string         `json:"section,omitempty"`
	PageID             string         `json:"page_id,omitempty"`
	Origin             string         `json:"origin"` // draft, navigation, fix, manual
	IssueID            string         `json:"issue_id,omitempty"`
	Anchor             string         `json:"anchor,omitempty"`
	StartLine          int            `json:"start_line,omitempty"`
	EndLine            int            `json:"end_line,omitempty"`
	FrontmatterUpdates map[string]any `json:"frontmatter_updates,omitempty"`
	NewContent         *string        `json:"new_content,omitempty"`
	ExpectedBeforeHash string         `json:"expected_before_hash,omitempty"`
	ContentHash        string         `json:"content_hash"`
}

// PatchConflicts lists patches that could not be applied (9.3).
type PatchConflicts struct {
	SchemaVersion string          `json:"schema_version"`
	Conflicts     []PatchConflict `json:"conflicts"`
}

// A PatchConflict is one of them.
type PatchConflict struct {
	PatchID  string `json:"patch_id"`
	Path     string `json:"path"`
	Reason   string `json:"conflict_reason"`
	Expected string `json:"expected_state"`
	Actual   string `json:"actual_state"`
}

// A PullRequest is what came of a run (11.3).
type PullRequest struct {
	SchemaVersion     string            `json:"schema_version"`
	RunID             string            `json:"run_id"`
	BaseRef           string            `json:"base_ref"`
	BranchName        string            `json:"branch_name"`
	CommitSHAs        []string          `json:"commit_shas"`
	URL               string            `json:"pr_url"`
	Number            int               `json:"pr_number,omitempty"`
	AffectedPaths     []string          `json:"affected_paths"`
	RollbackSteps     []string          `json:"rollback_steps"`
	Body              string            `json:"pr_body"`
	ValidationSummary ValidationSummary `json:"validation_summary"`
}

// A ValidationSummary is a report in four numbers.
type ValidationSummary struct {
	OK          bool   `json:"ok"`
	Profile     string `json:"profile"`
	GatesPassed int    `json:"gates_passed"`
	GatesFailed int    `json:"gates_failed"`
}
