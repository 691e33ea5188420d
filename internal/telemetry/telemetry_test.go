package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"mcpworks/internal/telemetry"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport"
)

// bench is a server with a telemetry around it, and all that came of it.
type bench struct {
	telemetry *telemetry.Telemetry
	service   transport.Service
	log       bytes.Buffer
	spans     *tracetest.InMemoryExporter
	handled   trace.SpanContext // of the last call, as its handler saw it
}

// doors are the two ways to wrap a server.
var doors = []string{"service", "middleware"}

func newBench(t *testing.T, door string) *bench {
	t.Helper()
	b := &bench{spans: tracetest.NewInMemoryExporter()}
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(b.spans))
	clock := time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC)
	b.telemetry = telemetry.New(telemetry.Options{
		Tracer: provider.Tracer("test"), Transport: "tcp",
		Log:       slog.New(slog.NewJSONHandler(&b.log, nil)),
		Principal: func(context.Context) string { return "ci" },
		RequestID: func(context.Context) string { return "R1" },
		Now:       func() time.Time { clock = clock.Add(30 * time.Millisecond); return clock },
	})
	pack := b.telemetry.Pack("judge", "echo", "fail", "broken", "panic", "domain")
	opts := server.Options{
		Info:  mcp.Implementation{Name: "test", Version: "1"},
		Tools: b.tools(),
		Resources: []server.Resource{{Resource: mcp.Resource{URI: "test:a", Name: "a"}, Read: func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
			return nil, server.ErrNotFound
		}}},
	}
	if door == "middleware" {
		opts.Middleware = []func(server.Handler) server.Handler{pack.Middleware()}
	}
	srv, err := server.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	b.service = srv
	if door == "service" {
		b.service = pack.Service(srv)
	}
	return b
}

func (b *bench) tools() (tools []server.Tool) {
	for name, run := range map[string]func() (*mcp.CallToolResult, error){
		"echo":   func() (*mcp.CallToolResult, error) { return mcp.TextResult("RESULT"), nil },
		"fail":   func() (*mcp.CallToolResult, error) { return mcp.ErrorResult("RESULT"), nil },
		"broken": func() (*mcp.CallToolResult, error) { return nil, &jsonrpc.Error{Code: jsonrpc.InternalError} },
		"panic":  func() (*mcp.CallToolResult, error) { panic("RESULT") },
		"domain": func() (*mcp.CallToolResult, error) { return nil, &jsonrpc.Error{Code: -31000, Message: "RESULT"} },
		"hidden": func() (*mcp.CallToolResult, error) { return nil, errors.New("RESULT") },
	} {
		tools = append(tools, server.Tool{
			Tool: mcp.Tool{Name: name, Description: "For tests.", InputSchema: json.RawMessage(`{"type":"object"}`)},
			Handler: func(ctx context.Context, _ *server.ToolCall) (*mcp.CallToolResult, error) {
				b.handled = trace.SpanContextFromContext(ctx)
				return run()
			},
		})
	}
	return tools
}

type discard struct{}

func (discard) Notify(context.Context, []byte) error                    { return nil }
func (discard) Answer(context.Context, []byte, transport.Outcome) error { return nil }

// ask sends one request in the newest legacy revision.
func (b *bench) ask(t *testing.T, method, params string) {
	t.Helper()
	session := b.service.Open(func([]byte) error { return nil })
	defer session.Close()
	session.Assume(mcp.V20251125)
	message := jsonrpc.Message{ID: jsonrpc.StringID("id-7"), Method: method, Params: []byte(params)}
	session.Handle(t.Context(), transport.Incoming{Message: message, Size: len(params)}, discard{})
}

func (b *bench) metrics(t *testing.T) string {
	t.Helper()
	w := httptest.NewRecorder()
	b.telemetry.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if got := w.Header().Get("Content-Type"); got != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	return w.Body.String()
}

func call(tool string) string { return `{"name":"` + tool + `","arguments":{"secret":"ARGUMENT"}}` }

