// Package foreign has clients that others made hold one long conversation with a
// server of this project: everything both sides can do, in one go. It is for
// tests of transports.
package foreign

//lint:file-ignore SA1019 the clients' deprecated parts are served as well

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	mcpgoclient "github.com/mark3labs/mcp-go/client"
	mcpgotransport "github.com/mark3labs/mcp-go/client/transport"
	mcpgo "github.com/mark3labs/mcp-go/mcp"
	gosdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

// Server offers one of everything, in pages of two.
func Server(t *testing.T) *server.Server {
	var srv *server.Server
	hung := make(chan string, 100)
	tool := func(name string, run func(context.Context, *server.ToolCall) (string, error)) server.Tool {
		return server.Tool{
			Tool: mcp.Tool{
				Name: name, Title: "The " + name, Description: "For tests.",
				InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`),
				Annotations: &mcp.ToolAnnotations{ReadOnly: true},
			},
			Handler: func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				text, err := run(ctx, call)
				return mcp.TextResult(text), err
			},
		}
	}
	ask := func(ctx context.Context, call *server.ToolCall, key string, question mcp.InputRequest) (json.RawMessage, error) {
		answers, err := call.Ask(ctx, map[string]mcp.InputRequest{key: question})
		return answers[key], err
	}
	form := mcp.ElicitForm("Your name?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`))
	sample := mcp.CreateMessage(json.RawMessage(`{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":10}`))
	tools := []server.Tool{
		tool("echo", func(_ context.Context, call *server.ToolCall) (string, error) {
			text, _ := call.Arguments["text"].(string)
			return text, nil
		}),
		tool("fail", func(context.Context, *server.ToolCall) (string, error) { return "", &server.Failure{Text: "no luck"} }),
		tool("report", func(ctx context.Context, call *server.ToolCall) (string, error) {
			call.Progress(ctx, 1, 2, "half")
			call.Log(ctx, mcp.LevelDebug, "peer", "too quiet")
			call.Log(ctx, mcp.LevelWarning, "peer", "reported")
			call.Progress(ctx, 2, 2, "whole")
			return "reported", nil
		}),
		tool("hang", func(ctx context.Context, call *server.ToolCall) (string, error) {
			call.Progress(ctx, 1, 0, "hanging")
			<-ctx.Done()
			hung <- "cancelled"
			return "", ctx.Err()
		}),
		tool("hung", func(context.Context, *server.ToolCall) (string, error) { return <-hung, nil }),
		tool("touch", func(context.Context, *server.ToolCall) (string, error) {
			srv.ResourceUpdated("test:a")
			return "touched", nil
		}),
		tool("elicit", func(ctx context.Context, call *server.ToolCall) (string, error) {
			raw, err := ask(ctx, call, "name", form)
			if err != nil {
				return "", err
			}
			result, ok := mcp.ParseElicitResult(raw)
			return fmt.Sprint(result.Action, " ", result.Content["name"], " ", ok), nil
		}),
		tool("sample", func(ctx context.Context, call *server.ToolCall) (string, error) {
			raw, err := ask(ctx, call, "sample", sample)
			if err != nil {
				return "", err
			}
			var result struct{ Content struct{ Text string } }
			err = json.Unmarshal(raw, &result)
			return result.Content.Text, err
		}),
		tool("roots", func(ctx context.Context, call *server.ToolCall) (string, error) {
			roots, err := ask(ctx, call, "roots", mcp.ListRoots())
			if err != nil {
				return "", err
			}
			text, err := ask(ctx, call, "sample", sample) // a second round
			if err != nil {
				return "", err
			}
			var list struct{ Roots []struct{ URI string } }
			var message struct{ Content struct{ Text string } }
			if err := errors.Join(json.Unmarshal(roots, &list), json.Unmarshal(text, &message)); err != nil || len(list.Roots) != 1 {
				return "", fmt.Errorf("%s %s: %w", roots, text, err)
			}
			return list.Roots[0].URI + " " + message.Content.Text, nil
		}),
	}
	tools = append(tools, tool("change", func(context.Context, *server.ToolCall) (string, error) {
		return "changed", srv.SetTools(tools...)
	}))
	read := func(_ context.Context, call *server.ReadCall) (*mcp.ReadResourceResult, error) {
		if call.Variables["name"] == "nothing" {
			return nil, server.ErrNotFound
		}
		return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: call.URI, MIMEType: "text/plain", Text: "content of " + call.URI}}}, nil
	}
	opts := server.Options{
		Info:    mcp.Implementation{Name: "peer", Version: "1", Title: "Peer"},
		Logging: true, ListChanged: true, Subscribe: true, PageSize: 2,
		Tools: tools,
		Templates: []server.ResourceTemplate{{
			ResourceTemplate: mcp.ResourceTemplate{URITemplate: "test:any/{name}", Name: "any"}, Read: read,
		}},
		Complete: func(_ context.Context, call *server.CompleteCall) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Values: []string{call.Prompt + call.Template, call.Argument, call.Value}}, nil
		},
	}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		opts.Resources = append(opts.Resources, server.Resource{Resource: mcp.Resource{URI: "test:" + name, Name: name}, Read: read})
		opts.Prompts = append(opts.Prompts, server.Prompt{
			Prompt: mcp.Prompt{Name: name, Arguments: []mcp.PromptArgument{{Name: "who", Required: true}}},
			Get: func(_ context.Context, call *server.PromptCall) (*mcp.GetPromptResult, error) {
				return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{{Role: "user", Content: mcp.Text{Text: name + " for " + call.Arguments["who"]}}}}, nil
			},
		})
	}
	var err error
	if srv, err = server.New(opts); err != nil {
		t.Fatal(err)
	}
	return srv
}

