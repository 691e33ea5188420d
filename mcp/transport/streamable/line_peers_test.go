package streamable_test

//lint:file-ignore SA1019 the servers' deprecated parts are used as well

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpgoserver "github.com/mark3labs/mcp-go/server"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/sse"
	"mcpworks/mcp/transport/streamable"
)

// A foreign server is one that somebody else made. It has the tools echo,
// report, which tells its progress, ask, which elicits a name, hang, and change,
// which changes the list of tools.
type foreignServer struct {
	handler   http.Handler
	cancelled chan struct{} // one for every call of hang that was
	lacks     []string
}

func goSDKServer(opts *gosdk.StreamableHTTPOptions) *foreignServer {
	f := &foreignServer{cancelled: make(chan struct{}, 10)}
	srv := gosdk.NewServer(&gosdk.Implementation{Name: "go-sdk", Version: "1"}, nil)
	type input struct {
		Text string `json:"text,omitempty"`
	}
	tool := func(name string, run func(context.Context, *gosdk.CallToolRequest, string) (string, error)) {
		gosdk.AddTool(srv, &gosdk.Tool{Name: name}, func(ctx context.Context, r *gosdk.CallToolRequest, in input) (*gosdk.CallToolResult, any, error) {
			text, err := run(ctx, r, in.Text)
			return &gosdk.CallToolResult{Content: []gosdk.Content{&gosdk.TextContent{Text: text}}}, nil, err
		})
	}
	tool("echo", func(_ context.Context, _ *gosdk.CallToolRequest, text string) (string, error) { return text, nil })
	tool("report", func(ctx context.Context, r *gosdk.CallToolRequest, _ string) (string, error) {
		for i := range 3 {
			params := &gosdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i + 1)}
			if err := r.Session.NotifyProgress(ctx, params); err != nil {
				return "", err
			}
		}
		return "reported", nil
	})
	tool("ask", func(ctx context.Context, r *gosdk.CallToolRequest, _ string) (string, error) {
		result, err := r.Session.Elicit(ctx, &gosdk.ElicitParams{Message: "Your name?", RequestedSchema: map[string]any{"type": "object"}})
		if err != nil {
			return "", err
		}
		return result.Action + " " + result.Content["name"].(string), nil
	})
	tool("hang", func(ctx context.Context, r *gosdk.CallToolRequest, _ string) (string, error) {
		_ = r.Session.NotifyProgress(ctx, &gosdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1})
		<-ctx.Done()
		f.cancelled <- struct{}{}
		return "", ctx.Err()
	})
	tool("change", func(context.Context, *gosdk.CallToolRequest, string) (string, error) {
		srv.RemoveTools("echo")
		return "changed", nil
	})
	if opts == nil {
		f.handler = gosdk.NewSSEHandler(func(*http.Request) *gosdk.Server { return srv }, nil)
		return f
	}
	f.handler = gosdk.NewStreamableHTTPHandler(func(*http.Request) *gosdk.Server { return srv }, opts)
	if opts.Stateless {
		f.lacks = []string{"ask", "change", "cancel"}
	}
	return f
}

