package operate

import (
	"context"
	"maps"
	"slices"

	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// maxIssues is how many open issues a status lists.
const maxIssues = 200

// RunStatus is how a run is (3.4).
type RunStatus struct {
	RunID           string                   `json:"run_id"`
	State           state.State              `json:"state"`
	Activity        snapshot.Activity        `json:"activity"`
	PauseReason     string                   `json:"pause_reason,omitempty"`
	SectionStates   map[string]state.Section `json:"section_states"`
	OpenIssues      []IssueSummary           `json:"open_issues"`
	OpenIssuesTotal int                      `json:"open_issues_total,omitempty"` // if not all are listed
	Artifacts       []ArtifactRef            `json:"artifacts"`
	Progress        *Progress                `json:"progress,omitempty"`
	Failure         *Failure                 `json:"failure,omitempty"`
	FixAttempts     int                      `json:"fix_attempts"`
	PR              *PullRequest             `json:"pr,omitempty"`
	LastSeq         int64                    `json:"last_seq"`
	StartedAt       string                   `json:"started_at"`
	UpdatedAt       string                   `json:"updated_at"`
}

// IssueSummary is an issue in a line.
type IssueSummary struct {
	ID       string         `json:"issue_id"`
	Severity issue.Severity `json:"severity"`
	Gate     string         `json:"gate"`
	Title    string         `json:"title"`
	Code     string         `json:"error_code,omitempty"`
	Path     string         `json:"path,omitempty"`
	Line     int            `json:"line,omitempty"`
	Fixable  bool           `json:"fixable"`
}

// ArtifactRef names a file of a run.
type ArtifactRef struct {
	Name        string `json:"name"`
	SHA256      string `json:"sha256"`
	Size        int64  `json:"size_bytes"`
	ContentType string `json:"content_type,omitempty"`
	Resource    string `json:"resource,omitempty"`
}

// Progress is how many stages are done, and which one is at work or was last.
type Progress struct {
	Stage string `json:"stage,omitempty"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
}

// Failure is why a run has stopped.
type Failure struct {
	Class     string `json:"class"`
	Code      string `json:"error_code"`
	Message   string `json:"message,omitempty"`
	Resumable bool   `json:"resumable"`
	Stage     string `json:"stage,omitempty"`
}

// PullRequest is what a run has published.
type PullRequest struct {
	URL       string `json:"pr_url,omitempty"`
	Branch    string `json:"branch,omitempty"`
	CommitSHA string `json:"commit_sha,omitempty"`
	Number    int64  `json:"pr_number,omitempty"`
}

// StatusAnswer has the status twice: flat, and as one member (C-2).
type StatusAnswer struct {
	OK bool `json:"ok"`
	RunStatus
	Status RunStatus `json:"status"`
}

// Status says how a run is. It waits for nobody.
func (l *Launcher) Status(ctx context.Context, runID string) (StatusAnswer, error) {
	status, err := l.status(ctx, runID)
	return StatusAnswer{OK: true, RunStatus: status, Status: status}, err
}

func (l *Launcher) status(ctx context.Context, runID string) (RunStatus, error) {
	current, err := l.store.Status(ctx, runID)
	if err != nil {
		return RunStatus{}, err
	}
	return l.statusOf(l.settled(ctx, current)), nil
}

func (l *Launcher) statusOf(s *snapshot.Snapshot) RunStatus {
	status := RunStatus{
		RunID: s.RunID, State: s.State, Activity: s.Activity, PauseReason: s.PauseReason, SectionStates: map[string]state.Section{},
		Artifacts: []ArtifactRef{}, Progress: l.progressOf(s), FixAttempts: s.FixAttempts,
		LastSeq: s.LastSeq, StartedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
	}
	maps.Copy(status.SectionStates, s.Sections)
	open := openIssues(s.Issues)
	status.OpenIssues = open[:min(len(open), maxIssues)]
	if len(open) > maxIssues {
		status.OpenIssuesTotal = len(open)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Artifacts)) {
		entry := s.Artifacts[name]
		status.Artifacts = append(status.Artifacts, ArtifactRef{Name: name, SHA256: entry.SHA256, Size: entry.Size, Resource: resourceOf(s.RunID, name)})
	}
	if f := s.Failure; f != nil {
		status.Failure = &Failure{f.Class, f.ErrorCode, l.Redact(f.Message), f.Resumable, f.Stage}
	}
	if pr := s.PR; pr != nil && pr.Branch != "" {
		status.PR = &PullRequest{pr.URL, pr.Branch, pr.CommitSHA, pr.Number}
	}
	return status
}

// openIssues are those that somebody has to do something about, in the order of
// that work (10.4).
func openIssues(all []issue.Issue) []IssueSummary {
	var open []issue.Issue
	for _, i := range all {
		if i.Status == issue.Open || i.Status == issue.InProgress {
			open = append(open, i)
		}
	}
	issue.Sort(open, gate.Names())
	summaries := []IssueSummary{}
	for _, i := range open {
		summary := IssueSummary{ID: i.ID, Severity: i.Severity, Gate: i.Gate, Title: i.Message, Code: i.Code, Fixable: i.Fixable}
		if i.Location != nil {
			summary.Path, summary.Line = i.Location.Path, i.Location.Line
		}
		summaries = append(summaries, summary)
	}
	return summaries
}

// progressOf counts the stages that are done. A stage with parts is done when
// none of them is open.
func (l *Launcher) progressOf(s *snapshot.Snapshot) *Progress {
	p := &Progress{Total: len(l.stages)}
	if p.Total == 0 {
		return nil
	}
	latest := map[string]snapshot.WorkItem{} // by worker and scope
	for _, item := range s.WorkItems {
		if key := item.Worker + " " + item.Scope; item.Attempt >= latest[key].Attempt {
			latest[key] = item
		}
		p.Stage = item.Worker
	}
	for _, stage := range l.stages {
		begun, open := false, false
		for _, item := range latest {
			if item.Worker == stage.Worker {
				begun = true
				open = open || item.Status != snapshot.ItemFinished && item.Status != snapshot.ItemSkipped
			}
		}
		if begun && !open {
			p.Done++
		}
	}
	return p
}

// resourceOf is the address of a file of a run (3.7).
func resourceOf(runID, name string) string { return "resource://run/" + runID + "/" + name }