// A Client is one that somebody else made.
type Client interface {
	version() string
	// lists returns the names of all tools, resources, templates and prompts,
	// gathered from all pages.
	lists(context.Context) ([4][]string, error)
	call(ctx context.Context, tool, text string) (answer string, failed bool, err error)
	read(ctx context.Context, uri string) (string, error)
	prompt(ctx context.Context, name string, arguments map[string]string) (string, error)
	complete(ctx context.Context, prompt, argument, value string) ([]string, error)
	logFrom(ctx context.Context, level string) error
	watch(ctx context.Context, uri string) error
	code(error) int64
	// answers and cancels say what the client can do here: answer questions of
	// the server, and let it know that a call is no longer wanted.
	answers() bool
	cancels() bool
	close() error
}

// A Dial connects a client of a revision to a Server and tells it where to
// report progress, logs and changes.
type Dial func(ctx context.Context, rev *mcp.Revision, events chan<- string) (Client, error)

// Talk is the one conversation that all clients have.
func Talk(t *testing.T, dial Dial, rev *mcp.Revision) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // for a test that fails
	defer cancel()
	events := make(chan string, 1000)
	p, err := dial(ctx, rev, events)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	defer func() {
		if err := p.close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	if p.version() != rev.Version {
		t.Fatalf("LIFE-2: speaks %s", p.version())
	}
	await := func(want string) {
		t.Helper()
		var others []string
		for {
			select {
			case got := <-events:
				if got == want {
					return
				}
				others = append(others, got)
			case <-ctx.Done():
				t.Fatalf("never heard %q, but %q", want, others)
			}
		}
	}
	wantCall := func(tool, text, want string, wantFailed bool) {
		t.Helper()
		got, failed, err := p.call(ctx, tool, text)
		if err != nil || got != want || failed != wantFailed {
			t.Errorf("%s: %q, failed %v, error %v; want %q", tool, got, failed, err, want)
		}
	}
	wantCode := func(what string, err error, code int64) {
		t.Helper()
		if p.code(err) != code {
			t.Errorf("%s: %v, want code %d", what, err, code)
		}
	}

	lists, err := p.lists(ctx)
	names := []string{"a", "b", "c", "d", "e"}
	want := [4][]string{
		{"change", "echo", "elicit", "fail", "hang", "hung", "report", "roots", "sample", "touch"},
		{"test:a", "test:b", "test:c", "test:d", "test:e"}, {"test:any/{name}"}, names,
	}
	if diff := cmp.Diff(want, lists); err != nil || diff != "" {
		t.Errorf("PAG-1: %v, -want +got:\n%s", err, diff)
	}

	wantCall("echo", "line\nbreak ☃ \"quoted\"", "line\nbreak ☃ \"quoted\"", false)
	wantCall("echo", strings.Repeat("x", 100_000), strings.Repeat("x", 100_000), false)
	wantCall("fail", "", "no luck", true)
	_, _, err = p.call(ctx, "nothing", "")
	wantCode("TOOL-5: unknown tool", err, -32602)

	for _, uri := range []string{"test:a", "test:any/thing"} {
		if text, err := p.read(ctx, uri); err != nil || text != "content of "+uri {
			t.Errorf("read %s: %q, %v", uri, text, err)
		}
	}
	for _, uri := range []string{"test:nothing", "test:any/nothing"} {
		_, err = p.read(ctx, uri)
		wantCode("RES-4: "+uri, err, int64(rev.ResourceNotFound))
	}

	if text, err := p.prompt(ctx, "c", map[string]string{"who": "me"}); err != nil || text != "c for me" {
		t.Errorf("prompt: %q, %v", text, err)
	}
	_, err = p.prompt(ctx, "c", nil)
	wantCode("PRM-2: missing argument", err, -32602)
	_, err = p.prompt(ctx, "z", nil)
	wantCode("PRM-2: unknown prompt", err, -32602)
	if values, err := p.complete(ctx, "c", "who", "m"); err != nil || !slices.Equal(values, []string{"c", "who", "m"}) {
		t.Errorf("complete: %q, %v", values, err)
	}

	if err := p.logFrom(ctx, "warning"); err != nil {
		t.Errorf("set level: %v", err)
	}
	wantCall("report", "", "reported", false)
	half := "progress 1 half"
	if !rev.ProgressMessage {
		half = "progress 1 "
	}
	await(half)
	await("log warning reported")

	switch {
	case !p.answers():
	case rev.Elicitation:
		wantCall("elicit", "", "accept Ann true", false)
	default:
		wantCall("elicit", "", "the client cannot answer elicitation/create", true)
	}
	if p.answers() {
		wantCall("sample", "", "sampled", false)
		wantCall("roots", "", "file:///root sampled", false)
	}

	hanging, stop := context.WithCancel(ctx)
	returned := make(chan error, 1)
	go func() {
		_, _, err := p.call(hanging, "hang", "")
		returned <- err
	}()
	await(strings.Replace(half, "half", "hanging", 1))
	stop()
	if err := <-returned; err == nil {
		t.Error("CAN-2: a cancelled call was answered")
	}
	if p.cancels() {
		wantCall("hung", "", "cancelled", false)
	}

	if err := p.watch(ctx, "test:a"); err != nil {
		t.Errorf("watch: %v", err)
	}
	wantCall("touch", "", "touched", false)
	for again := rev.Modern; again; {
		// The SDK goes on before the server has the subscription, so that the
		// first touch may come too early.
		select {
		case got := <-events:
			if again = got != "updated test:a"; !again {
				events <- got
			}
		case <-time.After(100 * time.Millisecond):
			wantCall("touch", "", "touched", false)
		case <-ctx.Done():
			again = false
		}
	}
	await("updated test:a")
	wantCall("change", "", "changed", false)
	await("tools changed")
}

