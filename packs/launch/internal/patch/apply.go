package patch

import (
	"errors"
	"fmt"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/patch/linediff"
)

// Rules are what a run allows patches to do. Zero limits are no limits.
type Rules struct {
	AllowDelete      bool // the ruleset lets files be deleted
	MaxFilesChanged  int
	MaxLinesPerFile  int  // lines added and removed in one file
	SpareNew         bool // lines of new files do not count for it
	MaxFileWrites    int
	RefuseFormatting bool // a change that is mostly formatting is refused (prod), not only noted
	AlreadyWritten   int  // files that the run has written before
	AlreadyChanged   int  // files that the run has changed before, other than these
}

// A Result is what a bundle does to a tree.
type Result struct {
	Outcomes []Outcome // one for each patch, in their order
	Changes  []Change  // the files that differ afterwards, sorted by path
	TreeHash string    // of all files that the bundle names, afterwards
	// MostlyFormatting says that more than 80 % of the changed lines differ in
	// white space alone.
	MostlyFormatting bool
}

// An Outcome is what became of one patch.
type Outcome struct {
	PatchID string
	Path    string
	Skipped bool // the tree was as the patch wants it: PATCH_SKIPPED
}

// A Change is one file that differs. Before is nil for a new file, After for one
// that is gone.
type Change struct {
	Path          string
	Before, After []byte
}

// Diff is the whole change as git writes it: reports/site.patch.
func (r *Result) Diff() string {
	var text strings.Builder
	for _, c := range r.Changes {
		text.WriteString(linediff.Unified(c.Path, c.Before, c.After))
	}
	return text.String()
}

// Plan applies a bundle to a tree in memory.
//
// The error is one of these: those that hold a *fence.Refusal, if any path is
// behind the fence (then no file was read); a *ConflictError, if patches do not
// fit; a *BudgetError; or the error of a read.
func Plan(tree Tree, bundle artifact.PatchBundle, rules Rules) (*Result, error) {
	if err := inFence(tree, bundle.Patches); err != nil {
		return nil, err
	}
	s := newScratch(tree)
	if done, err := alreadyApplied(s, bundle); err != nil || done != nil {
		return done, err
	}
	result := &Result{}
	var conflicts []artifact.PatchConflict
	for _, p := range bundle.Patches {
		changed, err := s.apply(p, rules)
		if conflict, clashes := conflictOf(p, err); clashes {
			conflicts = append(conflicts, conflict)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("patch %s: %w", p.ID, err)
		}
		result.Outcomes = append(result.Outcomes, Outcome{p.ID, p.Path, !changed})
	}
	if len(conflicts) == 0 {
		conflicts = s.collisions(bundle.Patches)
	}
	if len(conflicts) > 0 {
		return nil, &ConflictError{conflicts}
	}
	result.Changes = s.changes()
	var err error
	if result.TreeHash, err = s.hash(bundle.Patches); err != nil {
		return nil, err
	}
	return result, rules.judge(result)
}

// inFence asks the fence about all paths before any file is opened.
func inFence(tree Tree, patches []artifact.Patch) error {
	var refusals []error
	for _, p := range patches {
		if err := tree.Decide(p.Path); err != nil {
			refusals = append(refusals, err)
		}
	}
	return errors.Join(refusals...)
}

// alreadyApplied returns a result if the tree is what the bundle leads to. Some
// patches build on others and could not be recognised one by one.
func alreadyApplied(s *scratch, bundle artifact.PatchBundle) (*Result, error) {
	if bundle.TreeHashAfter == "" {
		return nil, nil
	}
	hash, err := s.hash(bundle.Patches)
	if err != nil || hash != bundle.TreeHashAfter {
		return nil, err
	}
	result := &Result{TreeHash: hash}
	for _, p := range bundle.Patches {
		result.Outcomes = append(result.Outcomes, Outcome{p.ID, p.Path, true})
	}
	return result, nil
}

// Apply plans a bundle and writes what it changes. If a write fails, what was
// written before is put back; a *WriteError says so.
func Apply(target Target, bundle artifact.PatchBundle, rules Rules) (*Result, error) {
	result, err := Plan(target, bundle, rules)
	if err != nil {
		return nil, err
	}
	for i, c := range result.Changes {
		if err := put(target, c.Path, c.After); err != nil {
			return nil, &WriteError{c.Path, errors.Join(err, undo(target, result.Changes[:i]))}
		}
	}
	return result, nil
}

// undo puts back what was there before changes.
func undo(target Target, changes []Change) error {
	var faults []error
	for i := len(changes) - 1; i >= 0; i-- {
		if err := put(target, changes[i].Path, changes[i].Before); err != nil {
			faults = append(faults, fmt.Errorf("not put back: %w", err))
		}
	}
	return errors.Join(faults...)
}

func put(target Target, path string, content []byte) error {
	if content == nil {
		return target.Remove(path)
	}
	return target.Write(path, content)
}

// A WriteError is a disk that is full or a file that cannot be written. It can be
// tried again.
type WriteError struct {
	Path string
	Err  error
}

func (e *WriteError) Error() string { return "write " + e.Path + ": " + e.Err.Error() }
func (e *WriteError) Unwrap() error { return e.Err }
