package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A status is how a run is.
type status struct {
	RunID       string `json:"run_id"`
	State       string
	Activity    string
	PauseReason string            `json:"pause_reason"`
	Sections    map[string]string `json:"section_states"`
	Issues      []issue           `json:"open_issues"`
	IssuesTotal int               `json:"open_issues_total"`
	Artifacts   []artifactRef
	Progress    struct{ Done, Total int }
	Failure     *struct {
		Class, Message, Stage string
		Code                  string `json:"error_code"`
		Resumable             bool
	}
	FixAttempts int `json:"fix_attempts"`
	PR          *pullRequest
	StartedAt   string `json:"started_at"`
	UpdatedAt   string `json:"updated_at"`
}

// goesOn says whether somebody works on the run, or will.
func (s status) goesOn() bool { return s.Activity == "queued" || s.Activity == "running" }

// states are what a run can be, in words.
var states = map[string]string{
	"CREATED": "nothing is done yet", "CLONED_INPUTS": "the repositories are here", "INGESTED": "the repository is looked at",
	"FACTS_READY": "the facts are found", "PLAN_READY": "the pages are planned", "DRAFTING": "pages are being written",
	"DRAFT_READY": "the pages are written", "LINKING": "the pages go into the site", "VALIDATING": "the gates judge the pages",
	"FIXING": "issues are being put right", "READY_FOR_PR": "ready for its pull request", "PR_OPENED": "the pull request is open",
	"DONE": "all is done", "FAILED": "it has failed", "CANCELLED": "it was ended for good",
}

// pauses are why a run can rest, in words.
var pauses = map[string]string{
	"stop_at": "it is as far as it was to go", "fix_manual": "its issues wait for somebody to put them right",
	"interrupted": "the process that worked on it is gone", "failed": "it has failed", "review_required": "somebody has to look at the review",
}

// sections are how far a section can be, in words.
var sections = map[string]string{
	"NOT_STARTED": "not begun", "OUTLINED": "planned", "DRAFTED": "written", "MERGED_IN_WORKTREE": "in the site", "DONE": "done", "BLOCKED": "blocked",
}

func statusText(p *page, s status) {
	p.fact("Run", "%s", s.RunID)
	p.fact("State", "%s, %s", s.State, cmp.Or(states[s.State], "unknown here"))
	p.fact("Activity", "%s", activity(s))
	if s.goesOn() || s.Activity == "paused" && s.State != "READY_FOR_PR" {
		p.fact("Stages", "%d of %d done", s.Progress.Done, s.Progress.Total)
	}
	p.fact("Started", "%s, last event after %s", clock(s.StartedAt), span(between(s.StartedAt, s.UpdatedAt)))
	if len(s.Sections) > 0 {
		p.fact("Sections", "%s", sectionStates(s.Sections))
	}
	if s.FixAttempts > 0 {
		p.fact("Fixes", "%s", several(s.FixAttempts, "attempt"))
	}
	if f := s.Failure; f != nil {
		p.fact("Failure", "%s: %s", f.Code, cmp.Or(f.Message, "no more is known"))
		if f.Stage != "" {
			p.fact("", "it happened when it was to %s", stageName(f.Stage, ""))
		}
	}
	if s.PR != nil {
		s.PR.facts(p)
	}
	filesText(p, s.Artifacts)
	issuesText(p, "Open issues", s.Issues, max(s.IssuesTotal, len(s.Issues)))
	nextOf(p, s)
}

func activity(s status) string {
	if s.PauseReason == "" {
		return s.Activity
	}
	return s.Activity + ": " + cmp.Or(pauses[s.PauseReason], s.PauseReason)
}

// sectionStates names the sections by how far they are.
func sectionStates(all map[string]string) string {
	by := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		by[all[name]] = append(by[all[name]], name)
	}
	var groups []string
	for _, state := range slices.Sorted(maps.Keys(by)) {
		groups = append(groups, fmt.Sprintf("%s: %s", cmp.Or(sections[state], state), strings.Join(by[state], ", ")))
	}
	return strings.Join(groups, "; ")
}

// nextOf says what can be done with a run.
func nextOf(p *page, s status) {
	switch {
	case s.goesOn():
		p.next("watch it go on", "watch", s.RunID)
		if s.Activity == "queued" {
			p.next("work on it here, if no server does", "resume", s.RunID)
		}
	case s.State == "READY_FOR_PR":
		p.next("read what was written", "artifact", s.RunID)
		p.next("open the pull request", "open-pr", s.RunID)
	case s.PauseReason == "fix_manual":
		if slices.ContainsFunc(s.Issues, func(i issue) bool { return i.Fixable }) {
			p.next("have the first issue put right", "fix", s.RunID)
		}
		p.next("see what the gates say", "validate", s.RunID)
	case s.PauseReason == "review_required":
		p.next("read the review", "artifact", s.RunID, "review_report.json")
		p.next("let it go on", "resume", s.RunID)
	case s.Failure != nil && s.Failure.Resumable:
		p.next("let it go on, when the cause is gone", "resume", s.RunID)
	case s.Failure != nil:
		p.heading("It cannot go on. When the cause is gone, start another run.")
	case s.Activity == "paused":
		p.next("let it go on", "resume", s.RunID)
	case s.PR != nil:
		s.PR.next(p)
	}
}