// goSDKPeer is the client of the official SDK.
type goSDKPeer struct {
	*gosdk.ClientSession
	level string
}

// GoSDK is the official Go SDK's client over a transport.
func GoSDK(transport gosdk.Transport) Dial {
	return func(ctx context.Context, rev *mcp.Revision, events chan<- string) (Client, error) {
		return dialGoSDK(ctx, transport, rev, events)
	}
}

func dialGoSDK(ctx context.Context, transport gosdk.Transport, rev *mcp.Revision, events chan<- string) (Client, error) {
	client := gosdk.NewClient(&gosdk.Implementation{Name: "go-sdk", Version: "1"}, &gosdk.ClientOptions{
		CreateMessageHandler: func(context.Context, *gosdk.CreateMessageRequest) (*gosdk.CreateMessageResult, error) {
			return &gosdk.CreateMessageResult{Model: "m", Role: "assistant", Content: &gosdk.TextContent{Text: "sampled"}}, nil
		},
		ElicitationHandler: func(context.Context, *gosdk.ElicitRequest) (*gosdk.ElicitResult, error) {
			return &gosdk.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ann"}}, nil
		},
		ToolListChangedHandler: func(context.Context, *gosdk.ToolListChangedRequest) { events <- "tools changed" },
		ResourceUpdatedHandler: func(_ context.Context, r *gosdk.ResourceUpdatedNotificationRequest) {
			events <- "updated " + r.Params.URI
		},
		LoggingMessageHandler: func(_ context.Context, r *gosdk.LoggingMessageRequest) {
			events <- fmt.Sprint("log ", r.Params.Level, " ", r.Params.Data)
		},
		ProgressNotificationHandler: func(_ context.Context, r *gosdk.ProgressNotificationClientRequest) {
			events <- fmt.Sprint("progress ", r.Params.Progress, " ", r.Params.Message)
		},
	})
	client.AddRoots(&gosdk.Root{URI: "file:///root", Name: "root"})
	session, err := client.Connect(ctx, transport, &gosdk.ClientSessionOptions{ProtocolVersion: rev.Version})
	return &goSDKPeer{ClientSession: session}, err
}

