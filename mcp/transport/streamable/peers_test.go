package streamable_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	mcpgotransport "github.com/mark3labs/mcp-go/client/transport"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpworks/internal/mcptest/foreign"
	"mcpworks/mcp"
	"mcpworks/mcp/transport/sse"
	"mcpworks/mcp/transport/streamable"
)

// TestPeers has clients that others made talk to both HTTP transports.
func TestPeers(t *testing.T) {
	for name, dial := range map[string]func(url string) foreign.Dial{
		"go-sdk/mcp": func(url string) foreign.Dial {
			return foreign.GoSDK(&gosdk.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: ownClient()})
		},
		"go-sdk/sse": func(url string) foreign.Dial {
			return foreign.GoSDK(&gosdk.SSEClientTransport{Endpoint: url + "/sse", HTTPClient: ownClient()})
		},
		"mcp-go/mcp": func(url string) foreign.Dial {
			return foreign.MCPGo(func(rev *mcp.Revision) (mcpgotransport.Interface, error) {
				var listening []mcpgotransport.StreamableHTTPCOption
				if !rev.Modern { // its GET stream rules out the modern era
					//lint:ignore SA1019 legacy revisions have this stream
					listening = append(listening, mcpgotransport.WithContinuousListening(), mcpgotransport.WithHTTPLogger(slog.New(slog.DiscardHandler)))
				}
				return mcpgotransport.NewStreamableHTTP(url+"/mcp", append(listening, mcpgotransport.WithHTTPBasicClient(ownClient()))...)
			}, foreign.MCPGoQuirks{NoCancels: true}) // it only hangs up
		},
		"mcp-go/sse": func(url string) foreign.Dial {
			return foreign.MCPGo(func(*mcp.Revision) (mcpgotransport.Interface, error) {
				return mcpgotransport.NewSSE(url+"/sse", mcpgotransport.WithHTTPClient(ownClient()))
			}, foreign.MCPGoQuirks{NoAnswers: true, NoCancels: true})
		},
	} {
		for _, rev := range mcp.Revisions() {
			if rev.Modern && name[len(name)-3:] == "sse" {
				continue // the old transport is for old revisions
			}
			t.Run(name+"/"+rev.Version, func(t *testing.T) {
				t.Parallel()
				srv := foreign.Server(t)
				endpoint, events := streamable.New(srv, streamable.Options{}), sse.New(srv, sse.Options{})
				mux := http.NewServeMux()
				mux.Handle("/mcp", endpoint)
				mux.Handle("/sse", events)
				web := httptest.NewServer(mux)
				defer web.Close() // waits for all requests
				defer events.Close()
				defer endpoint.Close()
				foreign.Talk(t, dial(web.URL), rev)
			})
		}
	}
}

// ownClient has connections of its own: those of the default client are closed
// whenever a test ends its server.
func ownClient() *http.Client { return &http.Client{Transport: &http.Transport{}} }
