package console_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"mcpworks/internal/console"
)

var options = console.Options{
	Version: "1.2.3",
	Packs: []console.Pack{{
		Name: "judge", Title: "Online judge", About: "Problems.", Note: "invented problems",
		Tools:   []console.Tool{{Name: "get_problem", Description: `<script>alert("x")</script>`}},
		Command: []string{"oj-mcp-rs", "--base-url", "http://127.0.0.1:7856"},
	}},
}

func get(t *testing.T, opts console.Options, method, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest(method, "http://localhost:8080"+path, nil)
	console.New(opts).ServeHTTP(w, r)
	return w
}

func wants(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %s:\n%s", text, page)
		}
	}
}

func TestIndexTellsPacksEndpointsToolsAndLines(t *testing.T) {
	page := get(t, options, "GET", "/").Body.String()
	wants(t, page, "1.2.3", "Online judge", "invented problems", "get_problem", ">ready<",
		"http://localhost:8080/judge/mcp", "http://localhost:8080/judge/sse",
		"claude mcp add --transport http judge http://localhost:8080/judge/mcp",
		"&#34;mcpServers&#34;", "&#34;servers&#34;", "oj-mcp-rs",
		"curl http://localhost:8080/api/tools/get_problem")
}

// SEC-8: what tools say about themselves is text.
func TestDescriptionsAreEscaped(t *testing.T) {
	page := get(t, options, "GET", "/").Body.String()
	if strings.Contains(page, "<script") {
		t.Error("there is a script")
	}
}

func TestPageLoadsNothingFromElsewhere(t *testing.T) {
	w := get(t, options, "GET", "/")
	policy := w.Header().Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
		t.Errorf("policy %q", policy)
	}
	for _, match := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(w.Body.String(), -1) {
		if !strings.HasPrefix(match[1], "/") || strings.HasPrefix(match[1], "//") {
			t.Errorf("the page refers to %s", match[1])
		}
	}
}

// With a token in use the page is open, and keeps to what clients need.
func TestOpenPageOfClosedServerTellsLess(t *testing.T) {
	closed := options
	closed.Token = true
	page := get(t, closed, "GET", "/").Body.String()
	wants(t, page, "bearer token", "/judge/mcp", "$MCPWORKS_TOKEN", "${MCPWORKS_TOKEN}", "${input:mcpworks-token}")
	for _, hidden := range []string{"get_problem", "1.2.3", "invented problems"} {
		if strings.Contains(page, hidden) {
			t.Errorf("the page tells %s", hidden)
		}
	}
	if len(options.Packs[0].Tools) != 1 {
		t.Error("the page took the options apart")
	}
}

func TestPageTellsThatItGoes(t *testing.T) {
	going := options
	going.Ready = func() bool { return false }
	wants(t, get(t, going, "GET", "/").Body.String(), "shutting down")
}

func TestPaths(t *testing.T) {
	for _, path := range console.Paths {
		if w := get(t, options, "GET", path); w.Code != http.StatusOK || w.Body.Len() == 0 {
			t.Errorf("GET %s: %d", path, w.Code)
		}
	}
	if w := get(t, options, "GET", "/nothing"); w.Code != http.StatusNotFound {
		t.Errorf("GET /nothing: %d", w.Code)
	}
	if w := get(t, options, "POST", "/"); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST /: %d", w.Code)
	}
}
