package record

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/redact"
)

// The events of tool calls (12.3).
const (
	ToolStarted  = "MCP_TOOL_STARTED"
	ToolFinished = "MCP_TOOL_FINISHED"
	ToolFailed   = "MCP_TOOL_FAILED"
	ToolTimeout  = "MCP_TOOL_TIMEOUT"
)

// UnknownTool is the name under which tools are recorded that do not exist
// (18.16).
const UnknownTool = "_unknown"

const (
	maxArguments = 16 << 10
	maxToolName  = 64
)

// A ToolCall is a call that begins.
type ToolCall struct {
	Tool      string // UnknownTool if there is none of this name
	GivenName string // what the caller called an unknown tool
	Operation string
	Arguments json.RawMessage
	RunID     string // that the arguments name; it need not exist
	RequestID string
	RPCID     string
	Client    Client
	// ConnectionID names the connection, Transport how it is made.
	ConnectionID, Transport string
	TraceID, SpanID         string
}

// A Client is who calls.
type Client struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	TokenID string `json:"token_id,omitempty"` // its last characters
}

// A CallEnd is how a call ended. Without an error code it went well.
type CallEnd struct {
	RunID       string          // if only the end tells
	Result      json.RawMessage // of which only the outline is kept
	ResultBytes int
	ErrorCode   string
	Retryable   bool
	Status      string // TimedOut or Cancelled, if that was it; else empty
}

// Calls records tool calls: for each one record, one event when it begins and
// one when it ends. One that took too long has an event more, which says so.
type Calls struct {
	// Send takes the record; a *Sender's Create does.
	Send func(folder string, r Record) error
	// Emit takes the events.
	Emit func(eventType string, payload map[string]any)
	// RunFolder finds the folder of a run; ok is false if there is no such run.
	RunFolder func(runID string) (folder string, ok bool)
	Redact    *redact.Redactor
	Now       func() time.Time
}

// An Ongoing is a call that has begun.
type Ongoing struct {
	calls *Calls
	call  ToolCall
	start time.Time
	once  sync.Once
}

// Begin notes that a call begins. Whoever calls it calls End.
func (c *Calls) Begin(call ToolCall) *Ongoing {
	o := &Ongoing{calls: c, call: call, start: c.Now()}
	payload := map[string]any{"tool": call.Tool, "request_id": call.RequestID}
	if _, known := c.RunFolder(call.RunID); known {
		payload["run_id"] = call.RunID
	}
	c.Emit(ToolStarted, payload)
	return o
}

// End notes how the call ended. Only the first end of a call counts. The error
// is that of a record which could not be taken.
func (o *Ongoing) End(end CallEnd) (err error) {
	o.once.Do(func() { err = o.end(end) })
	return err
}

func (o *Ongoing) end(end CallEnd) error {
	if end.RunID == "" {
		end.RunID = o.call.RunID
	}
	folder, known := o.calls.RunFolder(end.RunID)
	if !known {
		end.RunID = ""
	}
	now := o.calls.Now()
	taken := now.Sub(o.start).Milliseconds()
	if end.Status == TimedOut {
		o.calls.Emit(ToolTimeout, map[string]any{"tool": o.call.Tool, "request_id": o.call.RequestID, "duration_ms": taken})
	}
	o.calls.Emit(end.event(o.call, taken))
	return o.calls.Send(folder, o.record(end, now, taken))
}

// event is what goes to the event log.
func (e CallEnd) event(call ToolCall, taken int64) (string, map[string]any) {
	payload := map[string]any{"tool": call.Tool, "request_id": call.RequestID, "duration_ms": taken}
	if e.RunID != "" {
		payload["run_id"] = e.RunID
	}
	if e.ErrorCode == "" {
		return ToolFinished, payload
	}
	payload["error_code"], payload["retryable"] = e.ErrorCode, e.Retryable
	return ToolFailed, payload
}

// record is what goes to telemetry.
func (o *Ongoing) record(end CallEnd, now time.Time, taken int64) Record {
	r := Record{
		RunID: "mcp-" + o.call.ConnectionID, AgentName: MCP, JobType: MCPToolCall, Status: Success, ItemName: o.call.Tool,
		StartTime: Time(o.start), EndTime: Time(now), DurationMS: &taken,
		Metrics: map[string]any{"duration_ms": taken, "result_bytes": end.ResultBytes}, Context: o.context(end),
	}
	r.EventID = EventID(ChildID(r.RunID, MCPToolCall, o.call.RequestID))
	if end.RunID != "" {
		r.RunID, r.ParentRunID = ChildID(end.RunID, MCPToolCall, o.call.RequestID), end.RunID
	}
	switch {
	case end.Status != "":
		r.Status = end.Status
	case end.ErrorCode != "":
		r.Status = Failure
	}
	if end.ErrorCode != "" {
		r.ErrorSummary = end.ErrorCode
	}
	return r
}

func (o *Ongoing) context(end CallEnd) map[string]any {
	call := o.call
	c := map[string]any{
		"tool": call.Tool, "operation": call.Operation, "arguments": Arguments(o.calls.Redact, call.Arguments), "result_summary": Outline(end.Result),
		"request_id": call.RequestID, "rpc_id": call.RPCID, "client": call.Client, "connection_id": call.ConnectionID, "transport": call.Transport,
		"trace_id": call.TraceID, "span_id": call.SpanID,
	}
	if call.Tool == UnknownTool {
		c["given_name"] = bounded.Runes(o.calls.Redact.Text(call.GivenName), maxToolName)
	}
	if end.ErrorCode != "" {
		c["error_code"], c["retryable"] = end.ErrorCode, end.Retryable
	}
	return c
}

// Arguments are what a record keeps of the arguments of a call: no secrets, a
// hash in place of a run_config, and at most 16 KiB.
func Arguments(r *redact.Redactor, text json.RawMessage) any {
	if rawjson.Check(text, rawjson.Limits{Depth: 64}) != nil {
		return map[string]any{}
	}
	value, err := rawjson.Decode(text)
	if err != nil {
		return map[string]any{}
	}
	if object, ok := value.(map[string]any); ok && object["run_config"] != nil {
		object = maps.Clone(object)
		object["run_config"] = map[string]any{"sha256": hashOf(object["run_config"])}
		value = object
	}
	value = r.Value(value)
	short, err := artifact.Canonical(value)
	if err != nil || len(short) > maxArguments {
		return map[string]any{"truncated": true, "bytes": len(short), "sha256": hashOf(value)}
	}
	return value
}

func hashOf(value any) string {
	text, err := artifact.Canonical(value)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Outline is what a record keeps of a result: which members it has, and how many
// elements are in those that are lists or objects.
func Outline(result json.RawMessage) map[string]any {
	keys, counts := []string{}, map[string]any{}
	if rawjson.Check(result, rawjson.Limits{Depth: 64}) == nil && rawjson.KindOf(result) == rawjson.Object {
		for name, value := range rawjson.Members(result) {
			keys = append(keys, string(name))
			if n, many := size(value); many {
				counts[string(name)] = n
			}
		}
	}
	slices.Sort(keys)
	return map[string]any{"keys": keys, "counts": counts}
}

func size(value []byte) (n int, many bool) {
	switch rawjson.KindOf(value) {
	case rawjson.Array:
		for range rawjson.Elements(value) {
			n++
		}
		return n, true
	case rawjson.Object:
		for range rawjson.Members(value) {
			n++
		}
		return n, true
	}
	return 0, false
}
