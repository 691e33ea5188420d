package record_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/record"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/state"

	"github.com/google/go-cmp/cmp"
)

// told are events that the log of a run could have, a second apart: a run that
// was killed while a gate was at work, went on, failed to publish, and ended
// when somebody had resumed it.
var told = []struct{ kind, payload string }{
	{"RUN_CREATED", `{"operation":"start","product_slug":"acme","family":"acme","platform":"go"}`},
	{"RUN_QUEUED", `{}`},
	{"RUN_STARTED", `{}`},
	{"WORK_ITEM_STARTED", `{"work_item_id":"r:W1:1:clone","worker":"W1","scope_key":"clone","attempt":1}`},
	{"WORK_ITEM_FAILED", `{"work_item_id":"r:W1:1:clone","worker":"W1","scope_key":"clone","attempt":1,"error":"ORCHESTRATOR_STAGE_TIMEOUT: too slow","retryable":true}`},
	{"WORK_ITEM_STARTED", `{"work_item_id":"r:W1:2:clone","worker":"W1","scope_key":"clone","attempt":2}`},
	{"WORK_ITEM_FINISHED", `{"work_item_id":"r:W1:2:clone","worker":"W1","scope_key":"clone","attempt":2,"outputs":{"a":"1"}}`},
	{"RUN_STATE_CHANGED", `{"old_state":"CREATED","new_state":"CLONED_INPUTS"}`},
	{"RUN_STATE_CHANGED", `{"old_state":"LINKING","new_state":"VALIDATING"}`},
	{"WORK_ITEM_STARTED", `{"work_item_id":"r:W7:1:","worker":"W7","attempt":1}`},
	{"GATE_RUN_STARTED", `{"gate":"schema"}`},
	{"RUN_INTERRUPTED", `{}`}, // it was killed
	{"RUN_RESUMED", `{}`},
	{"RUN_STARTED", `{}`},
	{"WORK_ITEM_SKIPPED", `{"work_item_id":"r:W1:2:clone","worker":"W1","scope_key":"clone","attempt":2}`},
	{"WORK_ITEM_STARTED", `{"work_item_id":"r:W7:2:","worker":"W7","attempt":2}`},
	{"GATE_RUN_STARTED", `{"gate":"schema"}`},
	{"GATE_RUN_FINISHED", `{"gate":"schema","status":"fail","issues":2,"duration_ms":1}`},
	{"WORK_ITEM_FINISHED", `{"work_item_id":"r:W7:2:","worker":"W7","attempt":2}`},
	{"RUN_STATE_CHANGED", `{"old_state":"VALIDATING","new_state":"READY_FOR_PR"}`},
	{"WORK_ITEM_STARTED", `{"work_item_id":"r:W9:1:","worker":"W9","attempt":1}`},
	{"COMMIT_INTENT", `{"branch":"launch/acme"}`},
	{"WORK_ITEM_FAILED", `{"work_item_id":"r:W9:1:","worker":"W9","attempt":1,"error":"COMMIT_SERVICE_NETWORK_FAILED: away"}`},
	{"RUN_FAILED", `{"class":"FAILED","error_code":"COMMIT_SERVICE_NETWORK_FAILED","message":"away","resumable":true}`},
	{"RUN_STATE_CHANGED", `{"old_state":"READY_FOR_PR","new_state":"FAILED"}`},
	{"RUN_STATE_CHANGED", `{"old_state":"FAILED","new_state":"READY_FOR_PR"}`},
	{"RUN_STARTED", `{}`},
	{"WORK_ITEM_STARTED", `{"work_item_id":"r:W9:2:","worker":"W9","attempt":2}`},
	{"COMMIT_CREATED", `{"branch":"launch/acme","commit_sha":"0123456789012345678901234567890123456789"}`},
	{"PR_OPENED", `{"pr_url":"https://site.example/1"}`},
	{"WORK_ITEM_FINISHED", `{"work_item_id":"r:W9:2:","worker":"W9","attempt":2}`},
	{"RUN_STATE_CHANGED", `{"old_state":"READY_FOR_PR","new_state":"PR_OPENED"}`},
	{"RUN_STATE_CHANGED", `{"old_state":"PR_OPENED","new_state":"DONE"}`},
}

func events() []eventlog.Event {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var list []eventlog.Event
	for i, e := range told {
		list = append(list, eventlog.Event{
			RunID: "run", Seq: int64(i + 1), Time: eventlog.Time(begin.Add(time.Duration(i) * time.Second)), Type: e.kind,
			Payload: json.RawMessage(e.payload), Trace: "trace", Span: fmt.Sprint("span", i),
		})
	}
	return list
}

