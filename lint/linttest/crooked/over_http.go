package crooked

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"mcpworks/lint"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

type middleware = func(http.Handler) http.Handler

var httpFaults = []Fault{
	{Rule: "HTTP-001", Web: header(posts(mcp.MethodListPrompts), "Content-Type", "text/plain")},
	{Rule: "HTTP-002", Web: status(posts("notifications/mcplint/unknown"), http.StatusNotFound)},
	{Rule: "HTTP-003", Web: status(func(r *http.Request, body string) bool { return strings.Contains(body, `"mcplint-none"`) }, http.StatusOK)},
	{Rule: "HTTP-004", Web: status(method(http.MethodGet), http.StatusNotFound)},
	{Rule: "HTTP-005", Web: status(method(http.MethodPut), http.StatusNotFound)},
	{Rule: "HTTP-006", Web: sessionIDs(true, func(id string, _ int) string { return id + " " + id })},
	{Rule: "HTTP-007", Web: sessionIDs(false, func(_ string, n int) string { return fmt.Sprintf("session-%012d", n) })},
	{Rule: "HTTP-008", Web: statusOf(func(r *http.Request, s int) bool {
		return s == http.StatusBadRequest && r.Method == http.MethodPost && r.Header.Get(sessionHeader) == ""
	}, http.StatusForbidden)},
	{Rule: "HTTP-009", Web: statusOf(func(r *http.Request, s int) bool {
		return s == http.StatusNotFound && strings.HasPrefix(r.Header.Get(sessionHeader), "6d63706c")
	}, http.StatusBadRequest)},
	{Rule: "HTTP-010", Web: statusOf(func(r *http.Request, s int) bool {
		return s == http.StatusNotFound && !strings.HasPrefix(r.Header.Get(sessionHeader), "6d63706c")
	}, http.StatusBadRequest)},
	{Rule: "HTTP-011", Web: status(method(http.MethodDelete), http.StatusConflict)},
	{Rule: "HTTP-012", Web: header(posts(mcp.MethodDiscover), sessionHeader, "0123456789abcdef0123")},
	{Rule: "HTTP-013", Web: request(func(r *http.Request) bool { return r.Header.Get(versionHeader) == "1999-01-01" }, func(r *http.Request) { r.Header.Set(versionHeader, "2025-11-25") })},
	{Rule: "HTTP-014", Web: status(func(r *http.Request, body string) bool {
		return r.Header.Get(versionHeader) == "" && r.Header.Get(sessionHeader) != "" && strings.Contains(body, `"ping"`)
	}, http.StatusBadRequest)},
	{Rule: "HTTP-015", Web: status(func(r *http.Request, _ string) bool { return strings.Contains(r.Header.Get("Accept"), ";q=0.9") }, http.StatusNotAcceptable)},
	{Rule: "HTTP-016", Web: streamed(func(r *http.Request) bool { return r.Header.Get("Accept") == "application/json" })},
	{Rule: "HTTP-017", Web: request(func(r *http.Request) bool { return r.Header.Get("Content-Type") == "text/plain" }, func(r *http.Request) { r.Header.Set("Content-Type", "application/json") })},
	{Rule: "HTTP-018", Web: request(func(r *http.Request) bool { return r.Header.Get("Origin") == "http://evil.example" }, func(r *http.Request) { r.Header.Del("Origin") })},
	{Rule: "HTTP-019", Web: request(func(r *http.Request) bool { return r.Header.Get("Origin") == "null" }, func(r *http.Request) { r.Header.Del("Origin") })},
	{Rule: "HTTP-020", Web: request(func(r *http.Request) bool { return r.Host == "evil.example" }, func(r *http.Request) { r.Host = "localhost" })},
	{Rule: "HTTP-021", Everywhere: true},
	{Rule: "HTTP-022", Web: header(method(http.MethodOptions), "Access-Control-Allow-Origin", "*")},
	{Rule: "HTTP-023", Remote: true, With: []string{"HTTP-024"}},
	{Rule: "HTTP-024", Remote: true, With: []string{"HTTP-023"}},
	{Rule: "HTTP-025", Say: when(func(_ *Chat, m Message) bool { return string(lint.Member(m.Raw, "error", "code")) == "-32700" }, func(*Chat, Message) [][]byte { return one([]byte(`{"message":"what?"}`)) })},
	{Rule: "HTTP-026", Web: statusOf(func(r *http.Request, s int) bool { return s == http.StatusUnsupportedMediaType }, http.StatusInternalServerError)},
	{Rule: "HTTP-027", Web: page(method(http.MethodPatch), http.StatusMethodNotAllowed)},
	{Rule: "HTTP-028", With: []string{"HTTP-034"}, Web: events(posts(mcp.MethodListPrompts), ": nothing\n\n", false)},
	{Rule: "HTTP-029", Level: lint.Call, Web: linger(func(_ *http.Request, body string) bool { return calls("add")([]byte(body)) })},
	{Rule: "HTTP-030", Web: overheard(posts(mcp.MethodListTools), func(string) string {
		return `{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`
	})},
	{Rule: "HTTP-031", With: []string{"RPC-007"}, Web: overheard(posts(mcp.MethodListPrompts), func(answer string) string { return answer })},
	{Rule: "HTTP-032", Web: events(posts(mcp.MethodListPrompts), "id: 1\ndata:\n\nid: 1\ndata: %s\n\n", true)},
	{Rule: "HTTP-033", Web: numbered(posts(mcp.MethodListPrompts), "id: %d\ndata: %s\n\n")},
	{Rule: "HTTP-034", Web: numbered(posts(mcp.MethodListPrompts), "id: %d\ndata:\n\n")},
	{Rule: "HTTP-035", Web: replayAll},
	{Rule: "HTTP-036", Web: header(posts(mcp.MethodListTools), "Cache-Control", "public")},
	{Rule: "HTTP-037", Web: events(posts(mcp.MethodListPrompts), "size: 1\ndata: %s\n\n", true)},
	{Rule: "HTTP-038", With: []string{"MOD-011"}, Say: before(mcp.MethodListPrompts, `{"jsonrpc":"2.0","id":7,"method":"ping"}`)},
	{Rule: "HTTP-039", Web: statusOf(func(r *http.Request, s int) bool {
		return s == http.StatusNotFound && r.Header.Get("Mcp-Method") == unknownMethod
	}, http.StatusOK)},
	{Rule: "HTTP-040", Web: request(func(r *http.Request) bool { return r.Header.Get("Mcp-Method") == mcp.MethodListTools }, func(r *http.Request) {
		r.Header.Set("Mcp-Method", methodOf([]byte(bodyOf(r))))
	})},
	{Rule: "HTTP-041", Web: request(func(r *http.Request) bool {
		return r.Header.Get("Mcp-Method") == mcp.MethodCallTool && !strings.HasPrefix(r.Header.Get("Mcp-Name"), "=?")
	}, func(r *http.Request) {
		r.Header.Set("Mcp-Name", param([]byte(bodyOf(r)), "name"))
	})},
	{Rule: "HTTP-042", Web: request(func(r *http.Request) bool { return r.Header.Get(versionHeader) == "2025-11-25" }, func(r *http.Request) { r.Header.Set(versionHeader, modern) })},
	{Rule: "HTTP-043", Bytes: replaced("\r\nmcp-method: ", "\r\nxcp-method: ")},
	{Rule: "HTTP-044", Web: request(func(r *http.Request) bool { return r.Header.Get("Mcp-Method") == "SERVER/DISCOVER" }, func(r *http.Request) { r.Header.Set("Mcp-Method", mcp.MethodDiscover) })},
	{Rule: "HTTP-045", Web: request(func(r *http.Request) bool { return strings.HasPrefix(r.Header.Get("Mcp-Name"), "=?") }, func(r *http.Request) { r.Header.Set("Mcp-Name", "x"+r.Header.Get("Mcp-Name")) })},
	{Rule: "HTTP-046", Bytes: replaced("\r\nMcp-Method:  \t", "\r\nXcp-Method:  \t")},
	{Rule: "HTTP-047", Say: listing(set("result/tools/0/inputSchema/properties/unit/x-mcp-header", "two words"))},
	{Rule: "HTTP-048", Say: listing(set("result/tools/0/inputSchema/properties/unit/x-mcp-header", "Token"))},
	{Rule: "HTTP-049", Web: request(func(r *http.Request) bool { return r.Header.Get("Mcp-Param-Region") != "" }, func(r *http.Request) {
		region, _ := lint.Text(lint.Member([]byte(bodyOf(r)), "params", "arguments", "region"))
		r.Header.Set("Mcp-Param-Region", region)
	})},
	{Rule: "HTTP-050", Shape: func(o *server.Options) { o.Revisions = []*mcp.Revision{mcp.V20260728} }, Web: status(method(http.MethodGet), http.StatusBadRequest)},
	{Rule: "HTTP-051", Web: redirect},
	{Rule: "HTTP-052", Version: modern, Web: oneClient},
	{Rule: "HTTP-053", Web: oneRequest},
}

