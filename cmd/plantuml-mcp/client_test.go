package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The official SDK's client is an independent judge of the MCP endpoint.
func TestOfficialClient(t *testing.T) {
	p := start(t)
	client := gosdk.NewClient(&gosdk.Implementation{Name: "test", Version: "0"}, nil)
	session, err := client.Connect(t.Context(), &gosdk.StreamableClientTransport{Endpoint: p.url + mcpPath}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if name := session.InitializeResult().ServerInfo.Name; name != "plantuml-mcp" {
		t.Errorf("the server is %q", name)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if a := tool.Annotations; a == nil || !a.ReadOnlyHint || !a.IdempotentHint || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s has annotations %+v", tool.Name, a)
		}
	}
	if got := strings.Join(names, " "); got != "encodePlantUML encode-plantuml" {
		t.Errorf("the tools are %s", got)
	}
	for _, name := range names {
		wantResult(t, session, name, "@startuml\nA --> B\n@enduml", false, map[string]any{
			"status": "success", "url": encodedURL, "encoded": encodedURL[strings.LastIndex(encodedURL, "/")+1:], "format": "svg",
		})
		wantResult(t, session, name, " ", true, map[string]any{
			"status": "error", "code": "EMPTY_CODE", "message": "plantumlCode is required and cannot be empty",
		})
	}
	if _, err := session.CallTool(t.Context(), &gosdk.CallToolParams{Name: "nothing"}); err == nil {
		t.Error("an unknown tool was called")
	}
}

// wantResult wants a result in both forms: as text and structured.
func wantResult(t *testing.T, session *gosdk.ClientSession, tool, text string, failed bool, want map[string]any) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &gosdk.CallToolParams{Name: tool, Arguments: map[string]any{"plantumlCode": text}})
	if err != nil {
		t.Fatal(err)
	}
	wantJSON, _ := json.Marshal(want)
	var inText any
	if err := json.Unmarshal([]byte(result.Content[0].(*gosdk.TextContent).Text), &inText); err != nil {
		t.Fatal(err)
	}
	for form, value := range map[string]any{"text": inText, "structured content": result.StructuredContent} {
		if got, _ := json.Marshal(value); string(got) != string(wantJSON) {
			t.Errorf("%s of %s is %s, want %s", form, tool, got, wantJSON)
		}
	}
	if result.IsError != failed || len(result.Content) != 1 {
		t.Errorf("%s: isError is %v, and there are %d contents", tool, result.IsError, len(result.Content))
	}
}

// HTTP-2, HTTP-3: the MCP endpoint is for no page but the server's own, and for
// no other name of this machine; the service beside it is open to all.
func TestEndpointIsGuarded(t *testing.T) {
	p := start(t)
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	own := strings.Replace(p.url, "127.0.0.1", "localhost", 1)
	for name, test := range map[string]struct {
		path, origin, host string
		want               int
	}{
		"no page":               {mcpPath, "", "", http.StatusOK},
		"its own page":          {mcpPath, own, strings.TrimPrefix(own, "http://"), http.StatusOK},
		"another page":          {mcpPath, "https://pages.example", "", http.StatusForbidden},
		"a page from nowhere":   {mcpPath, "null", "", http.StatusForbidden},
		"another name":          {mcpPath, "", "pages.example", http.StatusForbidden},
		"another page, service": {"/api/tools", "https://pages.example", "", http.StatusOK},
	} {
		method, body := http.MethodPost, ping
		if test.path != mcpPath {
			method, body = http.MethodGet, ""
		}
		req, err := http.NewRequest(method, p.url+test.path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if test.origin != "" {
			req.Header.Set("Origin", test.origin)
		}
		if test.host != "" {
			req.Host = test.host
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != test.want {
			t.Errorf("%s: %s, want %d", name, resp.Status, test.want)
		}
		if open := resp.Header.Get("Access-Control-Allow-Origin") == "*"; open != (test.path != mcpPath) {
			t.Errorf("%s: open to pages: %v", name, open)
		}
	}
}
