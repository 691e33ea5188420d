package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcpworks/internal/mcptest"
	"mcpworks/internal/serve"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/stdio"
)

// childVariable makes this test binary a server; its value is the drain time.
const childVariable = "MCPWORKS_TEST_SERVE"

func TestMain(m *testing.M) {
	drain, child := os.LookupEnv(childVariable)
	if !child {
		os.Exit(m.Run())
	}
	if err := runChild(drain); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func runChild(drain string) error {
	patience, err := time.ParseDuration(drain)
	if err != nil {
		return err
	}
	tool := func(name string, run func(context.Context, *server.ToolCall) string) server.Tool {
		return server.Tool{
			Tool: mcp.Tool{Name: name, Description: "For tests.", InputSchema: json.RawMessage(`{"type":"object"}`)},
			Handler: func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				return mcp.TextResult(run(ctx, call)), nil
			},
		}
	}
	srv, err := server.New(server.Options{
		Info: mcp.Implementation{Name: "child", Version: "0"}, Drain: patience,
		Tools: []server.Tool{
			// hold answers when the test writes to its release file.
			tool("hold", func(ctx context.Context, call *server.ToolCall) string {
				call.Progress(ctx, 1, 0, "")
				_, err := io.ReadFull(os.NewFile(3, "release"), make([]byte, 1))
				return fmt.Sprintf("held %v %v", err, ctx.Err())
			}),
			// hang answers when it is cancelled.
			tool("hang", func(ctx context.Context, call *server.ToolCall) string {
				call.Progress(ctx, 1, 0, "")
				<-ctx.Done()
				fmt.Fprintln(os.Stderr, "hang was cancelled")
				return "cancelled"
			}),
			tool("print", func(context.Context, *server.ToolCall) string {
				fmt.Println("stray print")
				fmt.Fprint(os.Stdout, "stray write without a line feed")
				println("stray builtin")
				grandchild := exec.Command("echo", "stray grandchild")
				grandchild.Stdout = os.Stdout
				if err := grandchild.Run(); err != nil {
					return err.Error()
				}
				return "printed"
			}),
		},
	})
	if err != nil {
		return err
	}
	return serve.Stdio(context.Background(), srv, stdio.Options{})
}

// A child is a server process in an open session.
type child struct {
	*mcptest.Process
	t       *testing.T
	release *os.File
}

func childCommand(t *testing.T, drain time.Duration) (cmd *exec.Cmd, release *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+drain.String(), "GORACE=atexit_sleep_ms=0")
	cmd.ExtraFiles = []*os.File{r}
	return cmd, w
}

func startChild(t *testing.T, drain time.Duration) *child {
	t.Helper()
	cmd, release := childCommand(t, drain)
	process, err := mcptest.StartCommand(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(process.Close)
	c := &child{process, t, release}
	c.Send(initialize)
	c.want(`"id":"open"`)
	c.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

const initialize = `{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}`

func call(id int, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"_meta":{"progressToken":%d}}}`, id, tool, id)
}

// next returns the next line; the time limit is for tests that fail.
func (c *child) next() string {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 20*time.Second)
	defer cancel()
	line, err := c.Next(ctx)
	if err != nil {
		c.t.Fatalf("read: %v %q, standard error: %s", err, line, c.Stderr())
	}
	return line
}

func (c *child) want(part string) {
	c.t.Helper()
	if line := c.next(); !strings.Contains(line, part) {
		c.t.Fatalf("got %s, want %s", line, part)
	}
}

// begin starts a call and returns when it is running.
func (c *child) begin(id int, tool string) {
	c.t.Helper()
	c.Send(call(id, tool))
	c.want(`"method":"notifications/progress"`)
}

// signal sends a signal and returns when the server has noticed.
func (c *child) signal(sig os.Signal) {
	c.t.Helper()
	if err := c.Signal(sig); err != nil {
		c.t.Fatal(err)
	}
	for {
		c.Send(`{"jsonrpc":"2.0","id":"ping","method":"ping"}`)
		if strings.Contains(c.next(), "server is shutting down") {
			return
		}
	}
}

func (c *child) wantExit(code int) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 20*time.Second)
	defer cancel()
	if line, err := c.Next(ctx); err != io.EOF {
		c.t.Errorf("instead of the end: %q %v", line, err)
	}
	if got, err := c.Wait(ctx); got != code || err != nil {
		c.t.Errorf("exit code %d, %v, want %d; standard error: %s", got, err, code, c.Stderr())
	}
}

var signals = map[string]os.Signal{"SIGTERM": syscall.SIGTERM, "SIGINT": os.Interrupt}

func TestSTD5SignalLetsCallsFinish(t *testing.T) {
	for name, sig := range signals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startChild(t, time.Minute)
			c.begin(1, "hold")
			c.signal(sig)
			if _, err := c.release.Write([]byte{1}); err != nil {
				t.Fatal(err)
			}
			c.want("held <nil> <nil>")
			c.wantExit(0)
		})
	}
}

func TestSTD5SignalCancelsCallsAfterDrain(t *testing.T) {
	t.Parallel()
	c := startChild(t, -1)
	c.begin(1, "hang")
	if err := c.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	c.want(`"text":"cancelled"`)
	c.wantExit(0)
}

func TestSTD5SignalEndsIdleServer(t *testing.T) {
	t.Parallel()
	c := startChild(t, time.Minute)
	if err := c.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	c.wantExit(0)
}

func TestSecondSignalEndsAtOnce(t *testing.T) {
	for name, sig := range signals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startChild(t, time.Hour)
			c.begin(1, "hold")
			c.signal(sig)
			if err := c.Signal(sig); err != nil {
				t.Fatal(err)
			}
			c.wantExit(-1)
		})
	}
}

func TestSTD5EndOfInput(t *testing.T) {
	t.Parallel()
	c := startChild(t, time.Minute)
	c.begin(1, "hold")
	c.CloseInput()
	if _, err := c.release.Write([]byte{1}); err != nil {
		t.Fatal(err)
	}
	c.want(`"id":1`)
	c.wantExit(0)

	idle := startChild(t, time.Minute)
	idle.CloseInput()
	idle.wantExit(0)
}

func TestSTD5EndOfInputBeforeAnything(t *testing.T) {
	t.Parallel()
	cmd, _ := childCommand(t, time.Minute)
	process, err := mcptest.StartCommand(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(process.Close)
	c := &child{process, t, nil}
	c.CloseInput()
	c.wantExit(0)
}

func TestSTD2StrayOutputGoesToStandardError(t *testing.T) {
	t.Parallel()
	c := startChild(t, time.Minute)
	c.Send(call(1, "print"))
	c.want(`"text":"printed"`)
	c.CloseInput()
	c.wantExit(0)
	for _, part := range []string{"stray print\n", "stray write", "stray builtin", "stray grandchild"} {
		if !strings.Contains(c.Stderr(), part) {
			t.Errorf("standard error lacks %q: %q", part, c.Stderr())
		}
	}
}

// A client that closes its end of standard output is gone, though it may hold
// standard input open: the process must not stay behind.
func TestBrokenOutputEndsTheProcess(t *testing.T) {
	t.Parallel()
	cmd, _ := childCommand(t, time.Hour)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	stdout.Close()
	for range 2 {
		_, _ = io.WriteString(stdin, initialize+"\n") // it may be gone already
	}
	if err := cmd.Wait(); err == nil {
		t.Error("the process ended well")
	}
}
