package pipeline

import (
	"context"
	"maps"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
	"mcpworks/packs/launch/internal/stage/write"
)

// draft writes the pages, one work item for each section (W5).
func (j *job) draft(ctx context.Context) error {
	if j.held.Snapshot().State == state.PlanReady {
		if err := j.held.Advance(ctx, snapshot.Change{New: state.Drafting}); err != nil {
			return err
		}
	}
	in := write.Inputs{Templates: j.templates, AllowInference: j.config.AllowInference, DefaultLocale: j.config.Locales[0]}
	from, err := readInputs(j.held.Snapshot())
	if err != nil {
		return err
	}
	in.Date = from.Repo.Date
	documents := map[string]any{
		artifact.PagePlanName: &in.Plan, artifact.ProductFactsName: &in.Facts, artifact.EvidenceMapName: &in.Evidence,
		artifact.SnippetCatalogName: &in.Snippets, artifact.FrontmatterContractName: &in.Contract,
	}
	if err := j.load(documents); err != nil {
		return err
	}
	reads, err := j.reading(sortedKeys(documents)...)
	if err != nil {
		return err
	}
	pages := &drafter{job: j, in: in}
	for _, section := range sectionsOf(in.Plan) {
		err := j.perform(ctx, task{writeWorker, section, maps.Clone(reads), func(ctx context.Context) ([]string, error) {
			return pages.keepSection(ctx, section)
		}})
		if err != nil {
			return err
		}
	}
	err = j.perform(ctx, task{writeWorker, "", reads, func(ctx context.Context) ([]string, error) {
		if err := pages.write(ctx); err != nil {
			return nil, err
		}
		return j.keep(ctx, writeWorker, map[string]any{artifact.DraftManifestName: pages.out.Manifest})
	}})
	if err != nil {
		return err
	}
	if err := j.setSections(ctx, in.Plan, state.Drafted); err != nil {
		return err
	}
	return j.held.Advance(ctx, snapshot.Change{New: state.DraftReady})
}

// sectionsOf are the sections of a plan, each once.
func sectionsOf(plan artifact.PagePlan) []string {
	seen := map[string]bool{}
	for _, page := range plan.Pages {
		seen[page.Section] = true
	}
	return sortedKeys(seen)
}

// A drafter writes all pages when the first of them is wanted: a page depends on
// its place among the others.
type drafter struct {
	*job
	in   write.Inputs
	out  write.Outputs
	done bool
}

func (d *drafter) write(ctx context.Context) error {
	if d.done {
		return nil
	}
	out, issues, err := write.Run(ctx, d.in)
	if reported := d.report(ctx, []string{write.Stage}, issues); reported != nil {
		return reported
	}
	if err != nil {
		return blocked(issues, err)
	}
	d.out, d.done = out, true
	return nil
}

func (d *drafter) keepSection(ctx context.Context, section string) ([]string, error) {
	if err := d.write(ctx); err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for _, draft := range d.out.Manifest.Drafts {
		if draft.Section == section {
			texts[draft.DraftPath] = d.out.Files[draft.DraftPath]
		}
	}
	return d.keepTexts(ctx, writeWorker, texts)
}

// drafts are the texts of all drafts that a manifest lists, by their paths in the
// run.
func (j *job) drafts(manifest artifact.DraftManifest) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, draft := range manifest.Drafts {
		text, err := j.read(draft.DraftPath)
		if err != nil {
			return nil, err
		}
		files[draft.DraftPath] = text
	}
	return files, nil
}
