package pipeline_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// edited is a run that is ready, in whose worktree somebody has then done
// something, and the report on that.
func edited(t *testing.T, edit func(page, text string) error) (b *bench, id string, report artifact.ValidationReport) {
	t.Helper()
	b = newBench(t, t.TempDir(), nil)
	id = b.start(settings("sparse", product(t, "sparse"), map[string]any{"allow_manual_edits": true, "fix_mode": "manual"}))
	expectReady(t, b, b.work(id))
	page := filepath.Join(b.folder, "runs", id, "work", "site", filepath.FromSlash(aPage))
	if err := edit(page, b.file(id, "work/site/"+aPage)); err != nil {
		t.Fatal(err)
	}
	held, release := b.hold(id)
	defer release()
	report, err := b.pipeline.Validate(t.Context(), held, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b, id, report
}

// 18.8: what an editor does to line ends is no edit; what a person says is one,
// whatever the line ends.
func TestEditsInAnotherForm(t *testing.T) {
	t.Parallel()
	dos := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	for name, c := range map[string]struct {
		write   func(text string) string
		patched bool
	}{
		"line ends":              {dos, false},
		"no newline at the end":  {func(text string) string { return strings.TrimRight(text, "\n") }, false},
		"a heading in line ends": {func(text string) string { return dos(text + "\n## More\n") }, true},
		"a heading without end":  {func(text string) string { return text + "\n## More" }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, id, report := edited(t, func(page, text string) error { return os.WriteFile(page, []byte(c.write(text)), 0o600) })
			if !report.OK || report.ManualEdits != c.patched {
				t.Errorf("ok %v, manual edits %v: %+v", report.OK, report.ManualEdits, report.Issues)
			}
			text := b.file(id, "work/site/"+aPage)
			if strings.Contains(text, "\r") || !strings.HasSuffix(text, "\n") || strings.Contains(text, "## More") != c.patched {
				t.Errorf("the page is %q", text)
			}
		})
	}
}

// 18.8: what cannot be a patch is an issue, and stays where it is.
func TestEditsThatAreNoPatches(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(page, text string) error{
		"picture": func(page, _ string) error { return os.WriteFile(page+".png", []byte("\x89PNG\x00\x01"), 0o600) },
		"latin":   func(page, _ string) error { return os.WriteFile(page+".txt", []byte("caf\xe9\n"), 0o600) },
		"large":   func(page, _ string) error { return os.WriteFile(page+".txt", make([]byte, patch.MaxFile+1), 0o600) },
		"large patch": func(page, _ string) error {
			return os.WriteFile(page+".txt", []byte(strings.Repeat("x\n", patch.MaxPatch)), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, id, report := edited(t, func(page, text string) error {
				if err := os.WriteFile(page, []byte(text+"\n## More\n"), 0o600); err != nil { // the other edit is taken
					return err
				}
				return edit(page, text)
			})
			found := slices.ContainsFunc(report.Issues, func(i issue.Issue) bool {
				return i.Code == gate.CodeUnexplained && strings.HasPrefix(i.Location.Path, aPage+".") && i.Severity == issue.Blocker
			})
			if report.OK || !found || !slices.Equal(report.ManualEditedFiles, []string{aPage}) {
				t.Errorf("edited %v: %+v", report.ManualEditedFiles, report.Issues)
			}
			if left, err := filepath.Glob(filepath.Join(b.folder, "runs", id, "work", "site", filepath.FromSlash(aPage)+".*")); err != nil || len(left) != 1 {
				t.Errorf("left are %v, %v", left, err)
			}
		})
	}
}

// 3.5: a run that has no bundle cannot be validated, and is left as it is.
func TestValidateBeforeTheBundle(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"stop_at": "DRAFT_READY"}))
	b.work(id)
	held, release := b.hold(id)
	defer release()
	if err := held.Advance(t.Context(), snapshot.Change{New: state.Linking}); err != nil { // W6 has begun, and was killed
		t.Fatal(err)
	}
	seq := held.Snapshot().LastSeq
	if _, err := b.pipeline.Validate(t.Context(), held, nil); !errors.As(err, new(*state.IllegalError)) {
		t.Errorf("validated: %v", err)
	}
	if s := held.Snapshot(); s.State != state.Linking || s.LastSeq != seq {
		t.Errorf("the run is %s, with %d events after %d", s.State, s.LastSeq, seq)
	}
}

// 3.5: a gate that is named twice runs once, and gates run in the order of their
// table.
func TestNamedGates(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.start(settings("sparse", product(t, "sparse"), nil))
	b.work(id)
	held, release := b.hold(id)
	defer release()
	report, err := b.pipeline.Validate(t.Context(), held, []string{"xss", "schema", "xss"})
	var names []string
	for _, g := range report.Gates {
		names = append(names, g.Name)
	}
	if err != nil || !slices.Equal(names, []string{"schema", "xss"}) {
		t.Errorf("%v, %v", names, err)
	}
}