func (p *goSDKPeer) version() string { return p.InitializeResult().ProtocolVersion }
func (p *goSDKPeer) answers() bool   { return true }
func (p *goSDKPeer) cancels() bool   { return true }
func (p *goSDKPeer) close() error    { return p.Close() }

func (p *goSDKPeer) code(err error) int64 {
	var wire *gosdkrpc.Error
	if errors.As(err, &wire) {
		return wire.Code
	}
	return 0
}

func (p *goSDKPeer) lists(ctx context.Context) (all [4][]string, err error) {
	for tool, e := range p.Tools(ctx, nil) {
		if err = errors.Join(err, e); e == nil {
			all[0] = append(all[0], tool.Name)
		}
	}
	for resource, e := range p.Resources(ctx, nil) {
		if err = errors.Join(err, e); e == nil {
			all[1] = append(all[1], resource.URI)
		}
	}
	for template, e := range p.ResourceTemplates(ctx, nil) {
		if err = errors.Join(err, e); e == nil {
			all[2] = append(all[2], template.URITemplate)
		}
	}
	for prompt, e := range p.Prompts(ctx, nil) {
		if err = errors.Join(err, e); e == nil {
			all[3] = append(all[3], prompt.Name)
		}
	}
	return all, err
}

func (p *goSDKPeer) call(ctx context.Context, tool, text string) (string, bool, error) {
	params := &gosdk.CallToolParams{Name: tool, Arguments: map[string]any{"text": text}, Meta: gosdk.Meta{}}
	params.SetProgressToken("token-" + tool)
	if p.level != "" {
		params.Meta[gosdk.MetaKeyLogLevel] = p.level
	}
	result, err := p.CallTool(ctx, params)
	if err != nil {
		return "", false, err
	}
	return result.Content[0].(*gosdk.TextContent).Text, result.IsError, nil
}

func (p *goSDKPeer) read(ctx context.Context, uri string) (string, error) {
	result, err := p.ReadResource(ctx, &gosdk.ReadResourceParams{URI: uri})
	if err != nil {
		return "", err
	}
	return result.Contents[0].Text, nil
}

func (p *goSDKPeer) prompt(ctx context.Context, name string, arguments map[string]string) (string, error) {
	result, err := p.GetPrompt(ctx, &gosdk.GetPromptParams{Name: name, Arguments: arguments})
	if err != nil {
		return "", err
	}
	return result.Messages[0].Content.(*gosdk.TextContent).Text, nil
}

func (p *goSDKPeer) complete(ctx context.Context, prompt, argument, value string) ([]string, error) {
	result, err := p.Complete(ctx, &gosdk.CompleteParams{
		Ref:      &gosdk.CompleteReference{Type: "ref/prompt", Name: prompt},
		Argument: gosdk.CompleteParamsArgument{Name: argument, Value: value},
	})
	if err != nil {
		return nil, err
	}
	return result.Completion.Values, nil
}

func (p *goSDKPeer) logFrom(ctx context.Context, level string) error {
	if mcp.RevisionOf(p.version()).Modern { // there, each request says it
		p.level = level
		return nil
	}
	return p.SetLoggingLevel(ctx, &gosdk.SetLoggingLevelParams{Level: gosdk.LoggingLevel(level)})
}