func mcpGoServer(overSSE bool, opts ...mcpgoserver.StreamableHTTPOption) *foreignServer {
	f := &foreignServer{cancelled: make(chan struct{}, 10), lacks: []string{"cancel"}}
	srv := mcpgoserver.NewMCPServer("mcp-go", "1", mcpgoserver.WithToolCapabilities(true), mcpgoserver.WithElicitation())
	tool := func(name string, run func(context.Context, mcpgo.CallToolRequest) (string, error)) {
		srv.AddTool(mcpgo.NewTool(name, mcpgo.WithString("text")), func(ctx context.Context, r mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
			text, err := run(ctx, r)
			return mcpgo.NewToolResultText(text), err
		})
	}
	progress := func(ctx context.Context, r mcpgo.CallToolRequest, n int) error {
		return srv.SendNotificationToClient(ctx, mcp.NotifyProgress, map[string]any{"progressToken": r.Params.Meta.ProgressToken, "progress": n})
	}
	tool("echo", func(_ context.Context, r mcpgo.CallToolRequest) (string, error) { return r.GetString("text", ""), nil })
	tool("report", func(ctx context.Context, r mcpgo.CallToolRequest) (string, error) {
		return "reported", errors.Join(progress(ctx, r, 1), progress(ctx, r, 2), progress(ctx, r, 3))
	})
	tool("ask", func(ctx context.Context, _ mcpgo.CallToolRequest) (string, error) {
		var question mcpgo.ElicitationRequest
		question.Params.Message = "Your name?"
		question.Params.RequestedSchema = map[string]any{"type": "object"}
		result, err := srv.RequestElicitation(ctx, question)
		if err != nil {
			return "", err
		}
		content, _ := result.Content.(map[string]any)
		name, _ := content["name"].(string)
		return string(result.Action) + " " + name, nil
	})
	tool("change", func(context.Context, mcpgo.CallToolRequest) (string, error) {
		srv.DeleteTools("echo")
		return "changed", nil
	})
	if overSSE {
		f.handler = mcpgoserver.NewSSEServer(srv)
		return f
	}
	opts = append(opts, mcpgoserver.WithStateful(true), mcpgoserver.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)))
	f.handler = mcpgoserver.NewStreamableHTTPServer(srv, opts...)
	return f
}