const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
)

// A pick says whether a fault is about a request, with its body.
type pick = func(r *http.Request, body string) bool

// method picks requests of an HTTP method.
func method(name string) pick {
	return func(r *http.Request, _ string) bool { return r.Method == name }
}

// posts picks messages of a method.
func posts(name string) pick {
	return func(_ *http.Request, body string) bool { return methodOf([]byte(body)) == name }
}

// bodyOf reads the body and puts it back.
func bodyOf(r *http.Request) string {
	body, err := io.ReadAll(io.LimitReader(r.Body, 4<<20))
	if err != nil {
		return ""
	}
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	return string(body)
}

// picked has requests that are picked handled otherwise.
func picked(about pick, handle func(w http.ResponseWriter, r *http.Request, next http.Handler)) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if about(r, bodyOf(r)) {
				handle(w, r, next)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// status answers with a status and, if that is an error, with a body that says
// little.
func status(about pick, code int) middleware {
	return picked(about, func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		if code >= http.StatusBadRequest {
			_, _ = io.WriteString(w, `{"message":"no"}`)
		}
	})
}

// page answers with a web page.
func page(about pick, code int) middleware {
	return picked(about, func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Allow", "POST")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, "<!DOCTYPE html><html><body>no</body></html>")
	})
}

// request changes requests before anything else sees them.
func request(about func(*http.Request) bool, change func(*http.Request)) middleware {
	return picked(func(r *http.Request, _ string) bool { return about(r) }, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		change(r)
		next.ServeHTTP(w, r)
	})
}
