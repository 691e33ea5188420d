package operate_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/run"
)

// 5.5: parts of a run go when they have been kept long enough; each deletion is an
// event of the server, and who asks for what is gone is told that it was there.
func TestRetention(t *testing.T) {
	y := newYard(t)
	l, end := y.work()
	id := y.run(l, map[string]any{"stop_at": "DONE"})
	end()
	const draft = "drafts/kb/content/kb/sparse/en/faq.md"
	for _, step := range []struct {
		days  int
		gone  []string
		stays []string
	}{
		{6, nil, []string{"work", "drafts", "reports"}},
		{8, []string{"work", "drafts"}, []string{"reports", "artifacts"}},
		{31, []string{"reports"}, []string{"artifacts", "events.ndjson"}},
		{91, []string{""}, nil},
	} {
		l := y.open(func(o *operate.Options) {
			o.Clock = func() time.Time { return time.Now().Add(time.Duration(step.days) * 24 * time.Hour) }
		})
		l.Expire(t.Context())
		for _, part := range step.gone {
			if _, err := os.Stat(filepath.Join(y.dir, "yard", "runs", id, part)); !os.IsNotExist(err) {
				t.Errorf("after %d days %q is there: %v", step.days, part, err)
			}
		}
		for _, part := range step.stays {
			if _, err := os.Stat(filepath.Join(y.dir, "yard", "runs", id, part)); err != nil {
				t.Errorf("after %d days %s is gone: %v", step.days, part, err)
			}
		}
		_, err := l.Artifact(t.Context(), id, draft, 0, 0)
		missing := (*run.MissingError)(nil)
		if expired := errors.As(err, &missing) && missing.Expired; expired != (step.days > 7 && step.days < 90) || step.days < 7 && err != nil {
			t.Errorf("after %d days the draft: %v", step.days, err)
		}
		y.close(l)
	}
	events, err := os.ReadFile(filepath.Join(y.dir, "yard", "server_events.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"work", "drafts", "reports", "run"} {
		if n := bytes.Count(events, []byte(`"part":"`+part+`","run_id":"`+id+`"`)); n != 1 {
			t.Errorf("the deletion of %s was told %d times", part, n)
		}
	}
}

// R-4, 5.1: a run whose log was changed has failed for good, in lists too.
func TestBrokenRunDoesNotWait(t *testing.T) {
	y := newYard(t)
	l := y.open()
	defer y.close(l)
	id := y.begin(l, nil)
	file := filepath.Join(y.dir, "yard", "runs", id, "events.ndjson")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(text, []byte(`"sparse"`), []byte(`"scarce"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	l.LookAfter(t.Context())
	list, err := l.List(t.Context(), operate.Listing{})
	if err != nil || len(list.Runs) != 1 || list.Runs[0].State != "FAILED" || list.Runs[0].Activity != "finished" || list.Runs[0].FinishedAt == nil {
		t.Errorf("the list has %+v: %v", list.Runs, err)
	}
	status, err := l.Status(t.Context(), id)
	if err != nil || status.State != "FAILED" || status.Activity != "finished" || status.Failure == nil || status.Failure.Code != "ORCHESTRATOR_EVENT_CHAIN_BROKEN" || status.Failure.Resumable {
		t.Errorf("the run is %s, %s, failure %+v: %v", status.State, status.Activity, status.Failure, err)
	}
}

// What a killed process was looking at goes when it is old, and not before.
func TestSweepLooks(t *testing.T) {
	y := newYard(t)
	dir := filepath.Join(y.dir, "yard")
	old, young := filepath.Join(dir, "cache", "look-1"), filepath.Join(dir, "cache", "look-2")
	for _, folder := range []string{old, young} {
		if err := os.MkdirAll(filepath.Join(folder, "tree"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(old, time.Time{}, time.Now().Add(-2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	l := y.open()
	l.SweepLooks()
	y.close(l)
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the old one is there: %v", err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Error(err)
	}
}