func TestCallsAreCountedByToolAndErrorsByCode(t *testing.T) {
	for _, door := range doors {
		t.Run(door, func(t *testing.T) {
			b := newBench(t, door)
			b.ask(t, "tools/list", "{}")
			for _, tool := range []string{"echo", "echo", "fail", "broken", "domain", "panic"} {
				b.ask(t, "tools/call", call(tool))
			}
			b.ask(t, "resources/read", `{"uri":"test:a"}`)
			want := []string{
				`mcpworks_errors_total{pack="judge",method="resources/read",code="-32002"} 1`,
				`mcpworks_errors_total{pack="judge",method="tools/call",code="-31000"} 1`,
				`mcpworks_errors_total{pack="judge",method="tools/call",code="-32603"} 2`,
				`mcpworks_errors_total{pack="judge",method="tools/call",code="tool_error"} 1`,
				`mcpworks_request_duration_seconds_bucket{pack="judge",method="tools/call",target="echo",le="0.02"} 0`,
				`mcpworks_request_duration_seconds_bucket{pack="judge",method="tools/call",target="echo",le="0.05"} 2`,
				`mcpworks_request_duration_seconds_bucket{pack="judge",method="tools/call",target="echo",le="+Inf"} 2`,
				`mcpworks_request_duration_seconds_count{pack="judge",method="tools/call",target="echo"} 2`,
				`mcpworks_requests_in_flight{pack="judge"} 0`,
				`mcpworks_requests_total{pack="judge",method="resources/read",target="",outcome="error"} 1`,
				`mcpworks_requests_total{pack="judge",method="tools/call",target="broken",outcome="error"} 1`,
				`mcpworks_requests_total{pack="judge",method="tools/call",target="domain",outcome="error"} 1`,
				`mcpworks_requests_total{pack="judge",method="tools/call",target="echo",outcome="ok"} 2`,
				`mcpworks_requests_total{pack="judge",method="tools/call",target="fail",outcome="tool_error"} 1`,
				`mcpworks_requests_total{pack="judge",method="tools/call",target="panic",outcome="error"} 1`,
				`mcpworks_requests_total{pack="judge",method="tools/list",target="",outcome="ok"} 1`,
			}
			got := strings.Split(b.metrics(t), "\n")
			missing := slices.DeleteFunc(want, func(line string) bool { return slices.Contains(got, line) })
			if len(missing) > 0 {
				t.Errorf("missing:\n%s\nin:\n%s", strings.Join(missing, "\n"), strings.Join(got, "\n"))
			}
		})
	}
}

