package pipeline

import (
	"context"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
	"mcpworks/packs/launch/internal/stage/facts"
	"mcpworks/packs/launch/internal/stage/snippets"
)

// facts finds out what may be said (W2).
func (j *job) facts(ctx context.Context) error {
	reads, err := j.reading(artifact.RepoInventoryName)
	if err != nil {
		return err
	}
	err = j.perform(ctx, task{factsWorker, "", reads, func(ctx context.Context) ([]string, error) {
		in := facts.Inputs{Config: *j.config, Formats: j.profile.FormatVocabulary}
		var err error
		if in.Repo, err = j.files(ctx, repoFolder); err != nil {
			return nil, err
		}
		if err := j.load(map[string]any{artifact.RepoInventoryName: &in.Inventory}); err != nil {
			return nil, err
		}
		out, issues, err := facts.Run(ctx, in)
		if reported := j.report(ctx, []string{facts.Stage}, issues); reported != nil {
			return nil, reported
		}
		if err != nil {
			return nil, blocked(issues, err)
		}
		return j.keep(ctx, factsWorker, map[string]any{
			artifact.ProductFactsName: out.Facts, artifact.EvidenceMapName: out.Evidence, artifact.TruthLockReportName: out.TruthLock,
		})
	}})
	if err != nil {
		return err
	}
	return j.held.Advance(ctx, snapshot.Change{New: state.FactsReady})
}

// collect finds the code that may be shown (W3).
func (j *job) collect(ctx context.Context) error {
	reads, err := j.reading(artifact.RepoInventoryName, artifact.ProductFactsName, artifact.EvidenceMapName)
	if err != nil {
		return err
	}
	return j.perform(ctx, task{snippetWorker, "", reads, func(ctx context.Context) ([]string, error) {
		in := snippets.Inputs{Config: *j.config}
		var err error
		if in.Repo, err = j.files(ctx, repoFolder); err != nil {
			return nil, err
		}
		err = j.load(map[string]any{
			artifact.RepoInventoryName: &in.Inventory, artifact.ProductFactsName: &in.Facts, artifact.EvidenceMapName: &in.Evidence,
		})
		if err != nil {
			return nil, err
		}
		out, issues, err := snippets.Run(ctx, in)
		if reported := j.report(ctx, []string{snippets.Stage}, issues); reported != nil {
			return nil, reported
		}
		if err != nil {
			return nil, blocked(issues, err)
		}
		return j.keep(ctx, snippetWorker, map[string]any{artifact.SnippetCatalogName: out.Catalog})
	}})
}
