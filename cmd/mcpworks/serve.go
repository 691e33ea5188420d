package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"mcpworks/internal/console"
	"mcpworks/internal/httpguard"
	"mcpworks/internal/logging"
	"mcpworks/internal/ratelimit"
	"mcpworks/internal/secret"
	"mcpworks/internal/servehttp"
	"mcpworks/internal/telemetry"
	"mcpworks/internal/version"
	"mcpworks/mcp/transport/sse"
	"mcpworks/mcp/transport/streamable"
	"mcpworks/packs/launch"
)

// The paths that belong to no pack.
const (
	pathHealth  = "/healthz"
	pathReady   = "/readyz"
	pathMetrics = "/metrics"
)

// The limits of one client, and of all together.
const (
	callsPerSecond  = 100
	callsAtOnce     = 500 // after a pause
	clientsInFlight = 256
	totalInFlight   = 2048
	maxBody         = 2 * launch.MaxMessage // no pack takes more, and each refuses in its own words
)

// serve builds all packs and serves them until the process is told to stop.
func serve(ctx context.Context, cfg config, stderr io.Writer) error {
	log := logging.New(secret.Writer(stderr, cfg.secrets...), cfg.logLevel)
	if err := prepareDataDir(cfg.dataDir); err != nil {
		return &configError{err}
	}
	h := newHouse(log)
	defer h.close()
	for _, p := range packs {
		if err := h.add(ctx, p, cfg); err != nil {
			return fmt.Errorf("pack %s: %w", p.name, err)
		}
	}
	guards, err := servehttp.Stack(cfg.guards(h, log))
	if err != nil {
		return &configError{err}
	}
	h.ready.Store(true)
	return servehttp.Run(ctx, servehttp.Config{
		Listen: cfg.listen, LoopbackOnly: cfg.tokens == nil,
		CertFile: cfg.certFile, KeyFile: cfg.keyFile,
		Handler:    guards(h.routes(cfg.tokens != nil)),
		Listening:  func(url string) { h.announce(stderr, url) },
		OnShutdown: []func(context.Context){h.drain},
		Log:        log,
	})
}

// guards is the policy of this program; what they are and in which order they
// stand is in servehttp.Stack.
func (cfg config) guards(h *house, log *slog.Logger) servehttp.StackConfig {
	return servehttp.StackConfig{
		Hosts:     httpguard.Hosts{Listen: cfg.listen, Names: cfg.hosts},
		Origins:   cfg.origins,
		AnyOrigin: h.anyOrigin,
		Tokens:    cfg.tokens,
		Realm:     "mcpworks",
		NoToken:   append([]string{pathHealth, pathReady}, console.Paths...),
		Unlimited: []string{pathHealth, pathReady},
		Rate:      ratelimit.Config{Rate: callsPerSecond, Burst: callsAtOnce},
		InFlight:  ratelimit.GateConfig{Total: totalInFlight, PerKey: clientsInFlight},
		MaxBody:   maxBody,
		HTTPS:     cfg.certFile != "",
		Quiet:     append([]string{pathHealth, pathReady, pathMetrics}, console.Paths...),
		Log:       log,
	}
}

// A house is all packs together.
type house struct {
	log       *slog.Logger
	telemetry *telemetry.Telemetry
	ready     atomic.Bool

	endpoints map[string]http.Handler // by path
	services  []servehttp.NamedService
	pages     []console.Pack
	remarks   []string // on each of them, in a few words
	anyOrigin []string // paths open to every page by contract

	onDrain []func(context.Context)
	onClose []func() // called last things first
}

func newHouse(log *slog.Logger) *house {
	return &house{log: log, endpoints: map[string]http.Handler{}, telemetry: telemetry.New(telemetry.Options{
		Log: log, Transport: "tcp", RequestID: servehttp.RequestID,
		Principal: func(ctx context.Context) string {
			principal, _ := httpguard.PrincipalFrom(ctx)
			return principal.Name
		},
	})}
}

