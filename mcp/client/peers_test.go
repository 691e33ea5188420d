package client_test

//lint:file-ignore SA1019 the servers' deprecated parts are used as well

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpgoserver "github.com/mark3labs/mcp-go/server"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/transport/stdio"
)

// A foreignServer is one that somebody else made.
type foreignServer struct {
	name string
	// serve answers one connection until its input ends.
	serve func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error
	// http, modern and sse are its handlers. Where modern is one of its own, the
	// other knows no modern revision.
	http, modern, sse http.Handler
	stop              func() // its streams
}

// goSDK is a server of the official SDK.
func goSDK() foreignServer {
	srv := gosdk.NewServer(&gosdk.Implementation{Name: "go-sdk", Version: "1"}, &gosdk.ServerOptions{
		PageSize:         1,
		SubscribeHandler: func(context.Context, *gosdk.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *gosdk.UnsubscribeRequest) error {
			return nil
		},
		CompletionHandler: func(_ context.Context, r *gosdk.CompleteRequest) (*gosdk.CompleteResult, error) {
			return &gosdk.CompleteResult{Completion: gosdk.CompletionResultDetails{Values: []string{r.Params.Argument.Value + "!"}}}, nil
		},
	})
	schema := json.RawMessage(`{"type":"object"}`)
	text := func(s string) *gosdk.CallToolResult {
		return &gosdk.CallToolResult{Content: []gosdk.Content{&gosdk.TextContent{Text: s}}}
	}
	srv.AddTool(&gosdk.Tool{Name: "echo", InputSchema: schema}, func(_ context.Context, r *gosdk.CallToolRequest) (*gosdk.CallToolResult, error) {
		var args struct{ Text string }
		err := json.Unmarshal(r.Params.Arguments, &args)
		return text(args.Text), err
	})
	srv.AddTool(&gosdk.Tool{Name: "report", InputSchema: schema}, func(ctx context.Context, r *gosdk.CallToolRequest) (*gosdk.CallToolResult, error) {
		for i := range 3 {
			err := r.Session.NotifyProgress(ctx, &gosdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i + 1), Total: 3})
			if err != nil {
				return nil, err
			}
		}
		return text("reported"), nil
	})
	srv.AddTool(&gosdk.Tool{Name: "ask", InputSchema: schema}, func(_ context.Context, r *gosdk.CallToolRequest) (*gosdk.CallToolResult, error) {
		if answer, ok := r.Params.InputResponses["roots"].(*gosdk.ListRootsResult); ok {
			return text(answer.Roots[0].URI), nil
		}
		return &gosdk.CallToolResult{InputRequests: gosdk.InputRequestMap{"roots": &gosdk.ListRootsParams{}}}, nil
	})
	srv.AddTool(&gosdk.Tool{Name: "touch", InputSchema: schema}, func(ctx context.Context, _ *gosdk.CallToolRequest) (*gosdk.CallToolResult, error) {
		return text("touched"), srv.ResourceUpdated(ctx, &gosdk.ResourceUpdatedNotificationParams{URI: "test:a"})
	})
	for _, uri := range []string{"test:a", "test:b"} {
		srv.AddResource(&gosdk.Resource{URI: uri, Name: uri}, func(_ context.Context, r *gosdk.ReadResourceRequest) (*gosdk.ReadResourceResult, error) {
			return &gosdk.ReadResourceResult{Contents: []*gosdk.ResourceContents{{URI: uri, Text: "content of " + uri}}}, nil
		})
	}
	srv.AddPrompt(&gosdk.Prompt{Name: "greet"}, func(_ context.Context, r *gosdk.GetPromptRequest) (*gosdk.GetPromptResult, error) {
		return &gosdk.GetPromptResult{Messages: []*gosdk.PromptMessage{{Role: "user", Content: &gosdk.TextContent{Text: "greet " + r.Params.Arguments["who"]}}}}, nil
	})
	this := func(*http.Request) *gosdk.Server { return srv }
	return foreignServer{
		name: "go-sdk",
		serve: func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
			return srv.Run(ctx, &gosdk.IOTransport{Reader: in, Writer: out})
		},
		http:   gosdk.NewStreamableHTTPHandler(this, nil),
		modern: gosdk.NewStreamableHTTPHandler(this, &gosdk.StreamableHTTPOptions{Stateless: true}),
		sse:    gosdk.NewSSEHandler(this, nil),
		stop: func() {
			for session := range srv.Sessions() {
				_ = session.Close()
			}
		},
	}
}

