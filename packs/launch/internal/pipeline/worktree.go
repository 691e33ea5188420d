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
	return fence.NewSite(root, j.fence), func() { root.Close() }, nil
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

// adopt takes the edits of people into the bundle, as patches of their own
// (18.8). Those behind the fence are left for the gate write_scope to report.
func (j *job) adopt(ctx context.Context) error {
	if !j.config.AllowManualEdits {
		return nil
	}
	var bundle artifact.PatchBundle
	if err := j.load(map[string]any{artifact.PatchBundleName: &bundle}); err != nil {
		return err
	}
	edits, err := j.edits(ctx, bundle)
	if err != nil || len(edits) == 0 {
		return err
	}
	base, closeBase, err := j.behindFence(ctx, baseFolder)
	if err != nil {
		return err
	}
	defer closeBase()
	sealed, result, err := patch.Seal(base, bundle.BaseSHA, append(bundle.Patches, edits...), patch.Rules{AllowDelete: true})
	if err != nil {
		return err
	}
	return j.keepBundle(ctx, gateWorker, sealed, result)
}

// edits are the differences between the worktree and what the bundle makes.
func (j *job) edits(ctx context.Context, bundle artifact.PatchBundle) ([]artifact.Patch, error) {
	const wanted = siteFolder + ".wanted"
	defer j.removeFolder(wanted)
	if err := j.build(ctx, bundle, wanted); err != nil {
		return nil, err
	}
	before, after := os.DirFS(j.place("work", wanted)), os.DirFS(j.place("work", siteFolder))
	names, err := changed(ctx, before, after)
	if err != nil {
		return nil, err
	}
	var edits []artifact.Patch
	for _, name := range names {
		if j.fence.Decide(after, name) != nil {
			continue
		}
		for _, edit := range patch.Edit(name, textIn(before, name), textIn(after, name)) {
			edit.Origin = patch.OriginManual
			edits = append(edits, edit)
		}
	}
	return edits, nil
}

// textIn is a file of a tree, or nil.
func textIn(tree fs.FS, name string) *string {
	content, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil
	}
	text := string(content)
	return &text
}
