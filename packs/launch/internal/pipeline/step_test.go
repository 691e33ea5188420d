package pipeline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/run/eventlog"
)

// 14, 5.3: whoever watches a validation or a fix is told of each stage and gate as
// it begins and as it ends, in order; and the log has the gates of a validation,
// once each.
func TestWatched(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"allow_manual_edits": true, "fix_mode": "manual"}))
	b.work(id)
	b.breakLink(id, aPage)
	held, release := b.hold(id)
	defer release()
	var steps []string
	ctx := pipeline.Watched(t.Context(), func(s pipeline.Step) {
		if s.Gate != "" && (s.Number < 1 || s.Number > s.Total) {
			t.Errorf("gate %s is the %d. of %d", s.Gate, s.Number, s.Total)
		}
		steps = append(steps, strings.TrimSpace(fmt.Sprint(s.Worker, " ", s.Gate, " ", s.Status)))
	})
	before := held.Snapshot().LastSeq
	report, err := b.pipeline.Validate(ctx, held, nil)
	if err != nil {
		t.Fatal(err)
	}
	var gates, logged []string
	want := []string{"W7"}
	for _, g := range report.Gates {
		gates = append(gates, g.Name)
		want = append(want, "W7 "+g.Name, "W7 "+g.Name+" "+g.Status)
	}
	if want = append(want, "W7  finished"); !slices.Equal(steps, want) {
		t.Errorf("told %q\nwant %q", steps, want)
	}
	err = b.store.Events(id, func(e eventlog.Event) {
		if e.Type == "GATE_RUN_STARTED" && e.Seq > before {
			logged = append(logged, strings.TrimSuffix(strings.TrimPrefix(string(e.Payload), `{"gate":"`), `"}`))
		}
	})
	if err != nil || !slices.Equal(logged, gates) {
		t.Errorf("logged %q, want %q: %v", logged, gates, err)
	}
	steps = nil
	if _, err := b.pipeline.FixNext(ctx, held); err != nil {
		t.Fatal(err)
	}
	for _, wanted := range []string{"W8", "W8 " + gate.InternalLinks, "W8 " + gate.InternalLinks + " pass", "W8  finished", "W7", "W7 " + gate.InternalLinks + " pass", "W7  finished"} {
		if !slices.Contains(steps, wanted) {
			t.Errorf("fixing did not tell of %q: %q", wanted, steps)
		}
	}
}
