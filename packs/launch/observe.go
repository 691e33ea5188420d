package launch

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/packs/launch/internal/record"
)

// An observation is a call of a tool while it is being answered. Every call has
// one record, two events and one line in the log (S-15, S-46).
type observation struct {
	*face
	call   *call
	client record.Client
	rpcID  string
	trace  string // of 32 hexadecimal digits
	began  time.Time
	told   *record.Ongoing
}

// observe is called before anything can refuse the call.
func (f *face) observe(c *call, r *server.Request) *observation {
	o := &observation{face: f, call: c, began: f.cfg.Now(), rpcID: r.ID().String(), trace: traceOf(r)}
	o.client.Name, _ = rawjson.String(rawjson.Member(r.ClientInfo(), "name"))
	o.client.Version, _ = rawjson.String(rawjson.Member(r.ClientInfo(), "version"))
	o.client.Name, o.client.Version = bounded.Runes(o.client.Name, 100), bounded.Runes(o.client.Version, 100)
	return o
}

// traceparent is the W3C form: version, trace, parent, flags.
var traceparent = regexp.MustCompile(`^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$`)

// traceOf is the trace that the client says the call belongs to, or else a new
// one.
func traceOf(r *server.Request) string {
	text, _ := rawjson.String(r.Meta("traceparent"))
	if found := traceparent.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	fresh := make([]byte, 16)
	_, _ = rand.Read(fresh) // never fails
	return hex.EncodeToString(fresh)
}

// begin tells of the call as soon as its arguments are known, or when it ends
// without anybody having looked at them.
func (o *observation) begin() {
	if o.told != nil {
		return
	}
	begun := record.ToolCall{
		Tool: o.call.label(), Arguments: o.call.arguments, RunID: o.call.runID(), RequestID: o.call.requestID, RPCID: o.rpcID, Client: o.client,
		ConnectionID: o.call.connection, Transport: "stdio", TraceID: o.trace,
	}
	if o.cfg.HTTP {
		begun.Transport = "http"
	}
	if found, _, ok := find(o.call.tool); ok {
		begun.Operation = found.name
	} else {
		begun.GivenName = o.call.tool
	}
	o.told = o.engine.BeginCall(begun)
}

// end ends it: with a result, or with an error.
func (o *observation) end(result mcp.Result, failed *Error) {
	o.begin()
	end, took := record.CallEnd{}, o.cfg.Now().Sub(o.began)
	if called, ok := result.(*mcp.CallToolResult); ok {
		end.Result, _ = called.Structured.(json.RawMessage)
		end.ResultBytes = len(end.Result)
		end.RunID, _ = rawjson.String(rawjson.Member(end.Result, "run_id"))
	}
	attributes := []any{
		"request_id", o.call.requestID, "rpc_id", o.rpcID, "connection_id", o.call.connection, "client", o.client.Name + " " + o.client.Version,
		"tool", o.call.label(), "run_id", cmp.Or(o.call.runID(), end.RunID), "duration_ms", took.Milliseconds(), "trace_id", o.trace,
	}
	if failed == nil {
		o.cfg.Log.Info("tool call", append(attributes, "outcome", "ok")...)
	} else {
		end.ErrorCode, end.Retryable = failed.errorCode(), failed.retryable()
		switch failed.Code {
		case Timeout:
			end.Status = record.TimedOut
		case Cancelled:
			end.Status = record.Cancelled
		}
		attributes = append(attributes, "outcome", "error", "error_code", failed.errorCode())
		if failed.Cause != nil {
			attributes = append(attributes, "cause", o.Redact(failed.Cause.Error()))
		}
		o.cfg.Log.Warn("tool call", attributes...)
	}
	o.numbers.count(o.call.label(), cmp.Or(end.Status, outcomeOf(failed)), end.ErrorCode, took)
	if err := o.told.End(end); err != nil {
		o.cfg.Log.Warn("a call could not be recorded", "request_id", o.call.requestID, "cause", o.Redact(err.Error()))
	}
}
