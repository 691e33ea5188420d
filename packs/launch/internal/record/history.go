package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// maxError is how many characters of an error a record has.
const maxError = 1024

// A History is the records of a run: its own and those of the stages, steps,
// gates and commits that its log tells of (12.1). They are a pure function of
// the log, so that whoever makes them again, after a crash or in another
// process, makes the same ones.
type History struct {
	records []*Record      // in the order in which they began; the first is the run's
	begun   map[string]int // how often something of a name has begun
	at      state.State
	running bool    // somebody executes the run, step by step
	node    *Record // the step at work; nil if none is
	failure snapshot.Failure
	commit  string
	sent    map[string]Update // what the service knows, by event_id
}

// NewHistory is the history of an empty log.
func NewHistory() *History { return &History{begun: map[string]int{}, sent: map[string]Update{}} }

// State is where the run was after the last event.
func (h *History) State() state.State { return h.at }

// Commit is what the run has committed; empty if that has not come to its end.
func (h *History) Commit() string {
	if h.at != state.Done {
		return ""
	}
	return h.commit
}

// Records are all records, in the order in which they began.
func (h *History) Records() []Record {
	var list []Record
	for _, r := range h.records {
		list = append(list, *r)
	}
	return list
}

// Add takes in the next event of the log.
func (h *History) Add(e eventlog.Event) {
	switch e.Type {
	case snapshot.RunCreated:
		made := payload[snapshot.Created](e)
		h.at = state.Created
		r := h.add(e, e.RunID, "", Launch)
		r.Product, r.ProductFamily, r.Platform = made.ProductSlug, made.Family, made.Platform
		r.Context["operation"], r.Context["site_profile"] = made.Operation, made.SiteProfile
	case snapshot.RunStarted:
		h.endAll(e, "interrupted")
		h.running = true
	case snapshot.RunQueued, snapshot.RunPaused:
		h.endNode(e)
		h.endAll(e, "interrupted")
		h.running = false
	case snapshot.RunInterrupted:
		h.endAll(e, "interrupted")
		h.running = false
	case snapshot.RunFailed:
		h.failure = payload[snapshot.Failure](e)
	case snapshot.RunStateChanged:
		h.enter(e, payload[snapshot.Change](e).New)
	case snapshot.WorkItemSkipped:
		h.beginNode(e)
	case snapshot.WorkItemStarted, snapshot.WorkItemFinished, snapshot.WorkItemFailed:
		h.item(e, payload[snapshot.WorkItem](e))
	case gateStarted, gateFinished:
		h.gate(e, payload[gateEvent](e))
	case snapshot.CommitIntent, snapshot.CommitCreated, snapshot.PROpened:
		h.publish(e, payload[snapshot.PullRequest](e))
	}
}

func payload[P any](e eventlog.Event) (p P) {
	_ = json.Unmarshal(e.Payload, &p) // a log that verifies was written by this program
	return p
}

// enter follows the run to a state; at its end its own record ends.
func (h *History) enter(e eventlog.Event, to state.State) {
	h.at = to
	run := h.find(e.RunID)
	if run == nil {
		return
	}
	switch to {
	case state.Done:
		h.endNode(e)
		finish(run, e, Success, "")
	case state.Failed:
		h.endAll(e, h.failure.ErrorCode)
		finish(run, e, Failure, h.failure.ErrorCode)
		run.ErrorDetails = bounded.Runes(h.failure.Message, maxError)
	case state.Cancelled:
		h.endAll(e, "cancelled")
		finish(run, e, Cancelled, "cancelled")
	case state.Drafting, state.Linking, state.PROpened: // in the middle of a step
	default:
		h.endNode(e)
		run.Status, run.ErrorSummary, run.ErrorDetails = Running, "", ""
	}
}