// mcpGo is a server of mcp-go.
func mcpGo() foreignServer {
	srv := mcpgoserver.NewMCPServer("mcp-go", "1",
		mcpgoserver.WithToolCapabilities(true), mcpgoserver.WithResourceCapabilities(true, true), mcpgoserver.WithPromptCapabilities(true),
		mcpgoserver.WithPaginationLimit(1), mcpgoserver.WithRoots(), mcpgoserver.WithLogger(slog.New(slog.DiscardHandler)))
	srv.AddTool(mcpgo.NewTool("echo", mcpgo.WithString("text")), func(_ context.Context, r mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
		return mcpgo.NewToolResultText(r.GetString("text", "")), nil
	})
	srv.AddTool(mcpgo.NewTool("report"), func(ctx context.Context, r mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
		for i := range 3 {
			err := srv.SendNotificationToClient(ctx, "notifications/progress", map[string]any{"progressToken": r.Params.Meta.ProgressToken, "progress": i + 1, "total": 3})
			if err != nil {
				return nil, err
			}
		}
		return mcpgo.NewToolResultText("reported"), nil
	})
	for _, uri := range []string{"test:a", "test:b"} {
		srv.AddResource(mcpgo.NewResource(uri, uri), func(context.Context, mcpgo.ReadResourceRequest) ([]mcpgo.ResourceContents, error) {
			return []mcpgo.ResourceContents{mcpgo.TextResourceContents{URI: uri, Text: "content of " + uri}}, nil
		})
	}
	srv.AddPrompt(mcpgo.NewPrompt("greet", mcpgo.WithArgument("who")), func(_ context.Context, r mcpgo.GetPromptRequest) (*mcpgo.GetPromptResult, error) {
		return mcpgo.NewGetPromptResult("", []mcpgo.PromptMessage{mcpgo.NewPromptMessage(mcpgo.RoleUser, mcpgo.NewTextContent("greet "+r.Params.Arguments["who"]))}), nil
	})
	endpoint := mcpgoserver.NewStreamableHTTPServer(srv)
	return foreignServer{
		name: "mcp-go",
		serve: func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
			defer out.Close()
			return mcpgoserver.NewStdioServer(srv).Listen(ctx, in, out)
		},
		http: endpoint, modern: endpoint, sse: mcpgoserver.NewSSEServer(srv),
		stop: func() {},
	}
}

func (f foreignServer) pipes(t testing.TB) client.Target {
	in, serverOut := io.Pipe()
	serverIn, out := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = f.serve(ctx, serverIn, serverOut) // how it ends is its own matter
	}()
	t.Cleanup(func() {
		cancel()
		<-served
	})
	return client.Over(client.LineOf(stdio.New(in, out, stdio.Options{})))
}

func (f foreignServer) web(handler http.Handler, path string) func(testing.TB) client.Target {
	return func(t testing.TB) client.Target {
		web := httptest.NewServer(handler)
		t.Cleanup(func() {
			f.stop()
			web.CloseClientConnections()
			web.Close()
		})
		return client.URL(web.URL + path)
	}
}

// TestPeers talks to servers that others made, at every revision and in every
// way, and without a revision in mind.
func TestPeers(t *testing.T) {
	for _, make := range []func() foreignServer{goSDK, mcpGo} {
		for _, rev := range append(mcp.Revisions(), nil) {
			for _, way := range []string{"pipes", "http", "sse"} {
				f := make()
				if way == "sse" && rev != nil && rev.Modern {
					continue
				}
				endpoint, version := f.http, "auto"
				if rev != nil {
					version = rev.Version
					if rev.Modern {
						endpoint = f.modern
					}
				}
				target := map[string]func(testing.TB) client.Target{
					"pipes": f.pipes, "http": f.web(endpoint, "/mcp"), "sse": f.web(f.sse, "/sse"),
				}[way]
				t.Run(f.name+"/"+version+"/"+way, func(t *testing.T) {
					t.Parallel()
					visit(t, f.name, target(t), rev)
				})
			}
		}
	}
}