// add builds a pack and gives it its endpoints.
func (h *house) add(ctx context.Context, p pack, cfg config) error {
	log := h.log.With("pack", p.name)
	b, err := p.build(ctx, cfg, log)
	if err != nil {
		return err
	}
	if b.close != nil {
		h.onClose = append(h.onClose, b.close)
	}
	tools, err := servehttp.ListTools(ctx, b.server)
	if err != nil {
		return err
	}
	page := console.Pack{Name: p.name, Title: p.title, About: p.about, Note: b.note, Command: b.command}
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
		page.Tools = append(page.Tools, console.Tool{Name: tool.Name, Title: tool.Title, Description: tool.Description})
	}
	h.remarks = append(h.remarks, b.remark)
	if b.numbers != nil {
		h.telemetry.Include(b.numbers)
	}
	if b.drain != nil {
		h.onDrain = append(h.onDrain, func(context.Context) { b.drain() })
	}
	watched := h.telemetry.Pack(p.name, names...)
	service := watched.Service(b.server)
	endpoint := streamable.New(service, streamable.Options{
		Attached: b.attached, MaxMessage: b.maxMessage, SessionCalls: b.sessionCalls, Principal: servehttp.Principal, Log: log,
	})
	events := sse.New(service, sse.Options{MaxMessage: b.maxMessage, SessionCalls: b.sessionCalls, Principal: servehttp.Principal, Log: log})
	h.endpoints["/"+p.name+"/mcp"] = endpoint
	h.endpoints["/"+p.name+"/sse"] = events
	h.services = append(h.services, servehttp.NamedService{Name: p.name, Service: service, Tools: tools, Handlers: b.handlers})
	for tool, handler := range b.handlers {
		b.handlers[tool] = watched.Handler(tool, handler)
		h.anyOrigin = append(h.anyOrigin, "/api/tools/"+tool, "/api/tools/"+tool+"/")
	}
	h.pages = append(h.pages, page)
	h.onDrain = append(h.onDrain, b.server.EndSubscriptions,
		func(context.Context) { endpoint.Drain() }, func(context.Context) { events.Drain() })
	h.onClose = append(h.onClose, endpoint.Close, events.Close)
	return nil
}

// routes returns the handler inside the guards. It is no http.ServeMux: that
// one redirects unclean paths, and would answer for REST in its own words.
func (h *house) routes(token bool) http.Handler {
	rest := servehttp.REST(h.services, servehttp.RESTOptions{Log: h.log})
	page := console.New(console.Options{Version: version.Number, Packs: h.pages, Token: token, Ready: h.ready.Load})
	h.endpoints[pathHealth] = http.HandlerFunc(httpguard.Alive)
	h.endpoints[pathReady] = http.HandlerFunc(h.readiness)
	h.endpoints[pathMetrics] = h.telemetry
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch endpoint := h.endpoints[r.URL.Path]; {
		case endpoint != nil:
			endpoint.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, "/api/"):
			rest.ServeHTTP(w, r)
		default:
			page.ServeHTTP(w, r)
		}
	})
}

func (h *house) readiness(w http.ResponseWriter, r *http.Request) {
	if h.ready.Load() {
		httpguard.Alive(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = io.WriteString(w, `{"status":"shutting down"}`) // a client that has gone needs no answer
}

// announce says where to go, for people; the log may be off.
func (h *house) announce(stderr io.Writer, url string) {
	fmt.Fprintf(stderr, "listening on %s\n", url)
	for i, page := range h.pages {
		line := fmt.Sprintf("  %-10s %s/%s/mcp", page.Name, url, page.Name)
		if h.remarks[i] != "" {
			line += "  (" + h.remarks[i] + ")"
		}
		fmt.Fprintln(stderr, line)
	}
}

// drain ends what would never end by itself; requests go on.
func (h *house) drain(ctx context.Context) {
	h.ready.Store(false)
	for _, end := range h.onDrain {
		end(ctx)
	}
}

// close ends everything, last things first.
func (h *house) close() {
	for _, end := range slices.Backward(h.onClose) {
		end()
	}
}

// prepareDataDir makes the folder and sees that it can be written to.
func prepareDataDir(dir string) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	probe, err := os.CreateTemp(dir, ".writable-*")
	if err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	probe.Close()
	return os.Remove(probe.Name())
}