// item follows a work item. One that begins again was left open by a process
// that was killed.
func (h *History) item(e eventlog.Event, item snapshot.WorkItem) {
	id := fmt.Sprintf("%s-%d", strings.Trim(item.Worker+"-"+item.Scope, "-"), item.Attempt)
	r := h.child(e.RunID, Worker, id)
	switch e.Type {
	case snapshot.WorkItemStarted:
		h.beginNode(e)
		for _, other := range h.records {
			if same := other.ItemName == item.Worker && other.Context["scope"] == item.Scope; same || other.JobType == Gate {
				h.leave(other, e, "interrupted")
			}
		}
		r = h.begin(e, Worker, id)
		r.ItemName, r.Context["scope"], r.Context["work_item_id"] = item.Worker, item.Scope, item.ID
	case snapshot.WorkItemFinished:
		if r != nil {
			finish(r, e, Success, "")
			r.Metrics["outputs"] = len(item.Outputs)
		}
	case snapshot.WorkItemFailed:
		code, _, _ := strings.Cut(item.Error, ":")
		h.leaveAll(e, code, CommitService)
		if r != nil {
			finish(r, e, failed[code], code)
			r.ErrorDetails = bounded.Runes(item.Error, maxError)
		}
	}
}

// failed are the statuses of failures that are not simply that.
var failed = map[string]string{"ORCHESTRATOR_STAGE_TIMEOUT": TimedOut, "GATE_TIMEOUT": TimedOut}

// The events of gates, and what they say.
const (
	gateStarted  = "GATE_RUN_STARTED"
	gateFinished = "GATE_RUN_FINISHED"
)

type gateEvent struct {
	Gate   string `json:"gate"`
	Status string `json:"status"`
	Issues int    `json:"issues"`
}

func (h *History) gate(e eventlog.Event, g gateEvent) {
	if e.Type == gateStarted {
		h.begin(e, Gate, h.counted(g.Gate)).ItemName = g.Gate
		return
	}
	r := h.child(e.RunID, Gate, fmt.Sprintf("%s-%d", g.Gate, h.begun[g.Gate]))
	if r == nil {
		return
	}
	switch g.Status {
	case "pass", "skipped":
		finish(r, e, Success, "")
	case "timeout":
		finish(r, e, TimedOut, "GATE_TIMEOUT")
	default:
		finish(r, e, Failure, "gate "+g.Status)
	}
	r.Metrics["issues"], r.Context["gate_status"] = g.Issues, g.Status
}

// publish follows the two calls of the commit service: each begins when the one
// before it has ended.
func (h *History) publish(e eventlog.Event, pr snapshot.PullRequest) {
	done, next := "", ""
	switch e.Type {
	case snapshot.CommitIntent:
		next = "commit"
	case snapshot.CommitCreated:
		done, next, h.commit = "commit", "open_pr", pr.CommitSHA
	case snapshot.PROpened:
		done = "open_pr"
	}
	if r := h.child(e.RunID, CommitService, fmt.Sprintf("%s-%d", done, h.begun[done])); r != nil {
		finish(r, e, Success, "")
	}
	if next != "" {
		r := h.begin(e, CommitService, h.counted(next))
		r.ItemName, r.GitBranch = next, pr.Branch
	}
}

// counted names one of many things with the same name.
func (h *History) counted(name string) string {
	h.begun[name]++
	return fmt.Sprintf("%s-%d", name, h.begun[name])
}

func (h *History) begin(e eventlog.Event, kind, id string) *Record {
	return h.add(e, ChildID(e.RunID, kind, id), e.RunID, kind)
}

func (h *History) add(e eventlog.Event, runID, parent, kind string) *Record {
	r := &Record{
		EventID: EventID(runID), RunID: runID, ParentRunID: parent, AgentName: Orchestrator, JobType: kind, Status: Running, StartTime: e.Time,
		Metrics: map[string]any{}, Context: map[string]any{"trace_id": e.Trace, "span_id": e.Span},
	}
	if len(h.records) > 0 {
		r.Product, r.ProductFamily, r.Platform = h.records[0].Product, h.records[0].ProductFamily, h.records[0].Platform
		r.Context["parent_span_id"] = h.records[0].Context["span_id"]
	}
	h.records = append(h.records, r)
	return r
}

