package pipeline_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// aPage is a page that runs of the fixture sparse make.
const aPage = "content/kb/sparse/en/faq.md"

// breakLink adds a link that leads nowhere to a page of the worktree.
func (b *bench) breakLink(id, page string) {
	b.t.Helper()
	file := filepath.Join(b.folder, "runs", id, "work", "site", filepath.FromSlash(page))
	text := b.file(id, "work/site/"+page) + "\nSee [the rest](/kb/sparse/nowhere/).\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// S-9, 18.8: the edit of a person becomes a patch; the broken link in it is
// found, and fixed with patches that are named.
func TestFixNext(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"allow_manual_edits": true, "fix_mode": "manual"}))
	expectReady(t, b, b.work(id))
	b.breakLink(id, aPage)
	held, release := b.hold(id)
	defer release()
	report, err := b.pipeline.Validate(t.Context(), held, nil)
	if err != nil || report.OK || !report.ManualEdits || held.Snapshot().State != state.Validating {
		t.Fatalf("ok %v, manual edits %v, the run is %s: %v", report.OK, report.ManualEdits, held.Snapshot().State, err)
	}
	broken := report.Issues[0]
	fixed, err := b.pipeline.FixNext(t.Context(), held)
	if err != nil {
		t.Fatal(err)
	}
	still := slices.ContainsFunc(fixed.Report.Issues, func(i issue.Issue) bool { return i.ID == broken.ID })
	if fixed.IssueID != broken.ID || len(fixed.PatchIDs) == 0 || still || !fixed.Report.OK || held.Snapshot().State != state.ReadyForPR {
		t.Errorf("fixed %+v, the run is %s", fixed, held.Snapshot().State)
	}
	if text := b.file(id, "work/site/"+aPage); strings.Contains(text, "nowhere") || !strings.Contains(text, "See the rest") {
		t.Errorf("the page has\n%s", text)
	}
	if _, err := b.pipeline.FixNext(t.Context(), held); err == nil {
		t.Error("a run without issues was fixed")
	}
}

// 18.8: without allow_manual_edits the worktree is rebuilt, and the edit is gone.
func TestEditIsNotTaken(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.start(settings("sparse", product(t, "sparse"), nil))
	b.work(id)
	b.breakLink(id, aPage)
	held, release := b.hold(id)
	defer release()
	report, err := b.pipeline.Validate(t.Context(), held, nil)
	if err != nil || !report.OK || held.Snapshot().State != state.ReadyForPR || strings.Contains(b.file(id, "work/site/"+aPage), "nowhere") {
		t.Errorf("ok %v: %v", report.OK, err)
	}
	told := slices.ContainsFunc(report.Issues, func(i issue.Issue) bool {
		return i.Code == pipeline.CodeEditsDiscarded && i.Severity == issue.Info && slices.Equal(i.Files, []string{aPage}) && strings.Contains(i.SuggestedFix, "allow_manual_edits")
	})
	if !told || strings.Count(b.file(id, "events.ndjson"), "MANUAL_EDITS_DISCARDED") != 1 {
		t.Errorf("nobody is told that the edit is gone: %+v", report.Issues)
	}
	few, err := b.pipeline.Validate(t.Context(), held, []string{"xss"})
	if err != nil || len(few.Gates) != 1 || few.Gates[0].Name != "xss" || len(few.Issues) > 0 {
		t.Errorf("only xss: %+v, %v", few.Gates, err)
	}
	if _, err := b.pipeline.Validate(t.Context(), held, []string{"nonsense"}); err == nil {
		t.Error("there is no gate nonsense")
	}
}

