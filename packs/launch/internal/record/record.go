// Package record is what is known about runs and calls after the fact: one
// record for each run, stage, gate, model call, commit and tool call (12).
//
// A Sender takes records from those who make them, without ever making them
// wait, and brings them to a telemetry service; what cannot be delivered waits
// on disk. A Store is such a service, in this process or behind a port: Handler
// is its API. Store.Telemetry is what get_telemetry answers.
package record

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"
)

// The kinds of records, in job_type.
const (
	Launch        = "launch"
	Worker        = "worker"
	Node          = "orchestrator_node"
	Gate          = "gate"
	LLMCall       = "llm_call"
	CommitService = "commit_service"
	MCPToolCall   = "mcp_tool_call"
	Telemetry     = "telemetry" // about the delivery of records itself
)

// Who makes records, in agent_name.
const (
	Orchestrator = "launch.orchestrator"
	MCP          = "launch.mcp"
	Delivery     = "launch.telemetry"
)

// The statuses.
const (
	Running   = "running"
	Success   = "success"
	Failure   = "failure"
	Partial   = "partial"
	TimedOut  = "timeout"
	Cancelled = "cancelled"
)

var statuses = []string{Running, Success, Failure, Partial, TimedOut, Cancelled}

// aliases are other words for statuses, which only a new record may use.
var aliases = map[string]string{"failed": Failure, "completed": Success, "succeeded": Success}

// A Record is one thing that began and, perhaps, has ended.
type Record struct {
	EventID     string `json:"event_id"` // a UUID; it names the record
	RunID       string `json:"run_id"`
	ParentRunID string `json:"parent_run_id,omitempty"`
	AgentName   string `json:"agent_name"`
	JobType     string `json:"job_type"`
	Status      string `json:"status"`
	StartTime   string `json:"start_time"`

	EndTime        string `json:"end_time,omitempty"`
	DurationMS     *int64 `json:"duration_ms,omitempty"`
	Product        string `json:"product,omitempty"`
	ProductFamily  string `json:"product_family,omitempty"`
	Platform       string `json:"platform,omitempty"`
	Subdomain      string `json:"subdomain,omitempty"`
	WebsiteSection string `json:"website_section,omitempty"`
	ItemName       string `json:"item_name,omitempty"`
	GitRepo        string `json:"git_repo,omitempty"`
	GitBranch      string `json:"git_branch,omitempty"`

	ItemsDiscovered *int `json:"items_discovered,omitempty"`
	ItemsSucceeded  *int `json:"items_succeeded,omitempty"`
	ItemsFailed     *int `json:"items_failed,omitempty"`
	ItemsSkipped    *int `json:"items_skipped,omitempty"`

	OutputSummary string         `json:"output_summary,omitempty"`
	ErrorSummary  string         `json:"error_summary,omitempty"`
	ErrorDetails  string         `json:"error_details,omitempty"`
	Metrics       map[string]any `json:"metrics_json"`
	Context       map[string]any `json:"context_json"`

	CommitHash      string `json:"commit_hash,omitempty"`
	CommitSource    string `json:"commit_source,omitempty"`
	CommitAuthor    string `json:"commit_author,omitempty"`
	CommitTimestamp string `json:"commit_timestamp,omitempty"`

	CreatedAt string `json:"created_at,omitempty"`
	UpdatedAt string `json:"updated_at,omitempty"`
}

// ChildID is the run_id of a child: of a stage, a gate or a call (12.1).
func ChildID(parent, kind, id string) string { return parent + "-" + kind + "-" + id }

// EventID names the record of a run or child: whoever makes it again, after a
// resume, makes the same record.
func EventID(runID string) string { return uuid("record|" + runID) }

