package servehttp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// The routes and replies are those of the PlantUML service's contract, sections
// 1 to 5, for any tool; where it says something about diagrams, this says
// something about arguments.

const toolsPath = "/api/tools"

// maxToolName is how much of an unknown name is repeated to the caller.
const maxToolName = 100

// The codes that are not the contract's.
const (
	codeToolFailed       = "TOOL_FAILED"       // the tool said no; its words are the message
	codeInvalidArguments = "INVALID_ARGUMENTS" // the body is no object, or the server refused it
	codeInvalidJSON      = "INVALID_JSON"
	codeBodyTooLarge     = "REQUEST_ENTITY_TOO_LARGE"
	codeRateLimited      = "RATE_LIMITED"
	codeUnavailable      = "UNAVAILABLE" // no answer: the server is going
)

// A NamedService is one server behind the REST face.
type NamedService struct {
	Name    string
	Service transport.Service
	// Tools are those it has at the start; see ListTools.
	Tools []Tool
	// Handlers answer for tools whose contract has words of its own; they get
	// the request as it came.
	Handlers map[string]http.Handler
}

// RESTOptions are what a program decides; zero means the default.
type RESTOptions struct {
	MaxBody int64 // one body in bytes; 4 MiB
	// Log gets the names that two services have; nil means nowhere.
	Log *slog.Logger
}

// REST returns a handler for everything under /api/: GET /api/tools lists the
// tools of all services, POST /api/tools/{name} calls one with the body as its
// arguments. Of two tools of one name that of the first service is meant.
//
// It must not stand behind an [http.ServeMux], which redirects unclean paths.
func REST(services []NamedService, opts RESTOptions) http.Handler {
	setDefault(&opts.MaxBody, 4<<20)
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	f := &face{services: services, opts: opts}
	lists := make([][]Tool, len(services))
	for i, service := range services {
		lists[i] = service.Tools
	}
	f.index(lists, func(tool, first, second string) {
		opts.Log.Warn("two packs have a tool of one name; REST calls the first", "tool", tool, "first", first, "second", second)
	})
	return f
}

type face struct {
	services []NamedService
	opts     RESTOptions

	mu     sync.Mutex
	owners map[string]*NamedService // of tools, by name
}

// index books which service each tool belongs to and returns those that can be
// called, in order.
func (f *face) index(lists [][]Tool, duplicate func(tool, first, second string)) (callable []Tool) {
	owners := map[string]*NamedService{}
	for i, list := range lists {
		for _, tool := range list {
			if first := owners[tool.Name]; first != nil {
				duplicate(tool.Name, first.Name, f.services[i].Name)
				continue
			}
			owners[tool.Name] = &f.services[i]
			callable = append(callable, tool)
		}
	}
	f.mu.Lock()
	f.owners = owners
	f.mu.Unlock()
	return callable
}

// list asks all services for their tools.
func (f *face) list(ctx context.Context) ([]Tool, error) {
	lists := make([][]Tool, len(f.services))
	for i, service := range f.services {
		var err error
		if lists[i], err = ListTools(ctx, service.Service); err != nil {
			return nil, err
		}
	}
	return f.index(lists, func(string, string, string) {}), nil
}

// owner finds the service of a tool; lists may have changed since the last look.
func (f *face) owner(ctx context.Context, tool string) *NamedService {
	find := func() *NamedService {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.owners[tool]
	}
	if found := find(); found != nil {
		return found
	}
	if _, err := f.list(ctx); err != nil {
		return nil
	}
	return find()
}

// ServeHTTP implements http.Handler.
func (f *face) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rest, ok := strings.CutPrefix(r.URL.Path, toolsPath)
	if !ok || rest != "" && rest[0] != '/' {
		setHeaders(w.Header(), "GET, POST, OPTIONS")
		writeFailure(w, http.StatusNotFound, "NOT_FOUND", "Route not found")
		return
	}
	name := strings.TrimSuffix(strings.TrimPrefix(rest, "/"), "/")
	if name == "" && !(rest == "/" && r.Method == http.MethodPost) {
		f.discover(w, r)
		return
	}
	f.invoke(w, r, name)
}

func (f *face) discover(w http.ResponseWriter, r *http.Request) {
	if done := only(w, r, http.MethodGet); done {
		return
	}
	tools, err := f.list(r.Context())
	if err != nil {
		f.opts.Log.Error("the tools could not be listed", "error", err, "request_id", RequestID(r.Context()))
		writeFailure(w, http.StatusInternalServerError, "INTERNAL_ERROR", "Internal server error")
		return
	}
	body := []byte(`{"tools":[`)
	for i, tool := range tools {
		if i > 0 {
			body = append(body, ',')
		}
		o := rawjson.Begin(body)
		o.String("id", tool.Name)
		o.String("name", tool.Name)
		o.String("description", tool.Description)
		o.Raw("inputSchema", tool.InputSchema)
		body = o.End()
	}
	write(w, http.StatusOK, append(body, "]}"...))
}

// invoke answers in the order of the contract's section 3.1.
func (f *face) invoke(w http.ResponseWriter, r *http.Request, name string) {
	var owner *NamedService
	if name != "" {
		owner = f.owner(r.Context(), name)
	}
	if owner != nil && owner.Handlers[name] != nil {
		owner.Handlers[name].ServeHTTP(w, r)
		return
	}
	switch done := only(w, r, http.MethodPost); {
	case done:
	case name == "":
		writeFailure(w, http.StatusBadRequest, "TOOL_NAME_REQUIRED", "Tool name is required in the path")
	case owner == nil:
		writeFailure(w, http.StatusNotFound, "TOOL_NOT_FOUND", "Tool '"+bounded.Runes(name, maxToolName)+"' not found")
	default:
		f.call(w, r, owner.Service, name)
	}
}

