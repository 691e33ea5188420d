//go:build unix

package client_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/stdio"
)

// serverMode makes this test binary a server that behaves as the variable says.
const serverMode = "MCPWORKS_TEST_SERVER"

func TestMain(m *testing.M) {
	if mode := os.Getenv(serverMode); mode != "" {
		behave(mode)
		os.Exit(0)
	}
	coverage, err := os.MkdirTemp("", "coverage") // else its absence is complained about
	if err != nil {
		panic(err)
	}
	_ = os.Setenv("GOCOVERDIR", coverage)
	code := m.Run()
	_ = os.RemoveAll(coverage)
	if left := leftovers(); code == 0 && left != "" {
		fmt.Fprintln(os.Stderr, "after all tests there is still:\n"+left)
		code = 1
	}
	os.Exit(code)
}

// leftovers returns the goroutines of sessions and the processes of servers that
// outlive their tests.
func leftovers() (left string) {
	for range 100 {
		if left = goroutines() + processes(); left == "" {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	return left
}

func goroutines() string {
	buf := make([]byte, 1<<20)
	var left []string
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(stack, "mcpworks/mcp/client.") || strings.Contains(stack, "mcpworks/mcp/transport") {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}

// processes lists those that run this program, where that can be known.
func processes() (left string) {
	own, _ := os.Executable()
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range links {
		if program, _ := os.Readlink(link); program == own && link != fmt.Sprintf("/proc/%d/exe", os.Getpid()) {
			left += link + "\n"
		}
	}
	return left
}

// command starts this test binary as a server.
func command(mode string) client.Command {
	return client.Command{
		Args:  []string{os.Args[0]},
		Env:   []string{serverMode + "=" + mode, "GORACE=atexit_sleep_ms=0", "GOCOVERDIR"},
		Grace: 5 * time.Second, // for those that end when they should
	}
}

// behave is the program of the server processes.
func behave(mode string) {
	in, out := io.Reader(os.Stdin), io.Writer(os.Stdout)
	switch mode {
	case "dies first":
		fmt.Fprintln(os.Stderr, "starting")
		fmt.Fprintln(os.Stderr, "API_KEY environment variable is required")
		os.Exit(3)
	case "starts once":
		file, err := os.OpenFile(os.Getenv("MCPWORKS_TEST_MARKER"), os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			os.Exit(4)
		}
		file.Close()
	case "killed first":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Hour)
	case "dies on discover":
		line, _ := bufio.NewReader(in).ReadString('\n')
		if strings.Contains(line, "server/discover") {
			os.Exit(1)
		}
		in = io.MultiReader(strings.NewReader(line), in)
	case "talks":
		fmt.Println("Listening on stdio")
		fmt.Println("[INFO] {ready")
		out = noisy{}
	case "pretty":
		out = pretty{}
	case "silent":
		_, _ = io.Copy(io.Discard, in)
		return
	case "deaf":
		time.Sleep(time.Hour)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		_ = serveStdio(in, out)
		time.Sleep(time.Hour)
	case "slow to end":
		_ = serveStdio(in, out)
		time.Sleep(time.Hour)
	case "family":
		startChild()
		_ = serveStdio(in, out)
		return
	case "stubborn family":
		signal.Ignore(syscall.SIGTERM)
		startChild()
		_ = serveStdio(in, out)
		time.Sleep(time.Hour)
	case "child":
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Hour)
	case "floods":
		line := strings.Repeat("x", 99) + "\n"
		for range 200_000 {
			_, _ = io.WriteString(os.Stderr, line)
		}
		fmt.Fprint(os.Stderr, "the last line")
	case "closes its output":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	}
	if err := serveStdio(in, out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// startChild starts a process that holds all the streams, and names it.
func startChild() {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), serverMode+"=child")
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := child.Start(); err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stderr, "child", child.Process.Pid)
}

func serveStdio(in io.Reader, out io.Writer) error {
	tool := func(name string, run func(args map[string]any) string) server.Tool {
		return server.Tool{
			Tool: mcp.Tool{Name: name, Description: "For tests.", InputSchema: json.RawMessage(`{"type":"object"}`)},
			Handler: func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				return mcp.TextResult(run(call.Arguments)), nil
			},
		}
	}
	srv, err := server.New(server.Options{
		Info: mcp.Implementation{Name: "process", Version: "1"},
		Tools: []server.Tool{
			tool("die", func(map[string]any) string {
				fmt.Fprintln(os.Stderr, "dying")
				os.Exit(7)
				return ""
			}),
			tool("environment", func(map[string]any) string { return strings.Join(os.Environ(), "\n") }),
			tool("long", func(args map[string]any) string {
				size, _ := args["size"].(json.Number).Int64()
				return strings.Repeat("x", int(size))
			}),
			tool("echo", func(args map[string]any) string { return fmt.Sprint(args["text"]) }),
		},
	})
	if err != nil {
		return err
	}
	return srv.Serve(context.Background(), stdio.New(in, out, stdio.Options{}))
}

// noisy says something before every message.
type noisy struct{}

func (noisy) Write(p []byte) (int, error) {
	_, err := os.Stdout.Write(append([]byte("debug: about to write\n\n42\n"), p...))
	return len(p), err
}

// pretty prints messages for people.
type pretty struct{}

func (pretty) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		var text bytes.Buffer
		if err := json.Indent(&text, line, "", "  "); err != nil {
			return 0, err
		}
		if _, err := os.Stdout.Write(text.Bytes()); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}