func (h *History) child(run, kind, id string) *Record { return h.find(ChildID(run, kind, id)) }

func (h *History) find(runID string) *Record {
	at := slices.IndexFunc(h.records, func(r *Record) bool { return r.RunID == runID })
	if at < 0 {
		return nil
	}
	return h.records[at]
}

// beginNode begins a step with its first piece of work. What is done by hand is
// no step.
func (h *History) beginNode(e eventlog.Event) {
	if h.running && (h.node == nil || h.node.Status != Running) {
		h.node = h.begin(e, Node, h.counted(string(h.at)))
		h.node.ItemName = string(h.at)
	}
}

// endNode ends the step at work as it should.
func (h *History) endNode(e eventlog.Event) {
	if h.node != nil && h.node.Status == Running {
		finish(h.node, e, Success, "")
	}
}

// endAll ends whatever of the run is open and cannot end by itself any more.
func (h *History) endAll(e eventlog.Event, why string) {
	h.leaveAll(e, why, Node, Worker, Gate, CommitService)
}

func (h *History) leaveAll(e eventlog.Event, why string, kinds ...string) {
	for _, r := range h.records {
		if slices.Contains(kinds, r.JobType) {
			h.leave(r, e, why)
		}
	}
}

// leave ends a record that is open: with a failure, or because it was stopped.
func (h *History) leave(r *Record, e eventlog.Event, why string) {
	if r.Status != Running || r.JobType == Launch {
		return
	}
	if why == "interrupted" || why == "cancelled" {
		finish(r, e, Cancelled, why)
		return
	}
	finish(r, e, Failure, why)
}

// finish ends a record; no status means that it failed.
func finish(r *Record, e eventlog.Event, status, why string) {
	r.Status, r.EndTime, r.ErrorSummary, r.ErrorDetails = cmp.Or(status, Failure), e.Time, why, ""
	from, err := time.Parse(time.RFC3339, r.StartTime)
	to, err2 := time.Parse(time.RFC3339, e.Time)
	if err == nil && err2 == nil {
		taken := max(0, to.Sub(from).Milliseconds())
		r.DurationMS = &taken
		r.Metrics["duration_ms"] = taken
	}
}

// A Recipient takes records; a *Sender is one.
type Recipient interface {
	Create(folder string, r Record) error
	Update(folder, eventID string, u Update) error
}

// Sent says that the recipient has everything up to now.
func (h *History) Sent() {
	for _, r := range h.records {
		h.sent[r.EventID] = updateOf(r)
	}
}

// Deliver brings the recipients what is new or has changed since it was last
// called. What has begun and ended in between is one new record.
func (h *History) Deliver(folder string, recipients ...Recipient) error {
	for _, r := range h.records {
		now := updateOf(r)
		before, known := h.sent[r.EventID]
		if known && reflect.DeepEqual(before, now) {
			continue
		}
		for _, to := range recipients {
			err := error(nil)
			if known {
				err = to.Update(folder, r.EventID, now)
			} else {
				err = to.Create(folder, *r)
			}
			if err != nil {
				return err
			}
		}
		h.sent[r.EventID] = now
	}
	return nil
}

// updateOf is everything of a record that changes. It shares nothing with the
// record, which goes on.
func updateOf(r *Record) Update {
	now := *r
	u := Update{
		Status: &now.Status, DurationMS: now.DurationMS, ErrorSummary: &now.ErrorSummary, ErrorDetails: &now.ErrorDetails,
		Metrics: maps.Clone(now.Metrics), Context: maps.Clone(now.Context),
	}
	if now.EndTime != "" {
		u.EndTime = &now.EndTime
	}
	return u
}
