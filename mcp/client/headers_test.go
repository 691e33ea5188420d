package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/streamable"
)

// echoServer has a tool echo, which says its arguments, with the input schema
// that is given.
func echoServer(t testing.TB, schema json.RawMessage) *server.Server {
	t.Helper()
	srv, err := server.New(server.Options{
		Info:        mcp.Implementation{Name: "echo", Version: "1"},
		ListChanged: true,
		Tools:       []server.Tool{echoTool(schema)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return srv
}

func echoTool(schema json.RawMessage) server.Tool {
	if schema == nil {
		schema = json.RawMessage(`{"type":"object"}`)
	}
	return server.Tool{
		Tool: mcp.Tool{Name: "echo", Description: "Echoes.", InputSchema: schema},
		Handler: func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			return mcp.TextResult(fmt.Sprint(call.Arguments["text"])), nil
		},
	}
}

const marked = `{"type":"object","properties":{
	"text":{"type":"string","x-mcp-header":"Text"},
	"count":{"type":"integer","x-mcp-header":"Count"},
	"deep":{"type":"object","properties":{"flag":{"type":"boolean","x-mcp-header":"Flag"}}},
	"absent":{"type":"string","x-mcp-header":"Absent"},
	"null":{"type":["string","null"]}
}}`

// watchHeaders serves a server and returns the Mcp-Param headers of each call.
func watchHeaders(t *testing.T, srv *server.Server) (client.URL, func() []string) {
	endpoint := streamable.New(srv, streamable.Options{})
	var mu sync.Mutex
	var seen []string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if r.Header.Get("Mcp-Method") == "tools/call" {
			var all []string
			for name, values := range r.Header {
				if param, ok := strings.CutPrefix(name, "Mcp-Param-"); ok {
					all = append(all, param+"="+strings.Join(values, ","))
				}
			}
			slices.Sort(all)
			seen = append(seen, strings.Join(all, " "))
		} else {
			seen = append(seen, r.Header.Get("Mcp-Method"))
		}
		mu.Unlock()
		endpoint.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		endpoint.Close()
		web.Close()
	})
	return client.URL(web.URL), func() []string {
		mu.Lock()
		defer mu.Unlock()
		all := seen
		seen = nil
		return all
	}
}

func TestMH7ArgumentsAreMirrored(t *testing.T) {
	url, seen := watchHeaders(t, echoServer(t, json.RawMessage(marked)))
	s := connect(t, url, client.Options{})
	ctx := within(t, patient)
	tools, err := s.AllTools(ctx)
	if err != nil || len(tools) != 1 || len(tools[0].Mirrored) != 4 {
		t.Fatalf("%+v, %v", tools, err)
	}
	seen()
	for arguments, want := range map[string]string{
		`{}`:                              "",
		`{"text":"plain text","count":7}`: "Count=7 Text=plain text",
		`{"text":"é","count":-3,"deep":{"flag":true}}`: "Count=-3 Flag=true Text==?base64?w6k=?=",
		`{"text":"=?base64?w6k=?="}`:                   "Text==?base64?PT9iYXNlNjQ/dzZrPT89?=",
		`{"count":9007199254740991,"deep":{}}`:         "Count=9007199254740991",
		`{"count":1e1}`:                                "Count=10",
	} {
		result, err := s.CallTool(ctx, "echo", json.RawMessage(arguments))
		if err != nil || result.IsError {
			t.Errorf("%s: %v %s", arguments, err, result.Raw)
		}
		if got := seen(); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: headers %q, want %q", arguments, got, want)
		}
	}
}

func TestMH9HeadersAreRefreshedOnce(t *testing.T) {
	srv := echoServer(t, json.RawMessage(marked))
	url, seen := watchHeaders(t, srv)
	s := connect(t, url, client.Options{})
	ctx := within(t, patient)
	seen()
	if got := say(ctx, s, "echo", "unlisted"); got != "unlisted" {
		t.Errorf("%q", got)
	}
	if got := seen(); !slices.Equal(got, []string{"", "tools/list", "Text=unlisted"}) {
		t.Errorf("asked %q", got)
	}
	changed := strings.ReplaceAll(marked, `"Text"`, `"Other"`)
	if err := srv.SetTools(echoTool(json.RawMessage(changed))); err != nil {
		t.Fatal(err)
	}
	if got := say(ctx, s, "echo", "changed"); got != "changed" {
		t.Errorf("%q", got)
	}
	if got := seen(); !slices.Equal(got, []string{"Text=changed", "tools/list", "Other=changed"}) {
		t.Errorf("asked %q", got)
	}
}

func TestTOOL22ToolsThatBreakTheRulesAreDropped(t *testing.T) {
	for name, test := range map[string]struct{ schema, reason string }{
		"array item": {`{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}`, "stands where no argument is"},
		"root":       {`{"type":"string","x-mcp-header":"A"}`, "stands where no argument is"},
		"branch":     {`{"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}`, "stands where no argument is"},
		"number":     {`{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`, "needs a string"},
		"no type":    {`{"properties":{"a":{"x-mcp-header":"A"}}}`, "needs a string"},
		"blank":      {`{"properties":{"a":{"type":"string","x-mcp-header":"A b"}}}`, "must be a token"},
		"empty":      {`{"properties":{"a":{"type":"string","x-mcp-header":""}}}`, "must be a token"},
		"no string":  {`{"properties":{"a":{"type":"string","x-mcp-header":7}}}`, "must be a token"},
		"twice":      {`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}`, "is there twice"},
	} {
		t.Run(name, func(t *testing.T) {
			answers := &site{answers: map[string]string{
				"POST server/discover": isModern,
				"POST tools/list":      `200 {"jsonrpc":"2.0","id":$id,"result":{"tools":[{"name":"bad","inputSchema":` + test.schema + `},{"name":"good","inputSchema":{"type":"object"}}]}}`,
			}}
			web := httptest.NewServer(answers)
			t.Cleanup(web.Close)
			s := connect(t, client.URL(web.URL), client.Options{})
			for page, err := range s.ListTools(within(t, patient)) {
				if err != nil || len(page.Items) != 1 || page.Items[0].Name != "good" || len(page.Dropped) != 1 {
					t.Fatalf("%+v, %v", page, err)
				}
				if got := page.Dropped[0]; !strings.Contains(got.Reason, test.reason) || !strings.Contains(string(got.Raw), `"bad"`) {
					t.Errorf("dropped %+v", got)
				}
			}
		})
	}
}

// A property may have the name of a keyword.
func TestHeaderMarksOnOddNames(t *testing.T) {
	schema := `{"type":"object","properties":{"properties":{"type":"object","properties":{"x-mcp-header":{"type":"string","x-mcp-header":"Deep"}}}}}`
	url, seen := watchHeaders(t, echoServer(t, json.RawMessage(schema)))
	s := connect(t, url, client.Options{})
	ctx := within(t, patient)
	if _, err := s.AllTools(ctx); err != nil {
		t.Fatal(err)
	}
	seen()
	if _, err := s.CallTool(ctx, "echo", map[string]any{"properties": map[string]any{"x-mcp-header": "v"}}); err != nil {
		t.Error(err)
	}
	if got := seen(); !slices.Equal(got, []string{"Deep=v"}) {
		t.Errorf("headers %q", got)
	}
}
