// Package telemetry tells what happened to requests: one audit record, a few
// numbers and, where a tracer is given, one span for each.
//
// A program makes one [Telemetry], asks it for a [Pack] per server, and wraps
// that server once: as a transport.Service ([Pack.Service], where HTTP serves
// it) or inside the server ([Pack.Middleware], for stdio). The first also sees
// requests that no handler sees, and how long answers are.
//
// Nothing here ever holds arguments or results (SEC-10).
package telemetry

import (
	"context"
	"log/slog"
	"net/http"
	"runtime"
	"time"

	"go.opentelemetry.io/otel/trace"

	"mcpworks/internal/metrics"
	"mcpworks/internal/version"
)

// Options are what a program decides; zero means the documented default.
type Options struct {
	// Tracer makes the spans; nil means that there are none.
	Tracer trace.Tracer
	// Transport is the network.transport of spans: tcp for HTTP, pipe for
	// stdio, empty to leave it out.
	Transport string
	// Log gets the audit records, at level info; nil means nowhere.
	Log *slog.Logger
	// Principal says who sends the request that a context belongs to, and
	// RequestID how other log lines call it; nil means that nobody knows.
	Principal, RequestID func(context.Context) string
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// A Telemetry is the numbers of one program. It may be used by many goroutines.
type Telemetry struct {
	opts     Options
	registry metrics.Registry

	requests, errors *metrics.Vec
	durations        *metrics.Vec
	inFlight         *metrics.Vec
}

// buckets are the bounds that the semantic conventions advise for the duration
// of MCP operations, in seconds.
var buckets = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}

// New returns a telemetry with all its numbers at zero.
func New(opts Options) *Telemetry {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	unknown := func(context.Context) string { return "" }
	if opts.Principal == nil {
		opts.Principal = unknown
	}
	if opts.RequestID == nil {
		opts.RequestID = unknown
	}
	t := &Telemetry{opts: opts}
	t.requests = t.registry.Counter("mcpworks_requests_total",
		"MCP requests that ended, by outcome.", "pack", "method", "target", "outcome")
	t.errors = t.registry.Counter("mcpworks_errors_total",
		"MCP requests that failed, by JSON-RPC error code, or tool_error.", "pack", "method", "code")
	t.durations = t.registry.Histogram("mcpworks_request_duration_seconds",
		"How long MCP requests took.", buckets, "pack", "method", "target")
	t.inFlight = t.registry.Gauge("mcpworks_requests_in_flight",
		"MCP requests being answered now.", "pack")
	t.registry.Gauge("mcpworks_build_info", "The version of this program; always 1.", "version", "goversion").
		Add(1, version.Number, runtime.Version())
	t.registry.Gauge("process_start_time_seconds", "When this process started, in Unix time.").
		Add(float64(opts.Now().UnixMilli()) / 1000)
	t.registry.GaugeFunc("go_goroutines", "How many goroutines there are.", nil,
		func(tell func(float64, ...string)) { tell(float64(runtime.NumGoroutine())) })
	return t
}

// ServeHTTP answers with all numbers in the text format of Prometheus.
func (t *Telemetry) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", metrics.MIMEType)
	_, _ = w.Write(t.registry.AppendText(nil)) // a scraper that has gone needs no answer
}

// Include shows the numbers of a pack, too. It is called before anyone reads
// them.
func (t *Telemetry) Include(numbers *metrics.Registry) { t.registry.Include(numbers) }

// A Pack is the part of a telemetry that belongs to one server.
type Pack struct {
	t       *Telemetry
	name    string
	targets map[string]bool
}

// Pack returns the part of a server. Targets are the names of its tools and
// prompts: only these become labels, so that clients cannot make up new ones.
func (t *Telemetry) Pack(name string, targets ...string) *Pack {
	p := &Pack{t: t, name: name, targets: map[string]bool{}}
	for _, target := range targets {
		p.targets[target] = true
	}
	t.inFlight.Add(0, name)
	return p
}
