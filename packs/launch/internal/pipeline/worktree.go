package pipeline

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/patch"
)

// errOtherTree is a bundle that does not lead to the tree it names.
var errOtherTree = errors.New("the patches do not lead to the recorded tree")

// rebuild makes the worktree of the site's base and the bundle, whatever it was
// before (5.7). Where people may edit it, one that is there is left alone (18.8).
func (j *job) rebuild(ctx context.Context) error {
	if _, err := os.Stat(j.place("work", siteFolder)); err == nil && j.config.AllowManualEdits {
		return nil
	}
	var bundle artifact.PatchBundle
	if err := j.load(map[string]any{artifact.PatchBundleName: &bundle}); err != nil {
		return err
	}
	const next = siteFolder + ".next"
	if err := j.build(ctx, bundle, next); err != nil {
		return errors.Join(err, j.removeFolder(next))
	}
	if err := j.noteEdits(ctx, bundle, next); err != nil {
		return errors.Join(err, j.removeFolder(next))
	}
	return j.swap(next)
}

// swap makes a folder the worktree.
func (j *job) swap(folder string) error {
	return errors.Join(j.removeFolder(siteFolder), os.Rename(j.place("work", folder), j.place("work", siteFolder)))
}

// build makes a folder that has the site with a bundle applied.
func (j *job) build(ctx context.Context, bundle artifact.PatchBundle, folder string) error {
	in, err := readInputs(j.held.Snapshot())
	if err != nil {
		return err
	}
	repo, err := j.repository(ctx, in.Site)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(j.place("work"), 0o700); err != nil {
		return err
	}
	if _, err := repo.Checkout(ctx, in.Site.SHA, j.place("work", folder), false); err != nil {
		return err
	}
	site, closeSite, err := j.behindFence(ctx, folder)
	if err != nil {
		return err
	}
	defer closeSite()
	result, err := patch.Apply(site, bundle, patch.Rules{AllowDelete: !j.rules.Editing.ForbidDeleting})
	switch _, clashes := errors.AsType[*patch.ConflictError](err); {
	case clashes, err == nil && (result.TreeHash != bundle.TreeHashAfter || bundle.BaseSHA != in.Site.SHA):
		return errOtherTree
	}
	return err
}

// behindFence opens a folder of the run as the site that the run may change.
func (j *job) behindFence(ctx context.Context, folder string) (*fence.Site, func(), error) {
	if folder == baseFolder {
		if _, err := j.files(ctx, folder); err != nil {
			return nil, nil, err
		}
	}
	root, err := os.OpenRoot(j.place("work", folder))
	if err != nil {
		return nil, nil, err
	}
	guard, err := j.guard(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	return fence.NewSite(root, guard), func() { root.Close() }, nil
}

// guard is the run's fence with no way through the links of the site.
func (j *job) guard(ctx context.Context) (*fence.Fence, error) {
	links, err := j.links(ctx)
	return j.fence.Around(links), err
}

// links are the symbolic links and submodules that the site has at its base.
func (j *job) links(ctx context.Context) ([]string, error) {
	in, err := readInputs(j.held.Snapshot())
	if err != nil {
		return nil, err
	}
	repo, err := j.repository(ctx, in.Site)
	if err != nil {
		return nil, err
	}
	_, links, err := repo.Paths(ctx, in.Site.SHA)
	return links, err
}

// changed lists the files that differ between two trees, sorted. Whatever is no
// plain file differs.
func changed(ctx context.Context, base, site fs.FS) ([]string, error) {
	var list []string
	compare := func(from, to fs.FS, both bool) error {
		return fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return errors.Join(err, context.Cause(ctx))
			}
			other, err := fs.Stat(to, name)
			switch {
			case err != nil || !other.Mode().IsRegular() || !entry.Type().IsRegular():
				list = append(list, name)
			case both:
				same, err := equal(from, to, name)
				if err != nil || !same {
					list = append(list, name)
				}
			}
			return nil
		})
	}
	if err := errors.Join(compare(site, base, true), compare(base, site, false)); err != nil {
		return nil, err
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func equal(a, b fs.FS, name string) (bool, error) {
	first, err := fs.Stat(a, name)
	second, err2 := fs.Stat(b, name)
	if err != nil || err2 != nil || first.Size() != second.Size() {
		return false, errors.Join(err, err2)
	}
	x, err := fs.ReadFile(a, name)
	y, err2 := fs.ReadFile(b, name)
	return bytes.Equal(x, y), errors.Join(err, err2)
}
