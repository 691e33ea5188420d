package pipeline

import (
	"cmp"
	"context"
	"io/fs"
	"os"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
	"mcpworks/packs/launch/internal/stage/scout"
)

// The folders of a run that hold repositories. What stands in them can be made
// again at any time.
const (
	repoFolder = "repo" // the product, which nobody can write to
	baseFolder = "base" // the site before the run, likewise
	siteFolder = "site" // the worktree
)

// scout looks at both repositories (W1).
func (j *job) scout(ctx context.Context) error {
	reads, err := j.reading()
	if err != nil {
		return err
	}
	err = j.perform(ctx, task{scoutWorker, "", reads, func(ctx context.Context) ([]string, error) {
		in, err := readInputs(j.held.Snapshot())
		if err != nil {
			return nil, err
		}
		look := scout.Inputs{Config: j.scoutConfig()}
		if look.Repo, err = j.checkout(ctx, in.Repo, repoFolder); err != nil {
			return nil, err
		}
		if look.Site, err = j.checkout(ctx, in.Site, baseFolder); err != nil {
			return nil, err
		}
		if w := in.Workflows; w != nil {
			look.Workflows = &scout.Source{URL: w.URL, RequestedRef: w.RequestedRef, SHA: w.SHA}
		}
		out, issues, err := scout.Run(ctx, look)
		if reported := j.report(ctx, []string{scout.Stage}, issues); reported != nil {
			return nil, reported
		}
		if err != nil {
			return nil, blocked(issues, err)
		}
		return j.keep(ctx, scoutWorker, map[string]any{
			artifact.RepoInventoryName: out.Inventory, artifact.FrontmatterContractName: out.Frontmatter,
			artifact.SiteContextName: out.Site, artifact.HugoFactsName: out.Hugo,
		})
	}})
	if err != nil {
		return err
	}
	return j.held.Advance(ctx, snapshot.Change{New: state.Ingested})
}

func (j *job) scoutConfig() scout.Config {
	c := j.config
	look := scout.Config{
		Generator: j.profile.Generator, HugoConfigDir: c.Hugo.ConfigDir,
		ScanDirectories: c.Ingestion.ScanDirectories, ExcludePatterns: c.Ingestion.ExcludePatterns, GitignoreMode: c.Ingestion.GitignoreMode,
		ExampleDirectories: c.Ingestion.ExampleDirectories, IgnoreBinaryFiles: !c.Ingestion.RecordBinaryFiles, IgnorePhantomPaths: !c.Ingestion.DetectPhantomPaths,
		ProductType: c.ProductType, PlatformFamily: cmp.Or(c.RepoHints.PlatformFamily, c.PlatformFamily), RepoArchetype: c.RepoHints.RepoArchetype,
		SourceRoots: c.RepoHints.PreferredSourceRoots, DocRoots: c.RepoHints.PreferredDocsRoots, ExampleRoots: c.RepoHints.PreferredExamplesRoots,
		TestCommands: c.RepoHints.PreferredTestCommands,
	}
	for _, section := range j.profile.Sections {
		look.Sections = append(look.Sections, scout.Section{ID: section.ID, Root: section.Root})
	}
	return look
}

// checkout writes the files of a source to a folder that nobody can write to.
func (j *job) checkout(ctx context.Context, from source, folder string) (scout.Source, error) {
	repo, err := j.repository(ctx, from)
	if err != nil {
		return scout.Source{}, err
	}
	if err := os.MkdirAll(j.place("work"), 0o700); err != nil {
		return scout.Source{}, err
	}
	dir := j.place("work", folder)
	files, err := repo.Checkout(ctx, from.SHA, dir, true)
	if err != nil {
		return scout.Source{}, err
	}
	return scout.Source{
		URL: from.URL, RequestedRef: from.RequestedRef, SHA: from.SHA, Files: os.DirFS(dir),
		DefaultBranch: from.DefaultBranch, LatestTag: from.LatestTag, Ignored: files.Ignored, Skipped: files.Skipped,
	}, nil
}

// files are those of a folder that checkout has made. If it is gone it is made
// again.
func (j *job) files(ctx context.Context, folder string) (fs.FS, error) {
	files, err := j.allFiles(ctx, folder)
	if err != nil || folder != repoFolder || j.options.Secret == nil {
		return files, err
	}
	return withheld{files, j.options.Secret}, nil
}

func (j *job) allFiles(ctx context.Context, folder string) (fs.FS, error) {
	dir := j.place("work", folder)
	if _, err := os.Stat(dir); err == nil {
		return os.DirFS(dir), nil
	}
	in, err := readInputs(j.held.Snapshot())
	if err != nil {
		return nil, err
	}
	from := in.Repo
	if folder == baseFolder {
		from = in.Site
	}
	made, err := j.checkout(ctx, from, folder)
	return made.Files, err
}

// removeFolder removes a folder of repositories.
func (j *job) removeFolder(folder string) error { return gitrepo.Remove(j.place("work", folder)) }
