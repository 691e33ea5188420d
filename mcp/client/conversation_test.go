package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/internal/mcptest/foreign"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/jsonrpc"
)

// TestConversation does everything a session can do, at every revision and over
// every transport, with the server that other people's clients are tested with.
func TestConversation(t *testing.T) {
	for _, rev := range mcp.Revisions() {
		for _, w := range ways {
			if rev.Modern && !w.modern {
				continue
			}
			t.Run(rev.Version+"/"+w.name, func(t *testing.T) {
				t.Parallel()
				converse(t, w.target(t, foreign.Server(t)), rev)
			})
		}
	}
}

// events collects what a server says unasked.
type events chan string

func (e events) options(rev *mcp.Revision) client.Options {
	return client.Options{
		Revision: rev,
		Sampling: func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(`{"model":"m","role":"assistant","content":{"type":"text","text":"sampled"}}`), nil
		},
		ElicitForm: func(_ context.Context, form client.Form) (mcp.ElicitResult, error) {
			return mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ann"}}, nil
		},
		Roots: func(context.Context) ([]client.Root, error) {
			return []client.Root{{URI: "file:///root", Name: "root"}}, nil
		},
		On: client.Notifications{
			ToolsChanged:    func() { e <- "tools changed" },
			ResourceUpdated: func(uri string) { e <- "updated " + uri },
			Log:             func(m client.LogMessage) { e <- fmt.Sprintf("log %v %s", m.Level, m.Data) },
		},
	}
}

func (e events) await(ctx context.Context, t *testing.T, want string) {
	t.Helper()
	var others []string
	for {
		select {
		case got := <-e:
			if got == want {
				return
			}
			others = append(others, got)
		case <-ctx.Done():
			t.Fatalf("never heard %q, but %q", want, others)
		}
	}
}

func converse(t *testing.T, target client.Target, rev *mcp.Revision) {
	ctx, cancel := context.WithTimeout(t.Context(), patient)
	defer cancel()
	heard := make(events, 1000)
	s := connect(t, target, heard.options(rev))
	if s.Revision() != rev || s.Version() != rev.Version {
		t.Fatalf("speaks %s", s.Revision().Version)
	}
	if info := s.ServerInfo(); info.Name != "peer" || info.Version != "1" {
		t.Errorf("server info %+v", info)
	}
	if can := s.Capabilities(); !can.Tools || !can.Prompts || !can.Resources || !can.Subscribe || !can.Logging || !can.ToolsListChanged {
		t.Errorf("capabilities %+v", can)
	}

	testLists(ctx, t, s)
	testCalls(ctx, t, s, rev)
	if err := s.SetLevel(ctx, mcp.LevelWarning); err != nil {
		t.Errorf("SetLevel: %v", err)
	}
	testProgress(ctx, t, s, rev)
	heard.await(ctx, t, `log warning "reported"`)
	testQuestions(ctx, t, s, rev)
	testCancel(ctx, t, s)
	testWatching(ctx, t, s, heard, rev)
	if err := s.Ping(ctx); rev.Modern != errors.As(err, new(*client.NotOfferedError)) || !rev.Modern && err != nil {
		t.Errorf("Ping: %v", err)
	}
}

func testLists(ctx context.Context, t *testing.T, s *client.Session) {
	t.Helper()
	var names [4][]string
	tools, err0 := s.AllTools(ctx)
	for _, tool := range tools {
		names[0] = append(names[0], tool.Name)
	}
	resources, err1 := s.AllResources(ctx)
	for _, resource := range resources {
		names[1] = append(names[1], resource.URI)
	}
	templates, err2 := s.AllResourceTemplates(ctx)
	for _, template := range templates {
		names[2] = append(names[2], template.URITemplate)
	}
	prompts, err3 := s.AllPrompts(ctx)
	for _, prompt := range prompts {
		names[3] = append(names[3], prompt.Name)
	}
	want := [4][]string{
		{"change", "echo", "elicit", "fail", "hang", "hung", "report", "roots", "sample", "touch"},
		{"test:a", "test:b", "test:c", "test:d", "test:e"}, {"test:any/{name}"}, {"a", "b", "c", "d", "e"},
	}
	if diff := cmp.Diff(want, names); diff != "" || errors.Join(err0, err1, err2, err3) != nil {
		t.Errorf("PAG-3: %v, -want +got:\n%s", errors.Join(err0, err1, err2, err3), diff)
	}
}

// say calls a tool and returns its text, or how it failed.
func say(ctx context.Context, s *client.Session, tool, text string) string {
	result, err := s.CallTool(ctx, tool, map[string]any{"text": text})
	switch {
	case err != nil:
		return "error: " + err.Error()
	case result.IsError:
		return "failed: " + result.Content[0].(mcp.Text).Text
	}
	return result.Content[0].(mcp.Text).Text
}

func wantCode(t *testing.T, what string, err error, code int) {
	t.Helper()
	if !errors.Is(err, &jsonrpc.Error{Code: code}) {
		t.Errorf("%s: %v, want code %d", what, err, code)
	}
}

