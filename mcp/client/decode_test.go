package client_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport"
)

func ptr[T any](v T) *T { return &v }

var (
	icons       = []mcp.Icon{{Src: "data:image/png;base64,AAAA", MIMEType: "image/png", Sizes: []string{"48x48", "any"}}}
	meta        = mcp.Meta{"example.com/a": json.RawMessage(`{"deep":[1,2.50]}`)}
	annotations = &mcp.Annotations{Audience: []string{"user"}, Priority: ptr(0.25), LastModified: "2025-01-12T15:00:58Z"}
	richTool    = mcp.Tool{
		Name: "rich", Title: "Rich", Description: "Does it all.\nTwice: é ☃ 😀",
		InputSchema:  json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"}}}`),
		OutputSchema: json.RawMessage(`{"type":"object"}`),
		Annotations:  &mcp.ToolAnnotations{Title: "Annotated", ReadOnly: true, Idempotent: true},
		Icons:        icons, Meta: meta,
	}
	richResource = mcp.Resource{
		URI: "test:rich", Name: "rich", Title: "Rich", Description: "About it.", MIMEType: "text/plain",
		Size: 1 << 40, Annotations: annotations, Icons: icons, Meta: meta,
	}
	richTemplate = mcp.ResourceTemplate{
		URITemplate: "test:{a}", Name: "rich", Title: "Rich", Description: "Any.", MIMEType: "text/plain",
		Annotations: annotations, Icons: icons, Meta: meta,
	}
	richPrompt = mcp.Prompt{
		Name: "rich", Title: "Rich", Description: "Asks.",
		Arguments: []mcp.PromptArgument{{Name: "what", Title: "What", Description: "What.", Required: true}, {Name: "how"}},
		Icons:     icons, Meta: meta,
	}
	richContent = []mcp.Content{
		mcp.Text{Text: "plain"},
		mcp.Text{Text: "line\nbreak", Annotations: annotations},
		mcp.Image{Data: []byte{0, 1, 0xff}, MIMEType: "image/png", Annotations: annotations},
		mcp.Audio{Data: []byte("sound"), MIMEType: "audio/wav"},
		mcp.ResourceLink{Resource: richResource},
		mcp.EmbeddedResource{Contents: mcp.ResourceContents{URI: "x:t", MIMEType: "text/plain", Text: "text"}, Annotations: annotations},
		mcp.EmbeddedResource{Contents: mcp.ResourceContents{URI: "x:b", Blob: []byte{1}}},
		mcp.EmbeddedResource{Contents: mcp.ResourceContents{URI: "x:e", Blob: []byte{}}},
	}
)

