package servehttp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"mcpworks/internal/servehttp"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
)

var update = flag.Bool("update", false, "rewrite the responses in testdata/rest")

type run = func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error)

func newServer(t testing.TB, tools map[string]run) *server.Server {
	t.Helper()
	opts := server.Options{Info: mcp.Implementation{Name: "test", Version: "1"}, PageSize: 2}
	for name, handler := range tools {
		opts.Tools = append(opts.Tools, server.Tool{
			Tool: mcp.Tool{
				Name: name, Description: "The tool " + name + ".",
				InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`),
			},
			Handler: handler,
		})
	}
	srv, err := server.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return srv
}

func text(s string) run {
	return func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) { return mcp.TextResult(s), nil }
}

func fails(err error) run {
	return func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) { return nil, err }
}

// restFixture is two services that share the name of a tool, one of which has a
// handler of its own for one.
func restFixture(t testing.TB, log *slog.Logger) http.Handler {
	first := newServer(t, map[string]run{
		"echo": func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			said, _ := call.Arguments["text"].(string)
			return mcp.TextResult(said), nil
		},
		"structured": func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Structured: json.RawMessage(`{"n":12345678901234567890}`)}, nil
		},
		"fail":   fails(&server.Failure{Text: "no <luck> today"}),
		"broken": fails(&jsonrpc.Error{Code: jsonrpc.InternalError, Message: "request failed: connection refused"}),
		"domain": fails(&jsonrpc.Error{Code: -31007, Message: "the run is over"}),
		"busy": fails(&jsonrpc.Error{Code: jsonrpc.InternalError, Message: "too many calls", Data: json.RawMessage(
			`{"error_code":"MCP_RATE_LIMITED","code":"RATE_LIMITED","retry":{"after_ms":1500}}`)}),
		"panic": func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) { panic("secret") },
		"asks": func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			_, err := call.Ask(ctx, map[string]mcp.InputRequest{"name": mcp.ElicitForm("Name?", json.RawMessage(`{"type":"object","properties":{}}`))})
			return nil, err
		},
	})
	second := newServer(t, map[string]run{"echo": text("the second"), "own": text("never seen")})
	own := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "own words for", r.Method) })
	services := []servehttp.NamedService{
		{Name: "first", Service: first},
		{Name: "second", Service: second, Handlers: map[string]http.Handler{"own": own}},
	}
	for i := range services {
		tools, err := servehttp.ListTools(context.Background(), services[i].Service)
		if err != nil {
			t.Fatal(err)
		}
		services[i].Tools = tools
	}
	return servehttp.REST(services, servehttp.RESTOptions{MaxBody: 1000, Log: log})
}

// shown are the headers that the contract speaks of.
var shown = []string{"Content-Type", "Access-Control-Allow-Origin", "Access-Control-Allow-Headers", "Access-Control-Allow-Methods", "Allow", "Retry-After"}

// TestREST holds the face to the conversations in testdata/rest. A file is one
// request as it goes over the wire, and its response: status, headers, body.
func TestREST(t *testing.T) {
	web := httptest.NewServer(restFixture(t, nil))
	defer web.Close()
	files, err := filepath.Glob("testdata/rest/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no conversations", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := converse(t, web, archive.Files[0].Data)
			if *update {
				archive.Files = append(archive.Files[:1], txtar.File{Name: "response", Data: []byte(got)})
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if len(archive.Files) < 2 {
				t.Fatal("no response in the file; run with -update")
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func converse(t *testing.T, web *httptest.Server, text []byte) string {
	t.Helper()
	head, body, _ := strings.Cut(string(text), "\n\n")
	line, header, _ := strings.Cut(strings.TrimSuffix(head, "\n")+"\n", "\n")
	body = strings.TrimSuffix(body, "\n")
	raw := fmt.Sprintf("%s HTTP/1.1\nHost: localhost\n%sContent-Length: %d\n\n%s", line, header, len(body), body)
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
	if err != nil {
		t.Fatalf("the request cannot be read: %v\n%s", err, raw)
	}
	r.URL.Scheme, r.URL.Host, r.RequestURI = "http", strings.TrimPrefix(web.URL, "http://"), ""
	resp, err := web.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := fmt.Sprintln(resp.StatusCode)
	for _, name := range shown {
		if value := resp.Header.Get(name); value != "" {
			out += name + ": " + value + "\n"
		}
	}
	return out + "\n" + strings.TrimSuffix(string(answer), "\n") + "\n"
}

func TestTwoToolsOfOneNameAreReportedAtTheStart(t *testing.T) {
	var out bytes.Buffer
	restFixture(t, slog.New(slog.NewTextHandler(&out, nil)))
	if line := out.String(); strings.Count(line, "\n") != 1 || !strings.Contains(line, "tool=echo first=first second=second") {
		t.Errorf("log: %s", line)
	}
}

// FuzzREST: whatever the name and the body, the reply is one JSON document, and
// result and error never meet (invariants 6 and 8 of the PlantUML contract).
func FuzzREST(f *testing.F) {
	face := restFixture(f, nil)
	f.Add("POST", "echo", []byte(`{"text":"a"}`))
	f.Add("POST", "\"<\x00\xff", []byte(`{`))
	f.Add("GET", "", []byte(``))
	f.Add("DELETE", "fail/", []byte(`[]`))
	f.Fuzz(func(t *testing.T, method, name string, body []byte) {
		r, err := http.NewRequest(method, "http://localhost/", bytes.NewReader(body))
		if err != nil || method == http.MethodOptions {
			return
		}
		r.URL.Path = "/api/tools/" + name
		if strings.Trim(name, "/") == "own" {
			return
		}
		w := httptest.NewRecorder()
		face.ServeHTTP(w, r)
		var reply map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil {
			t.Fatalf("%q: %v", w.Body, err)
		}
		_, isList := reply["tools"]
		_, hasResult := reply["result"]
		_, hasError := reply["error"]
		if !isList && (hasResult == hasError || reply["success"] != hasResult || hasError != (w.Code >= 400)) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}
