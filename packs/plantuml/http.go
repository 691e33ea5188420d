package plantuml

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/internal/httpguard"
	"mcpworks/internal/rawjson"
)

// A route answers one kind of path. Replies are values; only ServeHTTP writes
// them.
type route struct {
	path    string // for the log
	method  string // the one it takes beside OPTIONS; none is right where there is no route
	methods string // Access-Control-Allow-Methods
	run     func(s *service, r *http.Request, tool string) (body []byte, bad *problem)
	dress   func(*problem) []byte // the body of a failure
}

var (
	discovery = &route{path: "/api/tools", method: http.MethodGet, methods: "GET, OPTIONS",
		run: (*service).discover, dress: failure}
	invocation = &route{path: "/api/tools/{toolName}", method: http.MethodPost, methods: "POST, OPTIONS",
		run: (*service).invoke, dress: failure}
	nowhere = &route{path: "unknown", methods: "GET, POST, OPTIONS", dress: failure}
)

// find returns the route of a request and, for an invocation, the decoded name
// of the tool. A trailing slash means nothing (section 1).
func find(r *http.Request) (*route, string) {
	path := r.URL.EscapedPath()
	if path == legacy.path {
		return legacy, toolName
	}
	rest, ok := strings.CutPrefix(path, discovery.path)
	switch {
	case !ok || rest != "" && rest[0] != '/':
		return nowhere, ""
	case rest == "":
		return discovery, ""
	}
	tool, err := url.PathUnescape(strings.TrimSuffix(rest[1:], "/"))
	switch {
	case err != nil: // then there would be no r.URL
		return nowhere, ""
	case tool == "" && r.Method != http.MethodPost:
		return discovery, ""
	}
	return invocation, tool
}

// ServeHTTP implements http.Handler.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	switch r.URL.Path {
	case "/":
		servePage(w, r)
		return
	case "/healthz":
		httpguard.Alive(w, r)
		return
	}
	to, tool := find(r)
	to.setHeaders(w.Header())
	if r.Method == http.MethodOptions && to != nowhere {
		w.Header().Set("Access-Control-Max-Age", "7200") // beyond that no browser goes
		w.Header().Set("Content-Length", "0")
		w.WriteHeader(http.StatusOK)
		return
	}
	body, bad := s.answer(to, r, tool)
	if bad == nil {
		w.Write(body)
		return
	}
	s.logRefusal(r.Context(), to, bad)
	if bad.code == methodNotAllowed.code {
		w.Header().Set("Allow", to.methods)
	}
	w.WriteHeader(bad.status)
	w.Write(to.dress(bad))
}

// setHeaders sets what every reply of a route carries (section 5).
func (to *route) setHeaders(h http.Header) {
	h.Set("Content-Type", "application/json")
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Headers", "Content-Type")
	h.Set("Access-Control-Allow-Methods", to.methods)
	if to != discovery {
		h.Set("Cache-Control", "no-store")
	}
}

// answer is the checks of section 3.1 from the second on, in their order.
func (s *service) answer(to *route, r *http.Request, tool string) (body []byte, bad *problem) {
	defer recovered(&bad)
	switch {
	case to == nowhere:
		return nil, notFound
	case r.Method != to.method:
		return nil, methodNotAllowed.naming(to.method)
	}
	return to.run(s, r, tool)
}

// discover lists the tools (section 2).
func (s *service) discover(r *http.Request, _ string) ([]byte, *problem) {
	s.log.LogAttrs(r.Context(), slog.LevelInfo, logDiscovery,
		slog.String("timestamp", s.now().UTC().Format(time.RFC3339Nano)),
		slog.String("userAgent", bounded.Runes(r.UserAgent(), 200)))
	return toolList, nil
}

var toolList = func() []byte {
	o := rawjson.Begin(nil)
	tool := rawjson.Begin(append(o.Name("tools"), '['))
	tool.String("id", toolName)
	tool.String("name", toolName)
	tool.String("description", description)
	tool.Raw("inputSchema", []byte(inputSchema))
	o.Set(append(tool.End(), ']'))
	return o.End()
}()

// invoke runs a tool: steps 3 to 11.
func (s *service) invoke(r *http.Request, tool string) ([]byte, *problem) {
	switch tool {
	case "":
		return nil, toolNameRequired
	case toolName:
	default:
		return nil, toolNotFound.naming(tool)
	}
	encoded, bad := s.encodeBody(r)
	if bad != nil {
		return nil, bad
	}
	return success(encoded), nil
}

// encodeBody is steps 5 to 11.
func (s *service) encodeBody(r *http.Request) (encoded string, bad *problem) {
	if r.ContentLength > MaxBody {
		return "", codeTooLarge
	}
	body, tooLong, err := bounded.Read(r.Body, MaxBody)
	switch {
	case tooLong:
		return "", codeTooLarge
	case err != nil:
		return "", internalError.because(err)
	}
	text, bad := readCode(body)
	if bad != nil {
		return "", bad
	}
	return s.encode(text), nil
}

// success and failure are the forms of the /api routes (section 3).

func success(encoded string) []byte {
	o := rawjson.Begin(nil)
	o.Bool("success", true)
	result := rawjson.Begin(o.Name("result"))
	writePicture(&result, encoded)
	o.Set(result.End())
	return o.End()
}

func failure(bad *problem) []byte {
	o := rawjson.Begin(nil)
	o.Bool("success", false)
	detail := rawjson.Begin(o.Name("error"))
	detail.String("code", bad.code)
	detail.String("message", bad.message)
	o.Set(detail.End())
	return o.End()
}

// What the log says (section 10).
const (
	logDiscovery = "Tool discovery called"
	logFailed    = "Encoding error"  // a tool was asked to run, and did not
	logRefused   = "Request refused" // nothing was asked of a tool

	logRoute = "route" // by which path; the path itself may hold anything
)

func (s *service) logRefusal(ctx context.Context, to *route, bad *problem) {
	message := logFailed
	if to.method != http.MethodPost || bad.code == methodNotAllowed.code {
		message = logRefused
	}
	s.log.LogAttrs(ctx, bad.level(), message, append(bad.attrs(), slog.String(logRoute, to.path))...)
}