// What a server declares is what the client reads, with the newest revision
// that each era has.
func TestDefinitionsArriveWhole(t *testing.T) {
	info := mcp.Implementation{Name: "whole", Version: "1", Title: "Whole", Description: "All of it.", WebsiteURL: "https://example.com", Icons: icons}
	contents := []mcp.ResourceContents{{URI: "test:rich", MIMEType: "text/plain", Text: "t"}, {URI: "test:b", Blob: []byte("blob")}}
	srv, err := server.New(server.Options{
		Info: info, Instructions: "Be kind.",
		Tools: []server.Tool{{Tool: richTool, Handler: func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: richContent, Structured: map[string]any{"n": json.Number("12345678901234567890")}, Meta: meta}, nil
		}}},
		Resources: []server.Resource{{Resource: richResource, Read: func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: contents, Cache: &mcp.Cache{TTLMillis: 5000, Public: true}}, nil
		}}},
		Templates: []server.ResourceTemplate{{ResourceTemplate: richTemplate, Read: func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
			return nil, server.ErrNotFound
		}}},
		Prompts: []server.Prompt{{Prompt: richPrompt, Get: func(context.Context, *server.PromptCall) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Description: "D", Messages: []mcp.PromptMessage{{Role: "assistant", Content: richContent[2]}}}, nil
		}}},
		Cache: mcp.Cache{TTLMillis: 1000, Public: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, rev := range []*mcp.Revision{mcp.V20260728, mcp.V20251125} {
		s := connect(t, serve(t, srv, transport.Pair), client.Options{Revision: rev})
		ctx := within(t, patient)
		same := func(what string, want, got any, err error) {
			t.Helper()
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
				t.Errorf("%s, %s: %v, -want +got:\n%s", rev.Version, what, err, diff)
			}
		}
		same("info", info, s.ServerInfo(), nil)
		same("instructions", "Be kind.", s.Instructions(), nil)
		tools, err := s.AllTools(ctx)
		same("tool", richTool, tools[0].Tool, err)
		resources, err := s.AllResources(ctx)
		same("resource", richResource, resources[0].Resource, err)
		templates, err := s.AllResourceTemplates(ctx)
		same("template", richTemplate, templates[0].ResourceTemplate, err)
		prompts, err := s.AllPrompts(ctx)
		same("prompt", richPrompt, prompts[0].Prompt, err)
		for page, err := range s.ListTools(ctx) {
			var cache *mcp.Cache
			if rev.Modern {
				cache = &mcp.Cache{TTLMillis: 1000, Public: true}
			}
			same("cache", cache, page.Cache, err)
		}
		result, err := s.CallTool(ctx, "rich", nil)
		same("content", richContent, result.Content, err)
		same("structured content", json.RawMessage(`{"n":12345678901234567890}`), result.Structured, nil)
		same("meta", meta["example.com/a"], result.Meta["example.com/a"], nil)
		read, err := s.ReadResource(ctx, "test:rich")
		same("contents", contents, read.Contents, err)
		prompt, err := s.GetPrompt(ctx, "rich", map[string]string{"what": "x"})
		same("prompt", []mcp.PromptMessage{{Role: "assistant", Content: richContent[2]}}, prompt.Messages, err)
	}
}

// Whatever a server sends, what fits is read and the rest is left.
func TestDecodingIsLenient(t *testing.T) {
	answers := map[string]string{
		"tools/list": `{"tools":[{"name":"a","description":7,"inputSchema":[],"annotations":{"readOnlyHint":"yes"},"icons":{},"_meta":[],"x":1},"b",null],"nextCursor":7,"ttlMs":-5}`,
		"tools/call": `{"content":[{"type":"tool_use","id":"x"},{"type":"image","data":"!!!"},{"text":"?"},7],"isError":"no","structuredContent":null}`,
	}
	s := connect(t, client.Over(client.LineOf(answering(t, answers))), client.Options{Era: client.Modern})
	ctx := within(t, patient)
	for page, err := range s.ListTools(ctx) {
		if err != nil || len(page.Items) != 3 || page.Next != nil || *page.Cache != (mcp.Cache{}) {
			t.Fatalf("%+v, %v", page, err)
		}
		tool := page.Items[0]
		want := &mcp.ToolAnnotations{Destructive: true, OpenWorld: true}
		if tool.Name != "a" || tool.Description != "" || !cmp.Equal(want, tool.Annotations) || tool.Meta != nil || page.Items[1].Name != "" {
			t.Errorf("%+v", page.Items)
		}
	}
	result, err := s.CallTool(ctx, "a", nil)
	if err != nil || len(result.Content) != 4 || result.IsError {
		t.Fatalf("%+v, %v", result, err)
	}
	unknown, ok := result.Content[0].(client.UnknownContent)
	if !ok || unknown.Type != "tool_use" || string(unknown.Raw) != `{"type":"tool_use","id":"x"}` {
		t.Errorf("%+v", result.Content[0])
	}
}

// answering is a connection to a modern server that gives each method one
// answer.
func answering(t testing.TB, results map[string]string) transport.Conn {
	ours, theirs := transport.Pair()
	go func() {
		for {
			frame, err := theirs.Read()
			if err != nil {
				_ = theirs.Close(context.Background())
				return
			}
			var m struct {
				ID     json.RawMessage
				Method string
			}
			_ = json.Unmarshal(frame, &m)
			result := results[m.Method]
			if m.Method == "server/discover" {
				result = `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{}}}`
			}
			if m.ID != nil {
				_ = theirs.Write(t.Context(), []byte(`{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":`+result+`}`))
			}
		}
	}()
	return ours
}
