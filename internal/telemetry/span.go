package telemetry

import (
	"context"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// Spans follow OpenTelemetry's semantic conventions for MCP, which are still in
// development: https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/. One
// thing is left out on purpose: the error's sentence as the description of the
// status, since it may repeat what the caller said.

// startSpan opens the span of a request under the parent that its _meta names.
func (o *observation) startSpan(ctx context.Context) context.Context {
	t := o.pack.t
	if t.opts.Tracer == nil {
		return ctx
	}
	name := o.method
	if o.target != "" {
		name += " " + o.target
	}
	ctx, o.span = t.opts.Tracer.Start(o.parent(ctx), name,
		trace.WithSpanKind(trace.SpanKindServer), trace.WithTimestamp(o.start), trace.WithAttributes(o.attributes()...))
	return ctx
}

// parent takes the trace context from traceparent and tracestate in _meta. What
// is malformed counts as absent (BASE-11).
func (o *observation) parent(ctx context.Context) context.Context {
	carrier := propagation.MapCarrier{}
	for _, name := range []string{"traceparent", "tracestate"} {
		if text, ok := rawjson.String(o.req.meta(name)); ok {
			carrier[name] = text
		}
	}
	return propagation.TraceContext{}.Extract(ctx, carrier)
}

func (o *observation) attributes() []attribute.KeyValue {
	name := bounded.Runes(o.req.name, maxName)
	list := []attribute.KeyValue{
		attribute.String("mcp.method.name", bounded.Runes(o.req.method, maxMethod)),
		attribute.String("mcpworks.pack", o.pack.name),
	}
	if !o.req.id.IsZero() {
		list = append(list, attribute.String("jsonrpc.request.id", bounded.Runes(requestID(o.req), maxName)))
	}
	switch o.req.method {
	case mcp.MethodCallTool:
		list = append(list, attribute.String("gen_ai.operation.name", "execute_tool"), attribute.String("gen_ai.tool.name", name))
	case mcp.MethodGetPrompt:
		list = append(list, attribute.String("gen_ai.prompt.name", name))
	case mcp.MethodReadResource, mcp.MethodSubscribe, mcp.MethodUnsubscribe:
		list = append(list, attribute.String("mcp.resource.uri", name))
	}
	switch transport := o.pack.t.opts.Transport; transport {
	case "":
	case "tcp":
		list = append(list, attribute.String("network.transport", transport), attribute.String("network.protocol.name", "http"))
	default:
		list = append(list, attribute.String("network.transport", transport))
	}
	return list
}

// requestID is the id as people write it: a string without its quotes.
func requestID(req request) string {
	raw := req.id.AppendJSON(nil)
	if text, ok := rawjson.String(raw); ok {
		return text
	}
	return string(raw)
}

func (o *observation) endSpan(e ending) {
	if o.span == nil {
		return
	}
	if e.revision != nil {
		o.span.SetAttributes(attribute.String("mcp.protocol.version", e.revision.Version))
	}
	if kind := e.errorType(); kind != "" {
		o.span.SetStatus(codes.Error, "")
		o.span.SetAttributes(attribute.String("error.type", kind))
	}
	if e.code != 0 {
		o.span.SetAttributes(attribute.String("rpc.response.status_code", strconv.Itoa(e.code)))
	}
	o.span.End(trace.WithTimestamp(o.pack.t.opts.Now()))
}
