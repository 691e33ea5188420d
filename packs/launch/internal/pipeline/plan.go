package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"path"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/stage/plan"
)

// plan collects the code and plans the pages (W3, W4).
func (j *job) plan(ctx context.Context) error {
	if err := j.collect(ctx); err != nil {
		return err
	}
	reads, err := j.reading(artifact.RepoInventoryName, artifact.HugoFactsName, artifact.ProductFactsName, artifact.EvidenceMapName, artifact.SnippetCatalogName)
	if err != nil {
		return err
	}
	err = j.perform(ctx, task{planWorker, "", reads, func(ctx context.Context) ([]string, error) {
		in, err := j.planInputs(ctx)
		if err != nil {
			return nil, err
		}
		out, issues, err := plan.Run(ctx, in)
		if reported := j.report(ctx, []string{plan.Stage}, issues); reported != nil {
			return nil, reported
		}
		if err != nil {
			return nil, blocked(issues, err)
		}
		for i := range out.Plan.Pages {
			if template, known := j.templates.At(out.Plan.Pages[i].TemplatePath); known {
				out.Plan.Pages[i].TemplateDigest = template.Digest
			}
		}
		return j.keep(ctx, planWorker, map[string]any{artifact.PagePlanName: out.Plan})
	}})
	if err != nil {
		return err
	}
	var planned artifact.PagePlan
	if err := j.load(map[string]any{artifact.PagePlanName: &planned}); err != nil {
		return err
	}
	if err := j.setSections(ctx, planned, state.Outlined); err != nil {
		return err
	}
	return j.held.Advance(ctx, snapshot.Change{New: state.PlanReady})
}

func (j *job) planInputs(ctx context.Context) (plan.Inputs, error) {
	in := plan.Inputs{Config: *j.config, Profile: j.profile, Ruleset: j.rules, Templates: j.templates}
	var hugo artifact.HugoFacts
	err := j.load(map[string]any{
		artifact.RepoInventoryName: &in.Inventory, artifact.HugoFactsName: &hugo, artifact.ProductFactsName: &in.Facts,
		artifact.EvidenceMapName: &in.Evidence, artifact.SnippetCatalogName: &in.Snippets,
	})
	if err != nil {
		return in, err
	}
	in.DefaultInSubdir = hugo.DefaultLanguageInSubdir
	if in.Product, err = j.product(in.Inventory.RepoProfile.PlatformFamily); err != nil {
		return in, err
	}
	base, err := j.files(ctx, baseFolder)
	if err != nil {
		return in, err
	}
	in.Styles, err = styles(base, j.profile)
	return in, err
}

// styles are those of the pages that each section of the site has; a section
// without pages has none.
func styles(site fs.FS, profile *siteprofile.Profile) (map[string]siteprofile.Style, error) {
	found := map[string]siteprofile.Style{}
	for _, section := range profile.Sections {
		var pages []string
		err := fs.WalkDir(site, section.Root, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() && path.Ext(name) == ".md" {
				pages = append(pages, name)
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if len(pages) > 0 {
			found[section.ID] = section.DominantStyle(pages)
		}
	}
	return found, nil
}