func (p *goSDKPeer) watch(ctx context.Context, uri string) error {
	return p.Subscribe(ctx, &gosdk.SubscribeParams{URI: uri})
}

// mcpGoPeer is the client of mcp-go.
type mcpGoPeer struct {
	*mcpgoclient.Client
	quirks MCPGoQuirks
	level  string
	acks   chan struct{}
	stop   func()
}

type mcpGoHandlers struct{}

func (mcpGoHandlers) Elicit(context.Context, mcpgo.ElicitationRequest) (*mcpgo.ElicitationResult, error) {
	return &mcpgo.ElicitationResult{ElicitationResponse: mcpgo.ElicitationResponse{
		Action: mcpgo.ElicitationResponseActionAccept, Content: map[string]any{"name": "Ann"},
	}}, nil
}

func (mcpGoHandlers) CreateMessage(context.Context, mcpgo.CreateMessageRequest) (*mcpgo.CreateMessageResult, error) {
	return &mcpgo.CreateMessageResult{
		Model:           "m",
		SamplingMessage: mcpgo.SamplingMessage{Role: mcpgo.RoleAssistant, Content: mcpgo.NewTextContent("sampled")},
	}, nil
}

func (mcpGoHandlers) ListRoots(context.Context, mcpgo.ListRootsRequest) (*mcpgo.ListRootsResult, error) {
	return &mcpgo.ListRootsResult{Roots: []mcpgo.Root{{URI: "file:///root", Name: "root"}}}, nil
}

// MCPGoQuirks is what mcp-go's client cannot do over a transport.
type MCPGoQuirks struct {
	// NoAnswers says that it drops requests of the server.
	NoAnswers bool
	// NoCancels says that it tells the server nothing when a call is no longer
	// wanted, in legacy revisions.
	NoCancels bool
}

// MCPGo is mcp-go's client over what connect returns.
func MCPGo(connect func(rev *mcp.Revision) (mcpgotransport.Interface, error), quirks MCPGoQuirks) Dial {
	return func(ctx context.Context, rev *mcp.Revision, events chan<- string) (Client, error) {
		conn, err := connect(rev)
		if err != nil {
			return nil, err
		}
		return dialMCPGo(ctx, conn, quirks, rev, events)
	}
}

func dialMCPGo(ctx context.Context, conn mcpgotransport.Interface, quirks MCPGoQuirks, rev *mcp.Revision, events chan<- string) (Client, error) {
	p := &mcpGoPeer{quirks: quirks, acks: make(chan struct{}, 1), stop: func() {}}
	p.Client = mcpgoclient.NewClient(conn, mcpgoclient.WithProtocolVersion(rev.Version),
		mcpgoclient.WithElicitationHandler(mcpGoHandlers{}), mcpgoclient.WithSamplingHandler(mcpGoHandlers{}), mcpgoclient.WithRootsHandler(mcpGoHandlers{}))
	if err := p.Start(context.WithoutCancel(ctx)); err != nil {
		return nil, err
	}
	p.OnNotification(func(n mcpgo.JSONRPCNotification) {
		fields := n.Params.AdditionalFields
		switch n.Method {
		case "notifications/progress":
			message, _ := fields["message"].(string)
			events <- fmt.Sprint("progress ", fields["progress"], " ", message)
		case "notifications/message":
			events <- fmt.Sprint("log ", fields["level"], " ", fields["data"])
		case "notifications/resources/updated":
			events <- fmt.Sprint("updated ", fields["uri"])
		case "notifications/tools/list_changed":
			events <- "tools changed"
		case "notifications/subscriptions/acknowledged":
			p.acks <- struct{}{}
		}
	})
	request := mcpgo.InitializeRequest{}
	request.Params.ProtocolVersion = rev.Version
	request.Params.ClientInfo = mcpgo.Implementation{Name: "mcp-go", Version: "1"}
	_, err := p.Initialize(ctx, request)
	return p, err
}

func (p *mcpGoPeer) version() string { return p.ProtocolVersion() }

func (p *mcpGoPeer) answers() bool { return !p.quirks.NoAnswers }
func (p *mcpGoPeer) cancels() bool { return !p.quirks.NoCancels || mcp.RevisionOf(p.version()).Modern }

