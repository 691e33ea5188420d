package mcp_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/mcp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func ptr[T any](v T) *T { return &v }

var (
	icons = []mcp.Icon{
		{Src: "data:image/png;base64,AAAA", MIMEType: "image/png", Sizes: []string{"48x48", "any"}},
		{Src: "https://example.com/icon.png"},
	}
	meta        = mcp.Meta{"example.com/z": json.RawMessage(`{"deep": [1, 2]}`), "example.com/a": json.RawMessage(`"x"`)}
	annotations = &mcp.Annotations{Audience: []string{"user", "assistant"}, Priority: ptr(0.25), LastModified: "2025-01-12T15:00:58Z"}
)

var richTool = mcp.Tool{
	Name: "rich.tool_1-x", Title: "Rich \"tool\"", Description: "Does it all.\nTwice: <b>é ☃ 😀</b>",
	InputSchema:  json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"}}}`),
	OutputSchema: json.RawMessage(`{"type":"object"}`),
	Annotations:  &mcp.ToolAnnotations{Title: "Annotated", ReadOnly: true, OpenWorld: true},
	Icons:        icons, Meta: meta,
}

var richResource = mcp.Resource{
	URI: "file:///a%20b", Name: "a b", Title: "A & B", Description: "About a and b.", MIMEType: "text/plain",
	Size: 1 << 40, Annotations: annotations, Icons: icons, Meta: meta,
}

var richTemplate = mcp.ResourceTemplate{
	URITemplate: "file:///{+path}", Name: "files", Title: "All files", Description: "Any file.", MIMEType: "text/plain",
	Annotations: annotations, Icons: icons, Meta: meta,
}

var richPrompt = mcp.Prompt{
	Name: "ask", Title: "Ask", Description: "Asks.",
	Arguments: []mcp.PromptArgument{
		{Name: "what", Title: "What", Description: "What to ask.", Required: true},
		{Name: "how"},
	},
	Icons: icons, Meta: meta,
}

// richContent has every kind of block, with and without its optional parts.
var richContent = []mcp.Content{
	mcp.Text{Text: "plain"},
	mcp.Text{Text: "line\nbreak \u2028 \x00", Annotations: annotations},
	mcp.Image{Data: []byte{0, 1, 2, 0xff}, MIMEType: "image/png", Annotations: annotations},
	mcp.Image{Data: nil, MIMEType: "image/png"},
	mcp.Audio{Data: []byte("sound"), MIMEType: "audio/wav", Annotations: annotations},
	mcp.ResourceLink{Resource: richResource},
	mcp.ResourceLink{Resource: mcp.Resource{URI: "x:y", Name: "y"}},
	mcp.EmbeddedResource{Contents: mcp.ResourceContents{URI: "x:t", MIMEType: "text/plain", Text: "text"}, Annotations: annotations},
	mcp.EmbeddedResource{Contents: mcp.ResourceContents{URI: "x:b", Blob: []byte{1}}},
	mcp.EmbeddedResource{Contents: mcp.ResourceContents{URI: "x:e", Blob: []byte{}}},
}

// members makes an object of a result.
func members(t *testing.T, r mcp.Result, rev *mcp.Revision) []byte {
	t.Helper()
	dst, err := r.AppendMembers([]byte("{"), rev)
	if err != nil {
		t.Fatal(err)
	}
	return append(dst, '}')
}