func testCalls(ctx context.Context, t *testing.T, s *client.Session, rev *mcp.Revision) {
	t.Helper()
	for _, text := range []string{"line\nbreak ☃ \"quoted\"", strings.Repeat("x", 1_000_000), ""} {
		if got := say(ctx, s, "echo", text); got != text {
			t.Errorf("echo: %.100q, want %.100q", got, text)
		}
	}
	if got := say(ctx, s, "fail", ""); got != "failed: no luck" {
		t.Errorf("fail: %q", got)
	}
	_, err := s.CallTool(ctx, "nothing", nil)
	wantCode(t, "unknown tool", err, jsonrpc.InvalidParams)

	read, err := s.ReadResource(ctx, "test:any/thing")
	if err != nil || read.Contents[0].Text != "content of test:any/thing" || (read.Cache != nil) != rev.Modern {
		t.Errorf("read: %+v, %v", read, err)
	}
	if _, err := s.ReadResource(ctx, "test:nothing"); !client.IsNotFound(err) {
		t.Errorf("RES-5: %v", err)
	}
	prompt, err := s.GetPrompt(ctx, "c", map[string]string{"who": "me"})
	if err != nil || prompt.Messages[0].Content != (mcp.Text{Text: "c for me"}) || prompt.Messages[0].Role != "user" {
		t.Errorf("prompt: %+v, %v", prompt, err)
	}
	completion, err := s.Complete(ctx, client.Completion{Prompt: "c", Argument: "who", Value: "m"})
	if err != nil || !slices.Equal(completion.Values, []string{"c", "who", "m"}) || !strings.Contains(string(completion.Raw), `"values":["c","who","m"]`) {
		t.Errorf("complete: %+v, %v", completion, err)
	}
	raw, err := s.Call(ctx, "tools/call", json.RawMessage("{\"name\": \"echo\",\n \"arguments\": {\"text\": \"raw\"}}"))
	if err != nil || !strings.Contains(string(raw), `"raw"`) {
		t.Errorf("raw call: %s, %v", raw, err)
	}
	_, err = s.Call(ctx, "no/such/method", nil)
	wantCode(t, "unknown method", err, jsonrpc.MethodNotFound)
}

func testProgress(ctx context.Context, t *testing.T, s *client.Session, rev *mcp.Revision) {
	t.Helper()
	var got []client.Progress
	watched := s.With(client.CallOptions{Progress: func(p client.Progress) { got = append(got, p) }})
	if text := say(ctx, watched, "report", ""); text != "reported" {
		t.Errorf("report: %q", text)
	}
	want := []client.Progress{{Progress: 1, Total: 2, Message: "half"}, {Progress: 2, Total: 2, Message: "whole"}}
	if !rev.ProgressMessage {
		want[0].Message, want[1].Message = "", ""
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("progress, -want +got:\n%s", diff)
	}
}

func testQuestions(ctx context.Context, t *testing.T, s *client.Session, rev *mcp.Revision) {
	t.Helper()
	want := "accept Ann true"
	if !rev.Elicitation {
		want = "failed: the client cannot answer elicitation/create"
	}
	if got := say(ctx, s, "elicit", ""); got != want {
		t.Errorf("elicit: %q, want %q", got, want)
	}
	if got := say(ctx, s, "sample", ""); got != "sampled" {
		t.Errorf("sample: %q", got)
	}
	if got := say(ctx, s, "roots", ""); got != "file:///root sampled" {
		t.Errorf("roots, MRTR-4: %q", got)
	}
}

func testCancel(ctx context.Context, t *testing.T, s *client.Session) {
	t.Helper()
	hanging, stop := context.WithCancel(ctx)
	defer stop()
	told := make(chan struct{})
	go func() {
		<-told
		stop()
	}()
	watched := s.With(client.CallOptions{Progress: func(client.Progress) { close(told) }})
	if _, err := watched.CallTool(hanging, "hang", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %v", err)
	}
	if got := say(ctx, s, "hung", ""); got != "cancelled" {
		t.Errorf("CAN-1: %q", got)
	}
}

func testWatching(ctx context.Context, t *testing.T, s *client.Session, heard events, rev *mcp.Revision) {
	t.Helper()
	own := make(events, 100)
	if rev.Modern {
		sub, err := s.Listen(ctx, client.Filter{Tools: true, URIs: []string{"test:a", "test:not"}}, func(n client.Notification) { own <- n.Method })
		if err != nil {
			t.Fatalf("Listen: %v", err)
		}
		defer func() {
			sub.Close()
			if err := sub.Err(); err != nil {
				t.Errorf("the subscription ended with %v", err)
			}
		}()
		if diff := cmp.Diff(client.Filter{Tools: true, URIs: []string{"test:a"}}, sub.Granted()); diff != "" {
			t.Errorf("SUB-1: -want +got:\n%s", diff)
		}
	} else if err := s.Subscribe(ctx, "test:a"); err != nil {
		t.Errorf("Subscribe: %v", err)
	}
	say(ctx, s, "touch", "")
	heard.await(ctx, t, "updated test:a")
	say(ctx, s, "change", "")
	heard.await(ctx, t, "tools changed")
	if rev.Modern {
		own.await(ctx, t, mcp.NotifyResourceUpdated)
		own.await(ctx, t, mcp.NotifyToolsChanged)
	} else if err := s.Unsubscribe(ctx, "test:a"); err != nil {
		t.Errorf("Unsubscribe: %v", err)
	}
}
