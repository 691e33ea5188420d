package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"pgregory.net/rapid"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/stdio"
)

// everything declares a server with one of all there is.
func everything(t *testing.T) *server.Server {
	text := func(s string) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: "test:x", Text: s}}}, nil
	}
	return newDesk().server(t, server.Options{
		Logging: true, ListChanged: true, Subscribe: true, PageSize: 2,
		Tools: []server.Tool{{
			Tool: mcp.Tool{Name: "ask", Description: "Asks.", InputSchema: json.RawMessage(`{"type":"object"}`)},
			Handler: func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				call.Progress(ctx, 1, 2, "asking")
				call.Log(ctx, mcp.LevelInfo, "log", "asking")
				_, err := call.Ask(ctx, map[string]mcp.InputRequest{"roots": mcp.ListRoots()})
				return mcp.TextResult("asked"), err
			},
		}},
		Resources: []server.Resource{{Resource: mcp.Resource{URI: "test:x", Name: "x"}, Read: func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) { return text("x") }}},
		Templates: []server.ResourceTemplate{{
			ResourceTemplate: mcp.ResourceTemplate{URITemplate: "test:{a}/{+b}", Name: "t"},
			Read: func(_ context.Context, call *server.ReadCall) (*mcp.ReadResourceResult, error) {
				return text(call.Variables["a"] + call.Variables["b"])
			},
		}},
		Prompts: []server.Prompt{{Prompt: mcp.Prompt{Name: "p", Arguments: []mcp.PromptArgument{{Name: "a", Required: true}}}, Get: func(_ context.Context, call *server.PromptCall) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{{Role: "user", Content: mcp.Text{Text: call.Arguments["a"]}}}}, nil
		}}},
		Complete: func(context.Context, *server.CompleteCall) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Values: []string{"v"}}, nil
		},
	})
}

var (
	someMethods = []string{
		"initialize", "ping", "server/discover", "subscriptions/listen", "tools/list", "tools/call", "resources/list",
		"resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe", "prompts/list",
		"prompts/get", "completion/complete", "logging/setLevel", "notifications/initialized", "notifications/cancelled",
		"notifications/progress", "notifications/unknown", "tasks/get", "", "x",
	}
	someMembers = []string{
		"_meta", "name", "arguments", "uri", "cursor", "level", "ref", "argument", "context", "protocolVersion", "capabilities",
		"clientInfo", "inputResponses", "requestState", "notifications", "requestId", "text", "type", "value", "progressToken",
		"io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities", "io.modelcontextprotocol/logLevel",
		"resourceSubscriptions", "toolsListChanged", "roots", "elicitation", "task", "",
	}
	someValues = []string{
		`null`, `true`, `0`, `1`, `-7`, `1.5`, `1e999`, `""`, `"x"`, `"echo"`, `"ask"`, `"p"`, `"test:x"`, `"test:a/b/c"`, `"test:%ZZ"`, `"info"`,
		`"2025-03-26"`, `"2025-11-25"`, `"2026-07-28"`, `"ref/prompt"`, `"ref/resource"`, `"\u0000\ud83d\ude00"`, `[]`, `{}`,
		`123456789012345678901234567890`, `["test:x"]`,
		`{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}}}`,
		`{"type":"ref/prompt","name":"p"}`, `{"text":"x"}`, `{"roots":{}}`, `{"toolsListChanged":true}`,
	}
)

func someValue(r *rapid.T, depth int) string {
	if depth == 0 || rapid.IntRange(0, 2).Draw(r, "leaf") > 0 {
		return rapid.SampledFrom(someValues).Draw(r, "value")
	}
	if rapid.IntRange(0, 3).Draw(r, "array") == 0 {
		return "[" + someValue(r, depth-1) + "," + someValue(r, depth-1) + "]"
	}
	var parts []string
	for range rapid.IntRange(0, 5).Draw(r, "members") {
		name, _ := json.Marshal(rapid.SampledFrom(someMembers).Draw(r, "name"))
		parts = append(parts, string(name)+":"+someValue(r, depth-1))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// someFrame draws a line: nearly a message, any JSON, a batch, or noise.
func someFrame(r *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 11).Draw(r, "kind")
	switch {
	case kind == 0:
		return strings.NewReplacer("\n", "", "\r", "").Replace(string(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(r, "noise")))
	case kind == 1:
		return someValue(r, 3)
	case kind == 2 && depth > 0:
		return "[" + someFrame(r, depth-1) + "," + someFrame(r, depth-1) + "]"
	case kind == 3:
		return strings.Repeat("[", rapid.IntRange(1, 200).Draw(r, "deep"))
	case kind == 4:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, rapid.SampledFrom(someValues).Draw(r, "id"), someValue(r, 2))
	}
	parts := []string{`"jsonrpc":"2.0"`}
	if rapid.IntRange(0, 3).Draw(r, "has id") > 0 {
		parts = append(parts, `"id":`+rapid.SampledFrom(someValues).Draw(r, "id"))
	}
	method, _ := json.Marshal(rapid.SampledFrom(someMethods).Draw(r, "method"))
	parts = append(parts, `"method":`+string(method))
	if rapid.IntRange(0, 4).Draw(r, "has params") > 0 {
		parts = append(parts, `"params":`+someValue(r, 3))
	}
	line := "{" + strings.Join(parts, ",") + "}"
	if kind == 5 {
		line = line[:rapid.IntRange(0, len(line)).Draw(r, "cut")]
	}
	return line
}

// TestSTD4NoInputEndsTheSession says thousands of things, in a session or
// before one. Each line of output must be a message, and a ping at the end must
// be answered.
func TestSTD4NoInputEndsTheSession(t *testing.T) {
	srv := everything(t)
	rapid.Check(t, func(r *rapid.T) {
		frames := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) string { return someFrame(r, 2) }), 50, 200).Draw(r, "frames")
		rev := rapid.SampledFrom(append(mcp.Revisions()[1:], nil)).Draw(r, "revision")
		var wrong error
		synctest.Test(t, func(t *testing.T) {
			k := startTalk(t, srv, stdio.Options{MaxMessage: 1 << 16})
			if rev != nil {
				k.handshake(rev, `{}`)
			}
			wrong = k.survives(frames)
		})
		if wrong != nil {
			r.Fatal(wrong)
		}
	})
}

// survives sends the frames and a ping, and looks at all that is said up to
// the end of the session.
func (k *talk) survives(frames []string) error {
	go func() {
		for _, frame := range frames {
			k.send("%s", frame)
		}
		k.send(`{"jsonrpc":"2.0","id":"last","method":"ping"}`)
	}()
	var wrong error
	for answered := false; ; {
		m, err := k.readErr()
		switch {
		case err == io.EOF:
			if err := <-k.served; err != nil || !answered {
				return errors.Join(wrong, fmt.Errorf("ping answered: %v, Serve returned %v", answered, err))
			}
			return wrong
		case err != nil || !utf8.ValidString(m.raw) || (m.Method == "") == (m.Result == nil && m.Error == nil):
			wrong = fmt.Errorf("output is no message: %.200q, %v", m.raw, err)
		case m.Error != nil && (m.Error.Code == 0 || m.Error.Code == -32603 && m.Error.Message == "internal error"):
			wrong = fmt.Errorf("bad error: %.200q", m.raw)
		case m.id() == `"last"`:
			answered = true
			k.out.Close()
		}
	}
}
