package contextengine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	mcpgoclient "github.com/mark3labs/mcp-go/client"
	mcpgotransport "github.com/mark3labs/mcp-go/client/transport"
	mcpgo "github.com/mark3labs/mcp-go/mcp"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/google/go-cmp/cmp"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/stdio"
	"mcpworks/packs/contextengine"
)

// A peer is a client that somebody else made.
type peer interface {
	version() string
	tools(context.Context) ([]string, error)
	call(ctx context.Context, tool string, arguments map[string]any) (answer, error)
	Close() error
}

// An answer is what a peer understood of a result.
type answer struct {
	text       string
	structured string // as JSON
	failed     bool
}

// TestPeers has clients that others made use both faces, in every revision that
// they and the face speak.
func TestPeers(t *testing.T) {
	root := newRoot(t)
	cfg := contextengine.Config{Root: root}
	current, err := newEngine(t, cfg).Server()
	if err != nil {
		t.Fatal(err)
	}
	dials := map[string]func(context.Context, *mcp.Revision, io.ReadCloser, io.WriteCloser) (peer, error){
		"go-sdk": dialGoSDK, "mcp-go": dialMCPGo,
	}
	for name, dial := range dials {
		for _, rev := range mcp.Revisions() {
			t.Run(name+"/"+rev.Version, func(t *testing.T) {
				t.Parallel()
				talkTo(t, current, rev, func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) (peer, error) {
					return dial(ctx, rev, in, out)
				})
			})
		}
		t.Run(name+"/frozen", func(t *testing.T) {
			t.Parallel()
			talkTo(t, newV0(t, cfg), mcp.V20241105, func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) (peer, error) {
				return dial(ctx, mcp.V20241105, in, out)
			})
		})
	}
}

func talkTo(t *testing.T, srv *server.Server, rev *mcp.Revision, dial func(context.Context, io.ReadCloser, io.WriteCloser) (peer, error)) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // for a test that fails
	defer cancel()
	in, serverOut := io.Pipe()
	serverIn, out := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- srv.Serve(context.Background(), stdio.New(serverIn, serverOut, stdio.Options{})) }()
	p, err := dial(ctx, in, out)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	if p.version() != rev.Version {
		t.Errorf("speaks %s", p.version())
	}
	names, err := p.tools(ctx)
	if diff := cmp.Diff([]string{"context.resolve", "context.list_caches", "context.inspect_cache"}, names); err != nil || diff != "" {
		t.Errorf("tools: %v, -want +got:\n%s", err, diff)
	}
	for _, test := range []struct {
		tool      string
		arguments map[string]any
		failed    bool
		part      string // of the text
	}{
		{"context.list_caches", nil, false, `{"caches":[{"path":"handbook","has_manifest":true}]}`},
		{"context.inspect_cache", map[string]any{"cache": "handbook"}, false, `"document_count":3`},
		{"context.resolve", map[string]any{"cache": "handbook", "query": "deployment", "budget": 4000}, false, `"score":0.75`},
		{"context.resolve", map[string]any{"cache": "handbook", "query": "x", "budget": -1}, true, `"invalid_budget"`},
		{"context.resolve", map[string]any{"cache": "../x", "query": "x", "budget": 1}, true, `"cache_missing"`},
	} {
		got, err := p.call(ctx, test.tool, test.arguments)
		if err != nil || got.failed != test.failed || !strings.Contains(got.text, test.part) {
			t.Errorf("%s %v: %+v, %v", test.tool, test.arguments, got, err)
		}
		if rev.Structured && !test.failed && !sameJSON(got.structured, got.text) {
			t.Errorf("%s %v: structured %s\ntext %s", test.tool, test.arguments, got.structured, got.text)
		}
	}
	if _, err := p.call(ctx, "context.nothing", nil); err == nil {
		t.Error("a tool that is not there was called")
	}
	if err := p.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if err := <-served; err != nil {
		t.Errorf("serving ended with %v", err)
	}
}

func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && cmp.Equal(x, y)
}

func asJSON(v any) string {
	if v == nil {
		return ""
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(bytes.TrimSpace(text))
}

// goSDK is the client of the official SDK.
type goSDK struct{ *gosdk.ClientSession }

func dialGoSDK(ctx context.Context, rev *mcp.Revision, in io.ReadCloser, out io.WriteCloser) (peer, error) {
	client := gosdk.NewClient(&gosdk.Implementation{Name: "go-sdk", Version: "1"}, nil)
	session, err := client.Connect(ctx, &gosdk.IOTransport{Reader: in, Writer: out}, &gosdk.ClientSessionOptions{ProtocolVersion: rev.Version})
	return goSDK{session}, err
}

func (p goSDK) version() string { return p.InitializeResult().ProtocolVersion }

func (p goSDK) tools(ctx context.Context) (names []string, err error) {
	for tool, e := range p.Tools(ctx, nil) {
		if err = errors.Join(err, e); e == nil {
			names = append(names, tool.Name)
		}
	}
	return names, err
}

func (p goSDK) call(ctx context.Context, tool string, arguments map[string]any) (answer, error) {
	result, err := p.CallTool(ctx, &gosdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return answer{}, err
	}
	text, ok := result.Content[0].(*gosdk.TextContent)
	if !ok || len(result.Content) != 1 {
		return answer{}, fmt.Errorf("the content is %v", result.Content)
	}
	return answer{text.Text, asJSON(result.StructuredContent), result.IsError}, nil
}

// mcpGo is the client of mcp-go.
type mcpGo struct{ *mcpgoclient.Client }

func dialMCPGo(ctx context.Context, rev *mcp.Revision, in io.ReadCloser, out io.WriteCloser) (peer, error) {
	conn := mcpgotransport.NewIO(in, out, io.NopCloser(strings.NewReader("")))
	p := mcpGo{mcpgoclient.NewClient(conn, mcpgoclient.WithProtocolVersion(rev.Version))}
	if err := p.Start(context.WithoutCancel(ctx)); err != nil {
		return nil, err
	}
	request := mcpgo.InitializeRequest{}
	request.Params.ProtocolVersion = rev.Version
	request.Params.ClientInfo = mcpgo.Implementation{Name: "mcp-go", Version: "1"}
	_, err := p.Initialize(ctx, request)
	return p, err
}

func (p mcpGo) version() string { return p.ProtocolVersion() }

func (p mcpGo) tools(ctx context.Context) (names []string, err error) {
	list, err := p.ListTools(ctx, mcpgo.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names, nil
}

func (p mcpGo) call(ctx context.Context, tool string, arguments map[string]any) (answer, error) {
	request := mcpgo.CallToolRequest{}
	request.Params.Name = tool
	if arguments != nil {
		request.Params.Arguments = arguments
	}
	result, err := p.CallTool(ctx, request)
	if err != nil {
		return answer{}, err
	}
	text, ok := result.Content[0].(mcpgo.TextContent)
	if !ok || len(result.Content) != 1 {
		return answer{}, fmt.Errorf("the content is %v", result.Content)
	}
	return answer{text.Text, asJSON(result.StructuredContent), result.IsError}, nil
}
