package record

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// What a question about a run may ask for.
const (
	IncludeSummary   = "summary"
	IncludeRuns      = "runs"
	IncludeEvents    = "events"
	IncludeToolCalls = "tool_calls"
)

// ErrCursor is a cursor that was not given out for this question.
var ErrCursor = errors.New("the cursor does not belong to this question")

// A Query asks about a run (3.5). The summary is always given.
type Query struct {
	RunID    string
	Include  []string // nil means summary and runs
	PageSize int      // 0 means 100
	Cursor   string
	// Pending is how many records wait for delivery.
	Pending int
}

// An Answer is what get_telemetry answers. Every list has its page; NextCursor
// leads to the next one of all of them, and is empty at the end.
type Answer struct {
	RunID      string            `json:"run_id"`
	Summary    Summary           `json:"summary"`
	Runs       []Record          `json:"runs"`
	Events     []json.RawMessage `json:"events,omitempty"`
	ToolCalls  []ToolCallRow     `json:"tool_calls,omitempty"`
	NextCursor string            `json:"next_cursor,omitempty"`
}

// A Summary counts.
type Summary struct {
	TotalRecords  int            `json:"total_records"`
	ByJobType     map[string]int `json:"by_job_type"`
	ByStatus      map[string]int `json:"by_status"`
	LLM           LLMUse         `json:"llm"`
	EventTypes    map[string]int `json:"event_types"`
	FirstTS       string         `json:"first_ts"`
	LastTS        string         `json:"last_ts"`
	APIPosted     bool           `json:"api_posted"`
	OutboxPending int            `json:"outbox_pending"`
}

// LLMUse is what language models have cost.
type LLMUse struct {
	Calls        int     `json:"calls"`
	InputTokens  int64   `json:"input_tokens"`
	OutputTokens int64   `json:"output_tokens"`
	CostUSD      float64 `json:"cost_usd"`
}

// A ToolCallRow is one call of a tool (18.16).
type ToolCallRow struct {
	TS         string         `json:"ts"`
	Tool       string         `json:"tool"`
	RequestID  string         `json:"request_id"`
	Client     map[string]any `json:"client"`
	DurationMS int64          `json:"duration_ms"`
	Outcome    string         `json:"outcome"`
	ErrorCode  string         `json:"error_code,omitempty"`
}

// A cursor is where each list goes on; a list that is done is not asked again.
type cursor struct {
	Question string `json:"q"`
	R        place  `json:"r"`
	C        place  `json:"c"`
	E        int64  `json:"e"`
	Done     string `json:"d"` // of r, c and e
}

// A place is a record's place in time.
type place struct {
	Time string `json:"t,omitempty"`
	ID   string `json:"i,omitempty"`
}

// Telemetry answers a question about a run. A run without any record is
// ErrNotFound.
func (s *Store) Telemetry(ctx context.Context, q Query) (Answer, error) {
	if q.Include == nil {
		q.Include = []string{IncludeSummary, IncludeRuns}
	}
	if q.PageSize == 0 {
		q.PageSize = 100
	}
	at, err := q.cursor()
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{RunID: q.RunID, Runs: []Record{}}
	if answer.Summary, err = s.summary(ctx, q); err != nil {
		return Answer{}, err
	}
	if err := s.pageOfRuns(ctx, q, &at, &answer); err != nil {
		return Answer{}, err
	}
	if err := s.pageOfCalls(ctx, q, &at, &answer); err != nil {
		return Answer{}, err
	}
	if err := s.pageOfEvents(ctx, q, &at, &answer); err != nil {
		return Answer{}, err
	}
	answer.NextCursor, err = at.next(q)
	return answer, err
}

func (q Query) wants(list string) bool { return slices.Contains(q.Include, list) }

// id tells questions apart.
func (q Query) id() string {
	include := slices.Sorted(slices.Values(q.Include))
	sum := sha256.Sum256([]byte(q.RunID + "|" + strings.Join(include, ",")))
	return hex.EncodeToString(sum[:8])
}

