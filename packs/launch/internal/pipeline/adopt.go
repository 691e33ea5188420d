package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/patch"
)

// adopt takes the edits of people into the bundle, as patches of their own
// (18.8), and makes the files what the patches say: with the line ends that
// patches write. What cannot be a patch, such as a binary file or one behind the
// fence, stays as it is, for the gate write_scope to report.
func (j *job) adopt(ctx context.Context) error {
	if !j.config.AllowManualEdits {
		return nil
	}
	var bundle artifact.PatchBundle
	if err := j.load(map[string]any{artifact.PatchBundleName: &bundle}); err != nil {
		return err
	}
	edits, right, err := j.edits(ctx, bundle)
	if err != nil {
		return err
	}
	sealed, result, err := j.sealEdits(ctx, bundle, edits)
	if err != nil {
		return err
	}
	if result != nil {
		if err := j.keepBundle(ctx, gateWorker, sealed, result); err != nil {
			return err
		}
		for _, edit := range sealed.Patches[len(bundle.Patches):] {
			if right[edit.Path], err = j.madeOf(edit.Path, result); err != nil {
				return err
			}
		}
	}
	return j.putRight(ctx, right)
}

// edits are the differences between the worktree and what the bundle makes, as
// patches. Right is what files are to be that say the same in another form.
func (j *job) edits(ctx context.Context, bundle artifact.PatchBundle) (edits []artifact.Patch, right map[string][]byte, err error) {
	const wanted = siteFolder + ".wanted"
	defer func() { err = errors.Join(err, j.removeFolder(wanted)) }()
	if err := j.build(ctx, bundle, wanted); err != nil {
		return nil, nil, err
	}
	base, closeBase, err := j.behindFence(ctx, baseFolder)
	if err != nil {
		return nil, nil, err
	}
	defer closeBase()
	before, after := os.DirFS(j.place("work", wanted)), os.DirFS(j.place("work", siteFolder))
	names, err := changed(ctx, before, after)
	if err != nil {
		return nil, nil, err
	}
	right = map[string][]byte{}
	for _, name := range names {
		if j.fence.Decide(after, name) != nil || base.Decide(name) != nil || isLarge(after, name) {
			continue
		}
		was := textIn(before, name)
		made := patch.Edit(name, was, textIn(after, name))
		if len(made) == 0 && was != nil {
			right[name] = []byte(*was)
		}
		for _, edit := range made {
			edit.Origin = patch.OriginManual
			edits = append(edits, edit)
		}
	}
	return edits, right, nil
}

// sealEdits adds edits to a bundle, without those that do not fit. If none is
// left there is no result.
func (j *job) sealEdits(ctx context.Context, bundle artifact.PatchBundle, edits []artifact.Patch) (sealed artifact.PatchBundle, result *patch.Result, err error) {
	base, closeBase, err := j.behindFence(ctx, baseFolder)
	if err != nil {
		return sealed, nil, err
	}
	defer closeBase()
	rules := patch.Rules{AllowDelete: !j.rules.Editing.ForbidDeleting}
	for len(edits) > 0 {
		sealed, result, err = patch.Seal(base, bundle.BaseSHA, slices.Concat(bundle.Patches, edits), rules)
		conflict, clashes := errors.AsType[*patch.ConflictError](err)
		if !clashes {
			return sealed, result, err
		}
		fitting := slices.DeleteFunc(slices.Clone(edits), func(p artifact.Patch) bool {
			return slices.ContainsFunc(conflict.Conflicts, func(c artifact.PatchConflict) bool { return c.Path == p.Path })
		})
		if len(fitting) == len(edits) {
			return sealed, nil, err
		}
		edits = fitting
	}
	return bundle, nil, nil
}

// madeOf is what a result makes of a file; nil if it is gone.
func (j *job) madeOf(name string, result *patch.Result) ([]byte, error) {
	for _, change := range result.Changes {
		if change.Path == name {
			return change.After, nil
		}
	}
	content, err := os.ReadFile(j.place("work", baseFolder, name))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return content, err
}

// putRight writes files of the worktree; one that is nil is gone already.
func (j *job) putRight(ctx context.Context, files map[string][]byte) error {
	site, closeSite, err := j.behindFence(ctx, siteFolder)
	if err != nil {
		return err
	}
	defer closeSite()
	for _, name := range sortedKeys(files) {
		if files[name] == nil {
			continue
		}
		if err := site.Write(name, files[name]); err != nil {
			return err
		}
	}
	return nil
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

func isLarge(tree fs.FS, name string) bool {
	info, err := fs.Stat(tree, name)
	return err == nil && info.Size() > patch.MaxFile
}
