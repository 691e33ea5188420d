package telemetry

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/trace"

	"mcpworks/internal/bounded"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

// A request is what is known when it begins.
type request struct {
	method string
	name   string // of the tool or prompt, or the URI of the resource
	id     jsonrpc.ID
	size   int // of its message in bytes; 0 if not known
	// meta returns a member of _meta as raw JSON, nil if there is none.
	meta func(name string) []byte
}

// An Outcome says how a request ended. The list is closed: it is a label.
type Outcome string

const (
	OutcomeOK        Outcome = "ok"
	OutcomeToolError Outcome = "tool_error" // a result that says that the tool failed
	OutcomeError     Outcome = "error"      // a JSON-RPC error
	OutcomeRefused   Outcome = "refused"    // likewise, before any handler ran
	OutcomeCancelled Outcome = "cancelled"  // no answer: nobody wants it any more
)

// An ending is what is known when a request ends.
type ending struct {
	outcome  Outcome
	code     int           // of the JSON-RPC error
	revision *mcp.Revision // nil if none was found out
	size     int           // of the answer in bytes; 0 if not known
}

// errorType is the error.type of the semantic conventions.
func (e ending) errorType() string {
	switch e.outcome {
	case OutcomeOK:
		return ""
	case OutcomeError, OutcomeRefused:
		return strconv.Itoa(e.code)
	}
	return string(e.outcome)
}

// An observation is one request while it is being answered.
type observation struct {
	pack   *Pack
	req    request
	start  time.Time
	method string // the label
	target string // the label
	span   trace.Span
}

// unknown is the label of what is not one of a closed list.
const unknown = "_unknown"

// methods are those that can be labels.
var methods = map[string]bool{
	mcp.MethodInitialize: true, mcp.MethodPing: true, mcp.MethodDiscover: true, mcp.MethodListen: true,
	mcp.MethodListTools: true, mcp.MethodCallTool: true,
	mcp.MethodListResources: true, mcp.MethodListResourceTemplates: true, mcp.MethodReadResource: true,
	mcp.MethodSubscribe: true, mcp.MethodUnsubscribe: true,
	mcp.MethodListPrompts: true, mcp.MethodGetPrompt: true, mcp.MethodComplete: true, mcp.MethodSetLevel: true,
}

// begin starts the observation of a request. The context is for its handler.
func (p *Pack) begin(ctx context.Context, req request) (context.Context, *observation) {
	o := &observation{pack: p, req: req, start: p.t.opts.Now(), method: unknown}
	if methods[req.method] {
		o.method = req.method
	}
	if req.method == mcp.MethodCallTool || req.method == mcp.MethodGetPrompt {
		o.target = unknown
		if p.targets[req.name] {
			o.target = req.name
		}
	}
	p.t.inFlight.Add(1, p.name)
	return o.startSpan(ctx), o
}

// end records a request that is over.
func (o *observation) end(ctx context.Context, e ending) {
	p, t := o.pack, o.pack.t
	took := t.opts.Now().Sub(o.start)
	t.inFlight.Add(-1, p.name)
	t.requests.Add(1, p.name, o.method, o.target, string(e.outcome))
	t.durations.Observe(took.Seconds(), p.name, o.method, o.target)
	switch e.outcome {
	case OutcomeToolError, OutcomeError, OutcomeRefused:
		t.errors.Add(1, p.name, o.method, e.errorType())
	}
	o.endSpan(e)
	o.audit(ctx, e, took)
}

// The most of a method and a name that goes into a record.
const (
	maxMethod = 64
	maxName   = 200
)

// audit writes the record of SEC-10; its time is the record's own.
func (o *observation) audit(ctx context.Context, e ending, took time.Duration) {
	opts := o.pack.t.opts
	if !opts.Log.Enabled(ctx, slog.LevelInfo) {
		return
	}
	record := []slog.Attr{slog.String("pack", o.pack.name), slog.String("method", bounded.Runes(o.req.method, maxMethod))}
	add := func(name, value string) {
		if value != "" {
			record = append(record, slog.String(name, value))
		}
	}
	add("name", bounded.Runes(o.req.name, maxName))
	add("outcome", string(e.outcome))
	if e.code != 0 {
		record = append(record, slog.Int("code", e.code))
	}
	record = append(record, slog.Duration("duration", took))
	add("principal", opts.Principal(ctx))
	if e.revision != nil {
		add("era", era(e.revision))
		add("version", e.revision.Version)
	}
	for _, size := range []struct {
		name  string
		bytes int
	}{{"bytes_in", o.req.size}, {"bytes_out", e.size}} {
		if size.bytes > 0 {
			record = append(record, slog.Int(size.name, size.bytes))
		}
	}
	add("request_id", opts.RequestID(ctx))
	opts.Log.LogAttrs(ctx, slog.LevelInfo, "call", record...)
}

func era(rev *mcp.Revision) string {
	if rev.Modern {
		return "modern"
	}
	return "legacy"
}
