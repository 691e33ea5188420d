package gate

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"

	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/patch"
)

// The codes of write_scope.
const (
	CodeScopePath   = "GATE_WRITE_SCOPE_PATH"
	CodeUnexplained = "GATE_WRITE_SCOPE_UNEXPLAINED_EDIT"
)

// writeScope is the audit of the worktree: every change is behind the fence, and
// is what the patches make of the base, to the byte.
func writeScope(ctx context.Context, v *View, r *report) {
	guard, err := fence.New(v.Config.AllowedPaths)
	if err != nil {
		r.add(0, CodeScopePath, "", "allowed_paths", "allowed_paths are not valid")
		return
	}
	guard = guard.Around(v.Links)
	recorded := map[string]bool{}
	for _, p := range v.Bundle.Patches {
		recorded[p.Path] = true
	}
	wanted, err := v.replayed()
	if err != nil {
		r.add(0, CodeUnexplained, "", "bundle", "the patches do not fit the site at its base")
	}
	for _, file := range v.Changed {
		if ctx.Err() != nil {
			return
		}
		if refusal, refused := fence.Refused(guard.Decide(v.Site, file)); refused {
			r.add(0, CodeScopePath, file, string(refusal.Code), "the run must not change this file: it %s", refusal.Reason)
			continue
		}
		now, readErr := read(v.Site, file)
		switch {
		case readErr != nil && v.inBase(file) && v.Rules != nil && v.Rules.Editing.ForbidDeleting:
			r.add(0, CodeScopePath, file, "deleted", "the ruleset does not let files be deleted")
		case !recorded[file]:
			r.add(0, CodeUnexplained, file, "no patch", "the file was changed, and no patch says so")
		case err == nil && (readErr != nil) != (wanted[file] == nil) || err == nil && !bytes.Equal(now, wanted[file]):
			r.add(0, CodeUnexplained, file, "other content", "the file is not what its patches make of it")
		}
	}
}

// replayed applies the patches to the base. A file that is gone is nil in it.
func (v *View) replayed() (map[string][]byte, error) {
	bundle := v.Bundle
	bundle.TreeHashAfter = "" // so that all patches are applied
	result, err := patch.Plan(baseTree{v.Base}, bundle, patch.Rules{AllowDelete: true})
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, change := range result.Changes {
		files[change.Path] = change.After
	}
	return files, nil
}

// A baseTree is the site at its base as patches see it. The fence is not asked:
// writeScope does that itself.
type baseTree struct{ tree fs.FS }

func (t baseTree) Decide(string) error { return nil }

func (t baseTree) Read(file string, _ int64) ([]byte, error) { return read(t.tree, file) }

func (t baseTree) Names(dir string) ([]string, error) {
	entries, err := fs.ReadDir(t.tree, path.Clean(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, entry := range entries {
		if entry.Type().IsRegular() {
			names = append(names, entry.Name())
		}
	}
	slices.Sort(names)
	return names, err
}