// 10.4: a run fixes what it can by itself, one issue at a time, and every attempt
// is in the log. Its pages still have stamps that hold.
func TestFixLoop(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"allow_manual_edits": true, "stop_at": "READY_FOR_PR"}))
	b.work(id)
	b.breakLink(id, aPage)
	held, release := b.hold(id)
	if _, err := b.pipeline.Validate(t.Context(), held, nil); err != nil {
		t.Fatal(err)
	}
	release()
	s := b.resume(id, "DONE")
	if s.State != state.Done || s.FixAttempts != 1 {
		t.Fatalf("the run is %s after %d fixes, failure %+v", s.State, s.FixAttempts, s.Failure)
	}
	var outcomes []string
	err := b.store.Events(id, func(e eventlog.Event) {
		if e.Type == snapshot.FixAttempted {
			outcomes = append(outcomes, string(e.Payload))
		}
	})
	if err != nil || len(outcomes) != 1 || !strings.Contains(outcomes[0], "applied") {
		t.Errorf("attempts %v, %v", outcomes, err)
	}
	if text := b.file(id, "work/site/"+aPage); !patch.Stamped(text) || strings.Contains(text, "nowhere") {
		t.Errorf("the fixed page has\n%s", text)
	}
	b.expectPublished(id)
}

// 10.4: when there is nothing left to try the run fails, says why, and can be
// resumed.
func TestExhausted(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"allow_manual_edits": true, "max_fix_attempts": 0}))
	b.work(id)
	b.breakLink(id, aPage)
	held, release := b.hold(id)
	if _, err := b.pipeline.Validate(t.Context(), held, nil); err != nil {
		t.Fatal(err)
	}
	_, err := b.pipeline.FixNext(t.Context(), held)
	if fault := (*pipeline.Fault)(nil); !errors.As(err, &fault) || fault.Code != pipeline.CodeExhausted {
		t.Errorf("by hand: %v", err)
	}
	release()
	s := b.resume(id, "DONE")
	if s.State != state.Failed || s.Failure == nil || s.Failure.ErrorCode != pipeline.CodeExhausted || !s.Failure.Resumable {
		t.Fatalf("the run is %s, failure %+v", s.State, s.Failure)
	}
	if text := b.file(id, "reports/failure_summary.md"); !strings.Contains(text, "GATE_LINK_BROKEN") {
		t.Errorf("the summary has\n%s", text)
	}
}

// 10.4, 9.3: a run puts right by rule what its own templates have got wrong, comes
// to its end by itself, and the pages that were fixed have stamps that hold.
func TestFixedByItself(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil, adding(t, "kb/faq.md", "\n## More\n\nSee [the rest](/kb/nowhere/).\n"))
	id := b.start(settings("sparse", product(t, "sparse"), nil))
	s := b.work(id)
	if s.State != state.ReadyForPR || s.FixAttempts != 1 {
		t.Fatalf("the run is %s after %d fixes, failure %+v", s.State, s.FixAttempts, s.Failure)
	}
	if text := b.file(id, "work/site/"+aPage); !strings.Contains(text, "See the rest.") || !patch.Stamped(text) {
		t.Errorf("the page has\n%s", text)
	}
	fixed := slices.DeleteFunc(b.bundle(id).Patches, func(p artifact.Patch) bool { return p.Origin != patch.OriginFix })
	if len(fixed) == 0 || fixed[0].IssueID == "" || !strings.Contains(b.file(id, "reports/diff_report.md"), "fix") {
		t.Errorf("patches %+v", fixed)
	}
	// 5.7(6): resuming keeps the fix, since the bundle has it.
	_, err := b.store.Resume(t.Context(), id, holder, run.Resuming{Until: "DONE", Stages: b.pipeline.Stages(), Enqueue: enqueueNothing})
	if err != nil {
		t.Fatal(err)
	}
	if s := b.work(id); s.State != state.Done || s.FixAttempts != 1 {
		t.Errorf("the run is %s after %d fixes, failure %+v", s.State, s.FixAttempts, s.Failure)
	}
	b.expectPublished(id)
}

// 10.4: an issue that no rule can put right ends the run, and is named.
func TestUnfixable(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil, adding(t, "kb/faq.md", "\n## More\n\nSee [the rest](javascript:alert).\n"))
	s := b.work(b.start(settings("sparse", product(t, "sparse"), nil)))
	if s.State != state.Failed || s.Failure.ErrorCode != pipeline.CodeExhausted || s.Sections["kb"] != state.Blocked {
		t.Errorf("the run is %s, section kb is %s, failure %+v", s.State, s.Sections["kb"], s.Failure)
	}
}
