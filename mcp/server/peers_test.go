package server_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	mcpgotransport "github.com/mark3labs/mcp-go/client/transport"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpworks/internal/mcptest/foreign"
	"mcpworks/mcp"
	"mcpworks/mcp/transport/stdio"
)

// peerProcess makes this test binary the server that the peers talk to.
const peerProcess = "MCPWORKS_TEST_PEER_PROCESS"

// TestPeerProcess is not a test: it is the program of the process tests.
func TestPeerProcess(t *testing.T) {
	if os.Getenv(peerProcess) == "" {
		return
	}
	err := foreign.Server(t).Serve(context.Background(), stdio.New(os.Stdin, os.Stdout, stdio.Options{}))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// TestPeers has clients that others made talk to the server over pipes and as a
// process.
func TestPeers(t *testing.T) {
	for _, rev := range mcp.Revisions() {
		eachPeer(t, rev, "pipes", func(t *testing.T, dial func(in io.ReadCloser, out io.WriteCloser, cmd *exec.Cmd) foreign.Dial) {
			in, serverOut := io.Pipe()
			serverIn, out := io.Pipe()
			served := make(chan error, 1)
			srv := foreign.Server(t)
			go func() {
				served <- srv.Serve(context.Background(), stdio.New(serverIn, serverOut, stdio.Options{}))
			}()
			foreign.Talk(t, dial(in, out, nil), rev)
			if err := <-served; err != nil {
				t.Errorf("Serve returned %v", err)
			}
		})
		eachPeer(t, rev, "process", func(t *testing.T, dial func(in io.ReadCloser, out io.WriteCloser, cmd *exec.Cmd) foreign.Dial) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestPeerProcess$")
			cmd.Env = append(os.Environ(), peerProcess+"=1", "GORACE=atexit_sleep_ms=0")
			foreign.Talk(t, dial(nil, nil, cmd), rev)
			if cmd.ProcessState == nil || !cmd.ProcessState.Success() {
				t.Errorf("the process ended with %v", cmd.ProcessState)
			}
		})
	}
}

// eachPeer runs a test with both clients, each over two streams or a command.
func eachPeer(t *testing.T, rev *mcp.Revision, way string, test func(*testing.T, func(io.ReadCloser, io.WriteCloser, *exec.Cmd) foreign.Dial)) {
	for name, dial := range map[string]func(io.ReadCloser, io.WriteCloser, *exec.Cmd) foreign.Dial{
		"go-sdk": func(in io.ReadCloser, out io.WriteCloser, cmd *exec.Cmd) foreign.Dial {
			if cmd != nil {
				return foreign.GoSDK(&gosdk.CommandTransport{Command: cmd})
			}
			return foreign.GoSDK(&gosdk.IOTransport{Reader: in, Writer: out})
		},
		"mcp-go": func(in io.ReadCloser, out io.WriteCloser, cmd *exec.Cmd) foreign.Dial {
			return foreign.MCPGo(func(*mcp.Revision) (mcpgotransport.Interface, error) {
				if cmd == nil {
					return mcpgotransport.NewIO(in, out, io.NopCloser(strings.NewReader(""))), nil
				}
				return mcpgotransport.NewStdioWithOptions(cmd.Path, nil, nil, mcpgotransport.WithCommandFunc(
					func(context.Context, string, []string, []string) (*exec.Cmd, error) { return cmd, nil })), nil
			}, foreign.MCPGoQuirks{})
		},
	} {
		t.Run(name+"/"+rev.Version+"/"+way, func(t *testing.T) {
			t.Parallel()
			test(t, dial)
		})
	}
}
