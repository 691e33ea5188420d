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

// Pages of every origin may use the MCP endpoint as well.
func TestPagesMayUseTheEndpoint(t *testing.T) {
	p := start(t)
	req, err := http.NewRequest(http.MethodOptions, p.url+mcpPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Origin", "https://pages.example")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(resp.Header.Get("Access-Control-Allow-Headers"), "Mcp-Protocol-Version") {
		t.Errorf("%s %v", resp.Status, resp.Header)
	}
}