// TestGoldenEncodings writes one of everything in each revision. A file has
// one line for each thing: its label and its JSON.
func TestGoldenEncodings(t *testing.T) {
	for _, rev := range mcp.Revisions() {
		t.Run(rev.Version, func(t *testing.T) {
			structured := map[string]any{"b": []any{1.5, nil}, "a": "x"}
			info := mcp.Implementation{Name: "n", Version: "v", Title: "T", Description: "D", WebsiteURL: "https://example.com", Icons: icons}
			var text bytes.Buffer
			for _, line := range []struct {
				label string
				json  []byte
			}{
				{"tool", richTool.AppendJSON(nil, rev)},
				{"tool, plain", (&mcp.Tool{Name: "t", Description: "D.", InputSchema: json.RawMessage(`{"type":"object"}`)}).AppendJSON(nil, rev)},
				{"resource", richResource.AppendJSON(nil, rev)},
				{"resource, plain", (&mcp.Resource{URI: "x:y", Name: "y"}).AppendJSON(nil, rev)},
				{"template", richTemplate.AppendJSON(nil, rev)},
				{"template, plain", (&mcp.ResourceTemplate{URITemplate: "x:{y}", Name: "y"}).AppendJSON(nil, rev)},
				{"prompt", richPrompt.AppendJSON(nil, rev)},
				{"prompt, plain", (&mcp.Prompt{Name: "p"}).AppendJSON(nil, rev)},
				{"implementation", info.AppendJSON(nil, rev)},
				{"content", members(t, &mcp.CallToolResult{Content: richContent}, rev)},
				{"tool result, empty", members(t, &mcp.CallToolResult{}, rev)},
				{"tool result, error", members(t, mcp.ErrorResult("no"), rev)},
				{"tool result, object", members(t, &mcp.CallToolResult{Structured: structured}, rev)},
				{"tool result, array", members(t, &mcp.CallToolResult{Structured: []any{1}}, rev)},
				{"tool result, both", members(t, &mcp.CallToolResult{Structured: structured, Content: []mcp.Content{mcp.Text{Text: "own"}}}, rev)},
				{"prompt result", members(t, &mcp.GetPromptResult{Description: "D", Messages: []mcp.PromptMessage{
					{Role: "user", Content: mcp.Audio{Data: []byte("a"), MIMEType: "audio/wav"}},
					{Role: "assistant", Content: mcp.Text{Text: "ok"}},
				}}, rev)},
				{"prompt result, empty", members(t, &mcp.GetPromptResult{}, rev)},
				{"resource result", members(t, &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{
					{URI: "x:t", MIMEType: "text/plain", Text: "t"}, {URI: "x:e"}, {URI: "x:b", Blob: []byte("blob")},
				}}, rev)},
				{"completion", members(t, &mcp.CompleteResult{Values: []string{"a", "b"}, Total: 7, HasMore: true}, rev)},
				{"completion, empty", members(t, &mcp.CompleteResult{}, rev)},
				{"not found", mcp.ResourceNotFound(rev, "x:\"y\"").AppendJSON(nil)},
				{"elicit form", mcp.ElicitForm("m", json.RawMessage(`{"type":"object"}`)).Params(rev)},
				{"elicit url", mcp.ElicitURL("m", "https://example.com/", "e-1").Params(rev)},
				{"sampling", mcp.CreateMessage(json.RawMessage(`{"maxTokens":1,"elicitationId":"kept"}`)).Params(rev)},
				{"roots", mcp.ListRoots().Params(rev)},
			} {
				if !json.Valid(line.json) || bytes.ContainsAny(line.json, "\n\r") {
					t.Errorf("%s is not one line of JSON: %s", line.label, line.json)
				}
				text.WriteString(line.label + ": " + string(line.json) + "\n")
			}
			file := filepath.Join("testdata", rev.Version+".txt")
			if *update {
				if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text.String(), "\n")); diff != "" {
				t.Errorf("%s, -want +got (rewrite with -update):\n%s", file, diff)
			}
		})
	}
}

// The members that a revision adds, from the specification's own table.
func TestOlderRevisionsGetNoNewerMembers(t *testing.T) {
	since := []struct{ member, version string }{
		{"name", "2024-11-05"}, {"description", "2024-11-05"}, {"inputSchema", "2024-11-05"},
		{"annotations", "2025-03-26"},
		{"title", "2025-06-18"}, {"outputSchema", "2025-06-18"}, {"_meta", "2025-06-18"},
		{"icons", "2025-11-25"},
	}
	for _, rev := range mcp.Revisions() {
		var got map[string]json.RawMessage
		if err := json.Unmarshal(richTool.AppendJSON(nil, rev), &got); err != nil {
			t.Fatal(err)
		}
		for _, s := range since {
			if _, has := got[s.member]; has != (rev.Version >= s.version) {
				t.Errorf("%s: tool member %s: %v", rev.Version, s.member, has)
			}
			delete(got, s.member)
		}
		if len(got) > 0 {
			t.Errorf("%s: other members: %v", rev.Version, got)
		}
	}
}