// visit does what all of them can do.
func visit(t *testing.T, name string, target client.Target, rev *mcp.Revision) {
	ctx := within(t, patient)
	updated := make(chan string, 100)
	s := connect(t, target, client.Options{
		Revision: rev,
		Roots:    func(context.Context) ([]client.Root, error) { return []client.Root{{URI: "file:///root"}}, nil },
		On:       client.Notifications{ResourceUpdated: func(uri string) { updated <- uri }},
	})
	if rev != nil && s.Revision() != rev {
		t.Fatalf("speaks %s", s.Version())
	}
	if got := s.ServerInfo().Name; got != name {
		t.Errorf("the server is %q", got)
	}
	var names []string
	tools, err := s.AllTools(ctx)
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	if err != nil || !slices.Contains(names, "echo") || !slices.Contains(names, "report") {
		t.Errorf("tools %q, %v", names, err)
	}
	if resources, err := s.AllResources(ctx); err != nil || len(resources) != 2 {
		t.Errorf("%d resources, %v", len(resources), err)
	}
	if got := say(ctx, s, "echo", "hello ☃"); got != "hello ☃" {
		t.Errorf("echo: %q", got)
	}
	var progress []float64
	watched := s.With(client.CallOptions{Progress: func(p client.Progress) { progress = append(progress, p.Progress) }})
	if got := say(ctx, watched, "report", ""); got != "reported" {
		t.Errorf("report: %q", got)
	}
	if name != "mcp-go" && !slices.Equal(progress, []float64{1, 2, 3}) { // which lets them overtake each other
		t.Errorf("progress %v", progress)
	}
	if read, err := s.ReadResource(ctx, "test:b"); err != nil || read.Contents[0].Text != "content of test:b" {
		t.Errorf("read: %v", err)
	}
	if _, err := s.ReadResource(ctx, "test:z"); !client.IsNotFound(err) {
		t.Errorf("read what is not there: %v", err)
	}
	prompt, err := s.GetPrompt(ctx, "greet", map[string]string{"who": "Ann"})
	if err != nil || fmt.Sprint(prompt.Messages[0].Content) != fmt.Sprint(mcp.Text{Text: "greet Ann"}) {
		t.Errorf("prompt: %+v, %v", prompt, err)
	}
	if name == "go-sdk" {
		visitGoSDK(ctx, t, s, updated)
	}
}

// visitGoSDK does what the official SDK's server can do besides.
func visitGoSDK(ctx context.Context, t *testing.T, s *client.Session, updated <-chan string) {
	t.Helper()
	if got := say(ctx, s, "ask", ""); got != "file:///root" {
		t.Errorf("ask: %q", got)
	}
	completion, err := s.Complete(ctx, client.Completion{Prompt: "greet", Argument: "who", Value: "An"})
	if err != nil || !slices.Equal(completion.Values, []string{"An!"}) {
		t.Errorf("complete: %+v, %v", completion, err)
	}
	if s.Revision().Modern {
		sub, err := s.Listen(ctx, client.Filter{URIs: []string{"test:a"}}, nil)
		if err != nil {
			t.Errorf("listen: %v", err)
			return
		}
		defer sub.Close()
	} else if err := s.Subscribe(ctx, "test:a"); err != nil {
		t.Errorf("subscribe: %v", err)
	}
	if got := say(ctx, s, "touch", ""); got != "touched" {
		t.Errorf("touch: %q", got)
	}
	select {
	case uri := <-updated:
		if uri != "test:a" {
			t.Errorf("%s was updated", uri)
		}
	case <-ctx.Done():
		t.Error("no update")
	}
}
