package launch_test

import (
	"encoding/json"
	"slices"
	"testing"

	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
)

// runIDs are the runs that a process lists.
func (p *process) runIDs() (ids []string) {
	p.t.Helper()
	var list struct {
		Runs []struct {
			RunID string `json:"run_id"`
		}
	}
	p.call("list_runs", "{}").structured(p.t, &list)
	for _, row := range list.Runs {
		ids = append(ids, row.RunID)
	}
	return ids
}

// R-20, S-10: two programs on one data directory list and read each other's runs;
// calls that change one run come one after the other; and when the one that
// executes a run is gone, the other resumes it at once.
func TestR20TwoPrograms(t *testing.T) {
	w := newWorkplace(t, fixtures.Sparse())
	first, second := w.serve(t), w.serve(t)
	run := first.startRun(w.config(nil))
	if ids := second.runIDs(); !slices.Contains(ids, run) {
		t.Errorf("the other program lists %v", ids)
	}
	if code := first.leave(); code != 0 {
		t.Errorf("the first program ends with %d:\n%s", code, first.log.String())
	}
	second.call("resume_run", `{"run_id":"`+run+`"}`).structured(t, nil)
	if state := second.rest(run); state != "READY_FOR_PR" {
		t.Fatalf("resumed, the run rests in %s", state)
	}
	third := w.serve(t)
	plan := func(p *process) string {
		return p.call("get_artifact", `{"run_id":"`+run+`","artifact_name":"page_plan.json"}`).structured(t, nil)
	}
	if plan(second) != plan(third) {
		t.Error("the programs read different plans")
	}
	request := `{"jsonrpc":"2.0","id":"both","method":"tools/call","params":{"name":"validate_run","arguments":{"run_id":"` + run + `"}}}`
	for _, p := range []*process{second, third} {
		p.send(request)
	}
	for _, p := range []*process{second, third} {
		if r, text := p.next(); r.Error != nil && codeOf(r) != "ORCHESTRATOR_RUN_LOCKED" {
			t.Errorf("S-29: one of two calls is answered with %s", text)
		}
	}
	expectOneAfterTheOther(t, w, run)
}

// expectOneAfterTheOther checks that no validation of a run began before the one
// before it had ended: gates are never two at a time.
func expectOneAfterTheOther(t *testing.T, w workplace, id string) {
	t.Helper()
	store, err := run.Open(t.Context(), w.data, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	r, err := store.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Broken(); err != nil {
		t.Error(err)
	}
	open, gates := "", 0
	err = store.Events(id, func(e eventlog.Event) {
		var payload struct{ Gate string }
		if err := json.Unmarshal(e.Payload, &payload); err != nil {
			t.Error(err)
		}
		switch e.Type {
		case "GATE_RUN_STARTED":
			if open != "" {
				t.Errorf("%s begins while %s is at work", payload.Gate, open)
			}
			open = payload.Gate
			gates++
		case "GATE_RUN_FINISHED":
			open = ""
		}
	})
	if err != nil || gates == 0 {
		t.Errorf("%d gates, %v", gates, err)
	}
}
