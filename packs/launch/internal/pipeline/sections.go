package pipeline

import (
	"context"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/run/state"
)

// setSection takes a section to a state; a blocked one is freed first.
func (j *job) setSection(ctx context.Context, section string, to state.Section) error {
	s := j.held.Snapshot()
	if from := s.BlockedFrom[section]; s.Sections[section] == state.Blocked && from != "" && to != state.Blocked {
		if err := j.held.SetSection(ctx, section, from); err != nil {
			return err
		}
	}
	return j.held.SetSection(ctx, section, to)
}

// setSections takes all required sections that have pages to a state.
func (j *job) setSections(ctx context.Context, plan artifact.PagePlan, to state.Section) error {
	for _, section := range j.planned(plan) {
		if err := j.setSection(ctx, section, to); err != nil {
			return err
		}
	}
	return nil
}

// planned are the required sections with pages, in the order of the profile.
func (j *job) planned(plan artifact.PagePlan) []string {
	var sections []string
	for _, id := range j.profile.SectionIDs() {
		has := slices.ContainsFunc(plan.Pages, func(p artifact.Page) bool { return p.Section == id })
		if has && slices.Contains(j.config.RequiredSections, id) {
			sections = append(sections, id)
		}
	}
	return sections
}

// settleSections sets sections after a validation: those with a blocker on one of
// their pages are blocked, the others are merged or, if all is well, done (5.2).
func (j *job) settleSections(ctx context.Context, plan artifact.PagePlan, report artifact.ValidationReport) error {
	for _, section := range j.planned(plan) {
		to := state.MergedInWorktree
		if report.OK {
			to = state.SectionDone
		}
		if slices.ContainsFunc(report.Issues, func(i issue.Issue) bool { return blocks(i, section, plan) }) {
			to = state.Blocked
		}
		if err := j.setSection(ctx, section, to); err != nil {
			return err
		}
	}
	return nil
}

func blocks(i issue.Issue, section string, plan artifact.PagePlan) bool {
	return i.Severity == issue.Blocker && i.Location != nil && slices.ContainsFunc(plan.Pages, func(p artifact.Page) bool {
		return p.Section == section && p.OutputPath == i.Location.Path
	})
}