// uuid is a UUID of version 4 in form, derived from text.
func uuid(text string) string {
	sum := sha256.Sum256([]byte(text))
	id := sum[:16]
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

var uuidShape = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// timeLayout is how times are written (0). Times in it sort as text.
const timeLayout = "2006-01-02T15:04:05.000Z"

// Time writes a time as records have it.
func Time(t time.Time) string { return t.UTC().Format(timeLayout) }

// complete checks a new record and brings it into its one form.
func (r *Record) complete() error {
	var faults []error
	need := func(name, value string) {
		if value == "" || len(value) > 512 {
			faults = append(faults, fmt.Errorf("%s is missing or too long", name))
		}
	}
	need("run_id", r.RunID)
	need("agent_name", r.AgentName)
	need("job_type", r.JobType)
	if !uuidShape.MatchString(r.EventID) {
		faults = append(faults, errors.New("event_id is not a UUID"))
	}
	if r.Status == "" {
		r.Status = Running
	}
	if known, ok := aliases[r.Status]; ok {
		r.Status = known
	}
	if !slices.Contains(statuses, r.Status) {
		faults = append(faults, errors.New("status is not known"))
	}
	faults = append(faults, normal("start_time", &r.StartTime, true), normal("end_time", &r.EndTime, false))
	if r.Metrics == nil {
		r.Metrics = map[string]any{}
	}
	if r.Context == nil {
		r.Context = map[string]any{}
	}
	return errors.Join(faults...)
}

// normal rewrites a time.
func normal(name string, text *string, needed bool) error {
	if *text == "" && !needed {
		return nil
	}
	at, err := time.Parse(time.RFC3339Nano, *text)
	if err != nil {
		return fmt.Errorf("%s is not a time of RFC 3339", name)
	}
	*text = Time(at)
	return nil
}

// An Update changes a record. What is nil stays as it is.
type Update struct {
	Status          *string        `json:"status,omitempty"`
	EndTime         *string        `json:"end_time,omitempty"`
	DurationMS      *int64         `json:"duration_ms,omitempty"`
	ItemsDiscovered *int           `json:"items_discovered,omitempty"`
	ItemsSucceeded  *int           `json:"items_succeeded,omitempty"`
	ItemsFailed     *int           `json:"items_failed,omitempty"`
	ItemsSkipped    *int           `json:"items_skipped,omitempty"`
	OutputSummary   *string        `json:"output_summary,omitempty"`
	ErrorSummary    *string        `json:"error_summary,omitempty"`
	ErrorDetails    *string        `json:"error_details,omitempty"`
	Metrics         map[string]any `json:"metrics_json,omitempty"`
	Context         map[string]any `json:"context_json,omitempty"`
}

// check refuses what a record cannot be.
func (u *Update) check() error {
	if u.Status != nil && !slices.Contains(statuses, *u.Status) {
		return errors.New("status is not known")
	}
	if u.EndTime != nil {
		return normal("end_time", u.EndTime, true)
	}
	return nil
}

// apply changes a record.
func (u *Update) apply(r *Record) {
	set(&r.Status, u.Status)
	set(&r.EndTime, u.EndTime)
	set(&r.OutputSummary, u.OutputSummary)
	set(&r.ErrorSummary, u.ErrorSummary)
	set(&r.ErrorDetails, u.ErrorDetails)
	keep(&r.DurationMS, u.DurationMS)
	keep(&r.ItemsDiscovered, u.ItemsDiscovered)
	keep(&r.ItemsSucceeded, u.ItemsSucceeded)
	keep(&r.ItemsFailed, u.ItemsFailed)
	keep(&r.ItemsSkipped, u.ItemsSkipped)
	if u.Metrics != nil {
		r.Metrics = u.Metrics
	}
	if u.Context != nil {
		r.Context = u.Context
	}
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

func keep[T any](field **T, value *T) {
	if value != nil {
		*field = value
	}
}

// A Commit is what came of the work that a record is about.
type Commit struct {
	Hash      string `json:"commit_hash"`
	Source    string `json:"commit_source"` // manual, llm, ci
	Author    string `json:"commit_author,omitempty"`
	Timestamp string `json:"commit_timestamp,omitempty"`
}

var commitShape = regexp.MustCompile(`^[0-9a-f]{7,40}$`)

func (c *Commit) check() error {
	if !commitShape.MatchString(c.Hash) {
		return errors.New("commit_hash must have 7 to 40 hexadecimal digits")
	}
	if !slices.Contains([]string{"manual", "llm", "ci"}, c.Source) {
		return errors.New("commit_source must be manual, llm or ci")
	}
	return normal("commit_timestamp", &c.Timestamp, false)
}