func (q Query) cursor() (at cursor, err error) {
	if q.Cursor == "" {
		return cursor{Question: q.id()}, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err != nil || json.Unmarshal(text, &at) != nil || at.Question != q.id() {
		return cursor{}, ErrCursor
	}
	return at, nil
}

func (c *cursor) isDone(list string) bool { return strings.Contains(c.Done, list) }

// next writes the cursor, unless all lists that were asked for are done.
func (c *cursor) next(q Query) (string, error) {
	more := q.wants(IncludeRuns) && !c.isDone("r") || q.wants(IncludeToolCalls) && !c.isDone("c") || q.wants(IncludeEvents) && !c.isDone("e")
	if !more {
		return "", nil
	}
	text, err := json.Marshal(c)
	return base64.RawURLEncoding.EncodeToString(text), err
}

func (s *Store) pageOfRuns(ctx context.Context, q Query, at *cursor, answer *Answer) error {
	if !q.wants(IncludeRuns) || at.isDone("r") {
		return nil
	}
	list, more, err := s.page(ctx, q, "job_type <> ?", at.R)
	if err != nil {
		return err
	}
	answer.Runs = list
	if !more {
		at.Done += "r"
	} else {
		at.R = place{list[len(list)-1].StartTime, list[len(list)-1].EventID}
	}
	return nil
}

func (s *Store) pageOfCalls(ctx context.Context, q Query, at *cursor, answer *Answer) error {
	if !q.wants(IncludeToolCalls) || at.isDone("c") {
		return nil
	}
	list, more, err := s.page(ctx, q, "job_type = ?", at.C)
	if err != nil {
		return err
	}
	for _, r := range list {
		answer.ToolCalls = append(answer.ToolCalls, rowOf(r))
	}
	if !more {
		at.Done += "c"
	} else {
		at.C = place{list[len(list)-1].StartTime, list[len(list)-1].EventID}
	}
	return nil
}

// page reads the records of a run behind a place, tool calls or all others.
func (s *Store) page(ctx context.Context, q Query, kind string, after place) (list []Record, more bool, err error) {
	list, err = s.query(ctx, "SELECT body FROM records WHERE "+family+" AND "+kind+" AND (start_time, event_id) > (?, ?) ORDER BY start_time, event_id LIMIT ?",
		q.RunID, q.RunID, MCPToolCall, after.Time, after.ID, q.PageSize+1)
	if len(list) > q.PageSize {
		return list[:q.PageSize], true, err
	}
	return list, false, err
}

func (s *Store) pageOfEvents(ctx context.Context, q Query, at *cursor, answer *Answer) error {
	if !q.wants(IncludeEvents) || at.isDone("e") {
		return nil
	}
	answer.Events = []json.RawMessage{}
	more, after := false, at.E
	err := s.eachEvent(ctx, q.RunID, func(e Event) bool {
		switch {
		case e.Seq <= after:
		case len(answer.Events) == q.PageSize:
			more = true
			return false
		default:
			answer.Events, at.E = append(answer.Events, e.Line), e.Seq
		}
		return true
	})
	if !more {
		at.Done += "e"
	}
	return err
}

func (s *Store) eachEvent(ctx context.Context, runID string, each func(Event) bool) error {
	if s.options.Events == nil {
		return nil
	}
	return s.options.Events(ctx, runID, each)
}

// summary counts all records of a run.
func (s *Store) summary(ctx context.Context, q Query) (Summary, error) {
	sum := Summary{
		ByJobType: map[string]int{}, ByStatus: map[string]int{}, EventTypes: map[string]int{},
		APIPosted: q.Pending == 0, OutboxPending: q.Pending,
	}
	rows, err := s.db.QueryContext(ctx, "SELECT job_type, status, count(*), min(start_time), max(start_time), max(end_time) FROM records WHERE "+family+" GROUP BY job_type, status",
		q.RunID, q.RunID)
	if err != nil {
		return sum, fmt.Errorf("read the telemetry store: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var kind, status, first, last, end string
		var count int
		if err := rows.Scan(&kind, &status, &count, &first, &last, &end); err != nil {
			return sum, err
		}
		sum.TotalRecords += count
		sum.ByJobType[kind] += count
		sum.ByStatus[status] += count
		if sum.FirstTS == "" || first < sum.FirstTS {
			sum.FirstTS = first
		}
		sum.LastTS = max(sum.LastTS, last, end)
	}
	if err := rows.Err(); err != nil {
		return sum, err
	}
	rows.Close()
	if sum.TotalRecords == 0 {
		return sum, ErrNotFound
	}
	calls, err := s.query(ctx, "SELECT body FROM records WHERE "+family+" AND job_type = ? ORDER BY start_time, event_id", q.RunID, q.RunID, LLMCall)
	if err != nil {
		return sum, err
	}
	for _, call := range calls {
		sum.LLM.add(call)
	}
	return sum, s.eachEvent(ctx, q.RunID, func(e Event) bool { sum.EventTypes[e.Type]++; return true })
}

// add counts a call of a model by its metrics.
func (u *LLMUse) add(r Record) {
	u.Calls++
	u.InputTokens += int64(number(r.Metrics["input_tokens"]))
	u.OutputTokens += int64(number(r.Metrics["output_tokens"]))
	u.CostUSD += number(r.Metrics["api_cost_usd"])
}

func number(value any) float64 {
	n, _ := value.(float64)
	return n
}

// rowOf makes a row of a record of a tool call.
func rowOf(r Record) ToolCallRow {
	text := func(name string) string { s, _ := r.Context[name].(string); return s }
	row := ToolCallRow{TS: r.StartTime, Tool: text("tool"), RequestID: text("request_id"), Outcome: r.Status, ErrorCode: text("error_code")}
	row.Client, _ = r.Context["client"].(map[string]any)
	if row.Client == nil {
		row.Client = map[string]any{}
	}
	if r.DurationMS != nil {
		row.DurationMS = *r.DurationMS
	}
	return row
}