func (p *mcpGoPeer) close() error {
	p.stop()
	return p.Close()
}

// code finds the number in the error's own text where there is no field.
func (p *mcpGoPeer) code(err error) int64 {
	for code, sentinel := range map[int64]error{-32602: mcpgo.ErrInvalidParams, -32002: mcpgo.ErrResourceNotFound} {
		if errors.Is(err, sentinel) {
			return code
		}
	}
	return 0
}

func (p *mcpGoPeer) lists(ctx context.Context) (all [4][]string, err error) {
	tools, err0 := p.ListTools(ctx, mcpgo.ListToolsRequest{})
	resources, err1 := p.ListResources(ctx, mcpgo.ListResourcesRequest{})
	templates, err2 := p.ListResourceTemplates(ctx, mcpgo.ListResourceTemplatesRequest{})
	prompts, err3 := p.ListPrompts(ctx, mcpgo.ListPromptsRequest{})
	if err := errors.Join(err0, err1, err2, err3); err != nil {
		return all, err
	}
	for _, tool := range tools.Tools {
		all[0] = append(all[0], tool.Name)
	}
	for _, resource := range resources.Resources {
		all[1] = append(all[1], resource.URI)
	}
	for _, template := range templates.ResourceTemplates {
		all[2] = append(all[2], template.URITemplate.Raw())
	}
	for _, prompt := range prompts.Prompts {
		all[3] = append(all[3], prompt.Name)
	}
	return all, nil
}

func (p *mcpGoPeer) call(ctx context.Context, tool, text string) (string, bool, error) {
	request := mcpgo.CallToolRequest{}
	request.Params.Name = tool
	request.Params.Arguments = map[string]any{"text": text}
	request.Params.Meta = &mcpgo.Meta{ProgressToken: "token-" + tool}
	if p.level != "" {
		request.Params.Meta.AdditionalFields = map[string]any{mcp.MetaLogLevel: p.level}
	}
	result, err := p.CallTool(ctx, request)
	if err != nil {
		return "", false, err
	}
	return result.Content[0].(mcpgo.TextContent).Text, result.IsError, nil
}

func (p *mcpGoPeer) read(ctx context.Context, uri string) (string, error) {
	request := mcpgo.ReadResourceRequest{}
	request.Params.URI = uri
	result, err := p.ReadResource(ctx, request)
	if err != nil {
		return "", err
	}
	return result.Contents[0].(mcpgo.TextResourceContents).Text, nil
}

func (p *mcpGoPeer) prompt(ctx context.Context, name string, arguments map[string]string) (string, error) {
	request := mcpgo.GetPromptRequest{}
	request.Params.Name, request.Params.Arguments = name, arguments
	result, err := p.GetPrompt(ctx, request)
	if err != nil {
		return "", err
	}
	return result.Messages[0].Content.(mcpgo.TextContent).Text, nil
}

func (p *mcpGoPeer) complete(ctx context.Context, prompt, argument, value string) ([]string, error) {
	request := mcpgo.CompleteRequest{}
	request.Params.Ref = mcpgo.PromptReference{Type: "ref/prompt", Name: prompt}
	request.Params.Argument = mcpgo.CompleteArgument{Name: argument, Value: value}
	result, err := p.Complete(ctx, request)
	if err != nil {
		return nil, err
	}
	return result.Completion.Values, nil
}

func (p *mcpGoPeer) logFrom(ctx context.Context, level string) error {
	if mcp.RevisionOf(p.version()).Modern {
		p.level = level
		return nil
	}
	request := mcpgo.SetLevelRequest{}
	request.Params.Level = mcpgo.LoggingLevel(level)
	return p.SetLevel(ctx, request)
}

func (p *mcpGoPeer) watch(ctx context.Context, uri string) error {
	if !mcp.RevisionOf(p.version()).Modern {
		request := mcpgo.SubscribeRequest{}
		request.Params.URI = uri
		return p.Subscribe(ctx, request)
	}
	stop, err := p.ListenAsync(ctx, mcpgo.SubscriptionFilter{ToolsListChanged: true, ResourceSubscriptions: []string{uri}}, nil)
	if err != nil {
		return err
	}
	p.stop = stop
	select {
	case <-p.acks:
	case <-ctx.Done():
	}
	return ctx.Err()
}