// A book keeps the records that it gets, as a service does.
type book struct {
	t       *testing.T
	records map[string]record.Record
	order   []string
}

func newBook(t *testing.T) *book { return &book{t: t, records: map[string]record.Record{}} }

func (b *book) Create(_ string, r record.Record) error {
	if _, known := b.records[r.EventID]; known {
		b.t.Errorf("%s was made twice", r.RunID)
	}
	b.records[r.EventID] = r
	b.order = append(b.order, r.RunID)
	return nil
}

func (b *book) Update(_, eventID string, u record.Update) error {
	r, known := b.records[eventID]
	if !known {
		b.t.Errorf("a record that is not there was changed")
	}
	r.Status, r.ErrorSummary, r.ErrorDetails, r.Metrics, r.Context, r.DurationMS = *u.Status, *u.ErrorSummary, *u.ErrorDetails, u.Metrics, u.Context, u.DurationMS
	if u.EndTime != nil {
		r.EndTime = *u.EndTime
	}
	b.records[eventID] = r
	return nil
}

// 12.1: the log of a run says what became of each of its parts.
func TestHistory(t *testing.T) {
	h := record.NewHistory()
	for _, e := range events() {
		h.Add(e)
	}
	type row struct{ ID, Kind, Status, Why, Start, End string }
	var got []row
	for _, r := range h.Records() {
		got = append(got, row{r.RunID, r.JobType, r.Status, r.ErrorSummary, r.StartTime[17:19], r.EndTime[17:19]})
	}
	want := []row{
		{"run", "launch", "success", "", "00", "32"},
		{"run-orchestrator_node-CREATED-1", "orchestrator_node", "success", "", "03", "07"},
		{"run-worker-W1-clone-1", "worker", "timeout", "ORCHESTRATOR_STAGE_TIMEOUT", "03", "04"},
		{"run-worker-W1-clone-2", "worker", "success", "", "05", "06"},
		{"run-orchestrator_node-VALIDATING-1", "orchestrator_node", "cancelled", "interrupted", "09", "11"},
		{"run-worker-W7-1", "worker", "cancelled", "interrupted", "09", "11"},
		{"run-gate-schema-1", "gate", "cancelled", "interrupted", "10", "11"},
		{"run-orchestrator_node-VALIDATING-2", "orchestrator_node", "success", "", "14", "19"},
		{"run-worker-W7-2", "worker", "success", "", "15", "18"},
		{"run-gate-schema-2", "gate", "failure", "gate fail", "16", "17"},
		{"run-orchestrator_node-READY_FOR_PR-1", "orchestrator_node", "failure", "COMMIT_SERVICE_NETWORK_FAILED", "20", "24"},
		{"run-worker-W9-1", "worker", "failure", "COMMIT_SERVICE_NETWORK_FAILED", "20", "22"},
		{"run-commit_service-commit-1", "commit_service", "success", "", "21", "28"},
		{"run-orchestrator_node-READY_FOR_PR-2", "orchestrator_node", "success", "", "27", "32"},
		{"run-worker-W9-2", "worker", "success", "", "27", "30"},
		{"run-commit_service-open_pr-1", "commit_service", "success", "", "28", "29"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if h.State() != state.Done || len(h.Commit()) != 40 {
		t.Errorf("the run is %s with the commit %q", h.State(), h.Commit())
	}
}

// wherever a process ends, and whatever of the end was not noted, what the
// next one sends leads to the same records.
func TestHistoryIsSentOnce(t *testing.T) {
	whole := record.NewHistory()
	for _, e := range events() {
		whole.Add(e)
	}
	for cut := range told {
		b := newBook(t)
		first := record.NewHistory()
		for _, e := range events()[:cut] {
			first.Add(e)
		}
		if err := first.Deliver("", b); err != nil {
			t.Fatal(err)
		}
		next := record.NewHistory()
		for i, e := range events() {
			if i == cut {
				next.Sent()
			}
			next.Add(e)
		}
		if err := next.Deliver("", b); err != nil {
			t.Fatal(err)
		}
		for at, want := range whole.Records() {
			if got := b.records[want.EventID]; b.order[at] != want.RunID || !cmp.Equal(want, got) {
				t.Errorf("cut at %d: %s", cut, cmp.Diff(want, got))
			}
		}
		if len(b.records) != len(whole.Records()) {
			t.Errorf("cut at %d: %d records", cut, len(b.records))
		}
	}
}