// Labels are a closed list: what clients make up is counted together.
func TestUnknownNamesMakeNoNewSeries(t *testing.T) {
	b := newBench(t, "service")
	count := func() int { return strings.Count(b.metrics(t), "\n") }
	b.ask(t, "tools/call", call("made-up"))
	b.ask(t, "made/up", "{}")
	before := count()
	for _, name := range []string{"a", "b", `quo\"te`, "new\\nline", strings.Repeat("x", 10000)} {
		b.ask(t, "tools/call", call(name))
		b.ask(t, "made/up/"+name, "{}")
	}
	if after := count(); after != before {
		t.Errorf("%d lines became %d", before, after)
	}
	for _, line := range []string{
		`mcpworks_requests_total{pack="judge",method="tools/call",target="_unknown",outcome="error"} 6`,
		`mcpworks_requests_total{pack="judge",method="_unknown",target="",outcome="refused"} 6`,
		`mcpworks_errors_total{pack="judge",method="_unknown",code="-32601"} 6`,
	} {
		if !strings.Contains(b.metrics(t), line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
}

// sample is a line of the text format, version 0.0.4.
var sample = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{([a-zA-Z_][a-zA-Z0-9_]*="([^"\\\n]|\\["\\n])*",?)*\})? [0-9.e+-]+$`)

func TestEveryLineIsOfTheTextFormat(t *testing.T) {
	tel := telemetry.New(telemetry.Options{})
	pack := tel.Pack("quo\"te\\ new\nline \xff", "tool")
	pack.Handler("tool", http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/", nil))
	w := httptest.NewRecorder()
	tel.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	text, ended := strings.CutSuffix(w.Body.String(), "\n")
	if !ended {
		t.Error("the last line does not end")
	}
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, "# HELP ") && !strings.HasPrefix(line, "# TYPE ") && !sample.MatchString(line) {
			t.Errorf("bad line %q", line)
		}
	}
	if !strings.Contains(text, `{pack="quo\"te\\ new\nline `+"\uFFFD"+`",method="tools/call",target="tool",outcome="tool_error"} 1`) {
		t.Errorf("labels are not escaped:\n%s", text)
	}
}

func TestSEC10AuditRecordTellsNoArgumentsAndNoResults(t *testing.T) {
	for _, door := range doors {
		t.Run(door, func(t *testing.T) {
			b := newBench(t, door)
			for _, tool := range []string{"echo", "fail", "domain", "panic", "hidden"} {
				b.ask(t, "tools/call", call(tool))
			}
			if text := b.log.String(); strings.Contains(text, "ARGUMENT") || strings.Contains(text, "RESULT") {
				t.Errorf("the record tells too much: %s", text)
			}
			first, _, _ := strings.Cut(b.log.String(), "\n")
			var got map[string]any
			if err := json.Unmarshal([]byte(first), &got); err != nil {
				t.Fatal(err)
			}
			delete(got, "time")
			want := map[string]any{
				"level": "INFO", "msg": "call", "pack": "judge", "method": "tools/call", "name": "echo", "outcome": "ok",
				"duration": 3e7, "principal": "ci", "era": "legacy", "version": "2025-11-25", "request_id": "R1",
			}
			if door == "service" {
				want["bytes_in"], want["bytes_out"] = float64(len(call("echo"))), got["bytes_out"]
				if size, _ := got["bytes_out"].(float64); size == 0 {
					t.Error("the size of the answer is not told")
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("record (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSpansFollowTheConventions(t *testing.T) {
	for _, door := range doors {
		t.Run(door, func(t *testing.T) {
			b := newBench(t, door)
			b.ask(t, "tools/list", "{}")
			b.ask(t, "tools/call", call("echo"))
			b.ask(t, "tools/call", call("fail"))
			b.ask(t, "tools/call", call("broken"))
			common := map[string]string{
				"mcp.protocol.version": "2025-11-25", "network.transport": "tcp", "network.protocol.name": "http",
				"jsonrpc.request.id": "id-7", "mcpworks.pack": "judge",
			}
			tool := func(name string) map[string]string {
				return map[string]string{"mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
			}
			want := []struct {
				name   string
				status codes.Code
				attrs  []map[string]string
			}{
				{"tools/list", codes.Unset, []map[string]string{{"mcp.method.name": "tools/list"}}},
				{"tools/call echo", codes.Unset, []map[string]string{tool("echo")}},
				{"tools/call fail", codes.Error, []map[string]string{tool("fail"), {"error.type": "tool_error"}}},
				{"tools/call broken", codes.Error, []map[string]string{tool("broken"), {"error.type": "-32603", "rpc.response.status_code": "-32603"}}},
			}
			spans := b.spans.GetSpans()
			if len(spans) != len(want) {
				t.Fatalf("%d spans, want %d", len(spans), len(want))
			}
			for i, w := range want {
				attrs := map[string]string{}
				for _, part := range append(w.attrs, common) {
					for name, value := range part {
						attrs[name] = value
					}
				}
				got := spans[i]
				if got.Name != w.name || got.Status.Code != w.status || got.SpanKind != trace.SpanKindServer {
					t.Errorf("span %q %v %v, want %q %v", got.Name, got.Status, got.SpanKind, w.name, w.status)
				}
				if diff := cmp.Diff(attrs, asMap(got.Attributes)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", w.name, diff)
				}
			}
		})
	}
}

func asMap(list []attribute.KeyValue) map[string]string {
	all := map[string]string{}
	for _, kv := range list {
		all[string(kv.Key)] = kv.Value.AsString()
	}
	return all
}

const (
	traceID = "0af7651916cd43dd8448eb211c80319c"
	spanID  = "b7ad6b7169203331"
)

func TestBASE11TraceContextComesFromMeta(t *testing.T) {
	for _, test := range []struct {
		name, meta string
		traceID    string // of the parent; empty: there is none
		state      string
	}{
		{"sampled", `"traceparent":"00-` + traceID + `-` + spanID + `-01"`, traceID, ""},
		{"with state", `"traceparent":"00-` + traceID + `-` + spanID + `-01","tracestate":"a=1,b=2"`, traceID, "a=1,b=2"},
		{"bad state", `"traceparent":"00-` + traceID + `-` + spanID + `-01","tracestate":"=,="`, traceID, ""},
		{"absent", `"other":1`, "", ""},
		{"no string", `"traceparent":7`, "", ""},
		{"too short", `"traceparent":"00-abc"`, "", ""},
		{"zero trace id", `"traceparent":"00-` + strings.Repeat("0", 32) + `-` + spanID + `-01"`, "", ""},
		{"version ff", `"traceparent":"ff-` + traceID + `-` + spanID + `-01"`, "", ""},
		{"upper case", `"traceparent":"00-` + strings.ToUpper(traceID) + `-` + spanID + `-01"`, "", ""},
		{"not ours to read", `"traceparent":"\u0000"`, "", ""},
	} {
		for _, door := range doors {
			t.Run(test.name+"/"+door, func(t *testing.T) {
				b := newBench(t, door)
				b.ask(t, "tools/call", `{"name":"echo","_meta":{`+test.meta+`}}`)
				spans := b.spans.GetSpans()
				if len(spans) != 1 {
					t.Fatalf("%d spans, want 1: the request must not fail", len(spans))
				}
				span := spans[0]
				if test.traceID == "" {
					if span.Parent.IsValid() {
						t.Errorf("parent %v, want none", span.Parent)
					}
					return
				}
				if span.Parent.TraceID().String() != test.traceID || span.Parent.SpanID().String() != spanID || !span.Parent.IsRemote() {
					t.Errorf("parent %v, want the caller's", span.Parent)
				}
				if got := span.SpanContext.TraceState().String(); got != test.state {
					t.Errorf("state %q, want %q", got, test.state)
				}
				if b.handled.SpanID() != span.SpanContext.SpanID() {
					t.Error("the handler does not run inside the span")
				}
			})
		}
	}
}

func TestWithoutTracerNothingIsTraced(t *testing.T) {
	var seen context.Context
	pack := telemetry.New(telemetry.Options{}).Pack("p", "tool")
	handler := pack.Handler("tool", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Context() }))
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/", nil))
	if trace.SpanContextFromContext(seen).IsValid() {
		t.Error("there is a span")
	}
}

// A request whose client has gone is not answered, and counted as that.
func TestCancelledRequestsAreCounted(t *testing.T) {
	b := newBench(t, "service")
	begun := make(chan struct{})
	srv, err := server.New(server.Options{
		Info: mcp.Implementation{Name: "t", Version: "1"},
		Tools: []server.Tool{{
			Tool: mcp.Tool{Name: "echo", Description: "For tests.", InputSchema: json.RawMessage(`{"type":"object"}`)},
			Handler: func(ctx context.Context, _ *server.ToolCall) (*mcp.CallToolResult, error) {
				close(begun)
				<-ctx.Done()
				return nil, ctx.Err()
			},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	session := b.telemetry.Pack("slow", "echo").Service(srv).Open(func([]byte) error { return nil })
	session.Assume(mcp.V20251125)
	go func() {
		<-begun
		session.Close()
	}()
	m := jsonrpc.Message{ID: jsonrpc.IntID(1), Method: "tools/call", Params: []byte(call("echo"))}
	session.Handle(t.Context(), transport.Incoming{Message: m}, discard{})
	if text := b.metrics(t); !strings.Contains(text, `{pack="slow",method="tools/call",target="echo",outcome="cancelled"} 1`) {
		t.Errorf("no such line in\n%s", text)
	}
}