// TestLinePeers has lines talk to servers that others made.
func TestLinePeers(t *testing.T) {
	dialSSE := func(path string) func(*testing.T, string) transport.Line {
		return func(t *testing.T, url string) transport.Line {
			line, err := sse.Dial(t.Context(), url+path, sse.LineOptions{})
			if err != nil {
				t.Fatal(err)
			}
			return line
		}
	}
	dialStreamable := func(t *testing.T, url string) transport.Line {
		line, err := streamable.Dial(url+"/mcp", streamable.LineOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return line
	}
	for name, test := range map[string]struct {
		serve func() *foreignServer
		dial  func(*testing.T, string) transport.Line
		revs  []*mcp.Revision
	}{
		"go-sdk": {
			func() *foreignServer { return goSDKServer(&gosdk.StreamableHTTPOptions{}) },
			dialStreamable, []*mcp.Revision{mcp.V20251125, mcp.V20250618, mcp.V20250326},
		},
		"go-sdk with events kept": {
			func() *foreignServer {
				return goSDKServer(&gosdk.StreamableHTTPOptions{EventStore: gosdk.NewMemoryEventStore(nil)})
			},
			dialStreamable, []*mcp.Revision{mcp.V20251125, mcp.V20250618},
		},
		"go-sdk without streams": {
			func() *foreignServer {
				f := goSDKServer(&gosdk.StreamableHTTPOptions{JSONResponse: true})
				f.lacks = []string{"ask", "report", "cancel"}
				return f
			},
			dialStreamable, []*mcp.Revision{mcp.V20251125},
		},
		"go-sdk without sessions": {
			func() *foreignServer {
				return goSDKServer(&gosdk.StreamableHTTPOptions{Stateless: true})
			},
			dialStreamable, []*mcp.Revision{mcp.V20260728, mcp.V20251125},
		},
		"go-sdk over SSE": {func() *foreignServer { return goSDKServer(nil) }, dialSSE("/"), []*mcp.Revision{mcp.V20241105}},
		"mcp-go": {
			func() *foreignServer {
				f := mcpGoServer(false)
				f.lacks = append(f.lacks, "report", "change") // it loses a notification now and then
				return f
			},
			dialStreamable, []*mcp.Revision{mcp.V20251125, mcp.V20250618, mcp.V20250326},
		},
		"mcp-go with events kept": {
			func() *foreignServer {
				return mcpGoServer(false, mcpgoserver.WithEventStore(mcpgoserver.NewInMemoryEventStore()))
			},
			dialStreamable, []*mcp.Revision{mcp.V20251125, mcp.V20250618},
		},
		"mcp-go over SSE": {func() *foreignServer { return mcpGoServer(true) }, dialSSE("/sse"), []*mcp.Revision{mcp.V20241105}},
	} {
		for _, rev := range test.revs {
			t.Run(strings.ReplaceAll(name, " ", "_")+"/"+rev.Version, func(t *testing.T) {
				f := test.serve()
				f.talk(talkOver(t, test.dial(t, on(t, f.handler)), rev))
			})
		}
	}
}

func (f *foreignServer) has(what string) bool { return !slices.Contains(f.lacks, what) }

// talk is the conversation that a line has with all of them.
func (f *foreignServer) talk(k *talk) {
	t := k.t
	k.open()
	if answer, _ := k.ask(k.request(mcp.MethodListTools, "")); !strings.Contains(answer, `"echo"`) {
		t.Errorf("tools: %s", answer)
	}
	if answer, _ := k.ask(k.tool("echo", `{"text":"☃ line\nbreak"}`)); !strings.Contains(answer, `☃ line\nbreak`) {
		t.Errorf("echo: %s", answer)
	}
	answer, before := k.ask(k.tool("report", `{}`))
	if !strings.Contains(answer, "reported") {
		t.Errorf("report: %s", answer)
	}
	for f.has("report") && len(before) < 3 { // some servers do not keep the order
		before = append(before, k.await("progress"))
	}
	if f.has("ask") && !k.rev.Modern && k.rev.Elicitation {
		call := k.tool("ask", `{}`)
		sent := make(chan error, 1)
		go func() { sent <- k.Send(context.Background(), call) }()
		question, err := jsonrpc.Parse([]byte(k.await(mcp.MethodElicit)))
		if err != nil {
			t.Fatal(err)
		}
		frame := append(jsonrpc.AppendResponse(nil, question.ID), `{"action":"accept","content":{"name":"Ann"}}}`...)
		k.send(transport.Outgoing{Frame: frame, ID: question.ID})
		if err := <-sent; err != nil {
			t.Errorf("ask: %v", err)
		}
		if answer, _ := k.answerTo(call); !strings.Contains(answer, "accept Ann") {
			t.Errorf("ask: %s", answer)
		}
	}
	if f.has("cancel") && !k.CancelsByContext() {
		ctx, stop := context.WithCancel(context.Background())
		call := k.tool("hang", `{}`)
		sent := make(chan error, 1)
		go func() { sent <- k.Send(ctx, call) }()
		k.await("progress")
		stop()
		<-sent
		cancelled := k.notification(mcp.NotifyCancelled)
		cancelled.Frame = []byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + call.ID.String() + `}}`)
		k.send(cancelled)
		<-f.cancelled
	}
	answer, before = k.ask(k.tool("change", `{}`))
	if !strings.Contains(answer, "changed") {
		t.Errorf("change: %s", answer)
	}
	if f.has("change") && !slices.ContainsFunc(before, func(frame string) bool { return strings.Contains(frame, mcp.NotifyToolsChanged) }) {
		k.await(mcp.NotifyToolsChanged)
	}
	unknown := k.tool("unknown", `{}`)
	refusal := (*transport.StatusError)(nil)
	switch err := k.Send(t.Context(), unknown); {
	case errors.As(err, &refusal):
		if k.rev.Modern && refusal.JSON && strings.Contains(string(refusal.Body), "-32602") {
			break
		}
		fallthrough
	case err != nil:
		t.Errorf("an unknown tool: %v", err)
	default:
		if answer, _ := k.answerTo(unknown); !strings.Contains(answer, `"error"`) {
			t.Errorf("an unknown tool: %s", answer)
		}
	}
	k.hangUp()
}