func (f *face) call(w http.ResponseWriter, r *http.Request, service transport.Service, name string) {
	body, tooLong, err := bounded.Read(r.Body, f.opts.MaxBody)
	switch {
	case tooLong:
		writeFailure(w, http.StatusRequestEntityTooLarge, codeBodyTooLarge, "the body is too long")
		return
	case err != nil:
		writeFailure(w, http.StatusBadRequest, codeInvalidJSON, "the body could not be read")
		return
	case len(body) == 0:
		body = []byte("{}")
	}
	if bad := jsonrpc.Check(body, service.Limits()); bad != nil {
		writeFailure(w, http.StatusBadRequest, codeInvalidJSON, "the body is not JSON, or nests too deeply")
		return
	}
	if rawjson.KindOf(body) != rawjson.Object {
		writeFailure(w, http.StatusBadRequest, codeInvalidArguments, "the body must be a JSON object: the tool's arguments")
		return
	}
	params := rawjson.Begin(nil)
	params.String("name", name)
	params.Raw("arguments", body)
	result, err := ask(r.Context(), service, mcp.MethodCallTool, params.End())
	if err != nil {
		status, code, message := failureOf(err)
		if status == http.StatusTooManyRequests {
			w.Header().Set("Retry-After", strconv.FormatInt(pauseOf(err), 10))
		}
		writeFailure(w, status, code, message)
		return
	}
	writeResult(w, result)
}

// failureOf maps what a service says when it gives no result. A code that is
// neither JSON-RPC's nor MCP's is the domain's no, and so is an error_code in the
// data, which is then what the caller is told. One that the data calls RATE_LIMITED
// is for the caller to send again.
func failureOf(err error) (status int, code, message string) {
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) {
		return http.StatusServiceUnavailable, codeUnavailable, "the request was not answered"
	}
	data, _ := wire.Data.(json.RawMessage)
	own, _ := rawjson.String(rawjson.Member(data, "error_code"))
	switch {
	case wire.Code == jsonrpc.InvalidParams, wire.Code == jsonrpc.InvalidRequest:
		return http.StatusBadRequest, cmp.Or(own, codeInvalidArguments), wire.Message
	case own != "" && rawjson.IsString(rawjson.Member(data, "code"), codeRateLimited):
		return http.StatusTooManyRequests, own, wire.Message
	case own != "":
		return http.StatusUnprocessableEntity, own, wire.Message
	case wire.Code == jsonrpc.InternalError:
		return http.StatusInternalServerError, "INTERNAL_ERROR", wire.Message
	}
	return http.StatusUnprocessableEntity, codeToolFailed, wire.Message
}

// pauseOf is how many seconds an error tells the caller to wait.
func pauseOf(err error) int64 {
	var wire *jsonrpc.Error
	var said struct {
		Retry struct {
			AfterMillis int64 `json:"after_ms"`
		} `json:"retry"`
	}
	if errors.As(err, &wire) {
		data, _ := wire.Data.(json.RawMessage)
		_ = json.Unmarshal(data, &said) // what cannot be read is the least that follows
	}
	return max(1, (said.Retry.AfterMillis+999)/1000)
}

// writeResult sends what a tool said: its structured content if it has one,
// else its content.
func writeResult(w http.ResponseWriter, result []byte) {
	var content, structured []byte
	failed := false
	for name, value := range rawjson.Members(result) {
		switch string(name) {
		case "content":
			content = value
		case "structuredContent":
			structured = value
		case "isError":
			failed = string(value) == "true"
		}
	}
	if failed {
		writeFailure(w, http.StatusUnprocessableEntity, codeToolFailed, textOf(content))
		return
	}
	o := rawjson.Begin(nil)
	o.Bool("success", true)
	if structured != nil {
		o.Raw("result", structured)
	} else {
		inner := rawjson.Begin(o.Name("result"))
		inner.Raw("content", content)
		o.Set(inner.End())
	}
	write(w, http.StatusOK, o.End())
}

// textOf joins the text blocks of a content. There is always something to say.
func textOf(content []byte) string {
	var blocks []struct{ Text string }
	_ = json.Unmarshal(content, &blocks) // of our own making; without text it is the sentence below
	var lines []string
	for _, block := range blocks {
		if block.Text != "" {
			lines = append(lines, block.Text)
		}
	}
	if len(lines) == 0 {
		return "the tool failed"
	}
	return strings.Join(lines, "\n")
}

// only sets the headers of a route and answers preflights and wrong methods.
func only(w http.ResponseWriter, r *http.Request, method string) (done bool) {
	setHeaders(w.Header(), method+", OPTIONS")
	switch r.Method {
	case method:
		return false
	case http.MethodOptions:
		w.Header().Set("Content-Length", "0")
		w.WriteHeader(http.StatusOK)
	default:
		w.Header().Set("Allow", method+", OPTIONS")
		writeFailure(w, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", "Only "+method+" method is allowed")
	}
	return true
}

// setHeaders sets what every reply carries (section 5). That any page may read
// a reply opens nothing: the Origin guard stands in front.
func setHeaders(h http.Header, methods string) {
	h.Set("Content-Type", "application/json")
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Headers", "Content-Type")
	h.Set("Access-Control-Allow-Methods", methods)
}

func writeFailure(w http.ResponseWriter, status int, code, message string) {
	o := rawjson.Begin(nil)
	o.Bool("success", false)
	inner := rawjson.Begin(o.Name("error"))
	inner.String("code", code)
	inner.String("message", message)
	o.Set(inner.End())
	write(w, status, o.End())
}

func write(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has gone needs no answer
}
