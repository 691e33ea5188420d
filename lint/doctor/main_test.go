//go:build unix

package doctor_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/lint/doctor"
	"mcpworks/mcp/client"
)

// serverMode makes this test binary a server that behaves as the variable says.
const serverMode = "MCPWORKS_TEST_PATIENT"

func TestMain(m *testing.M) {
	if mode := os.Getenv(serverMode); mode != "" {
		behave(mode)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// patient is the command of a server that behaves in a way.
func patient(mode string) client.Command {
	return client.Command{Args: []string{os.Args[0]}, Env: []string{serverMode + "=" + mode, "GORACE=atexit_sleep_ms=0"}}
}

// behave is the program of the server processes.
func behave(mode string) {
	switch mode {
	case "wants a variable":
		fail("Error: PATIENT_API_KEY environment variable is required", 3)
	case "prints its usage":
		fail("Usage: patient [options] <directory>", 1)
	case "dies mysteriously":
		fail("first line\n\x1b[31mit is \x07over\x1b[0m", 42)
	case "kills itself":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "only talks":
		fmt.Println("Welcome to the patient!")
		hold()
	case "serves http":
		fmt.Fprintln(os.Stderr, "patient listening on http://localhost:3000")
		hold()
	case "floods":
		for range 100_000 {
			fmt.Println(strings.Repeat("out ", 30))
			fmt.Fprintln(os.Stderr, strings.Repeat("err ", 30))
		}
		fmt.Println(strings.Repeat("x", 1<<20))
		fmt.Fprintln(os.Stderr, strings.Repeat("y", 1<<20))
		hold()
	case "is silent":
		hold()
	case "echoes":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "frames":
		fmt.Print("Content-Length: 9\r\n\r\n{\"a\":\"b\"}")
		hold()
	case "closes its output":
		os.Stdout.Close()
		hold()
	default:
		answer(mode)
	}
}

func fail(message string, code int) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(code)
}

// hold stays until the input ends.
func hold() { _, _ = io.Copy(io.Discard, os.Stdin) }

// answer is a server of the legacy era.
func answer(mode string) {
	if mode == "works with noise" {
		fmt.Println("Starting up...")
	}
	if mode == "stubborn" {
		signal.Ignore(syscall.SIGTERM)
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		method, _ := rawjson.String(rawjson.Member(in.Bytes(), "method"))
		id := string(rawjson.Member(in.Bytes(), "id"))
		switch {
		case id == "":
		case method == "server/discover" && mode == "dies on discover":
			os.Exit(1)
		case method == "initialize" && mode == "repeats":
			say(id, `"error":{"code":-32000,"message":"`+strings.Repeat("x", 190)+os.Getenv("MY_TOKEN")+`"}`)
		case method == "initialize" && mode == "refuses":
			say(id, `"error":{"code":-32000,"message":"PATIENT_API_KEY is not set"}`)
		case method == "initialize" && mode == "is from the future":
			say(id, `"result":{"protocolVersion":"2999-01-01","capabilities":{},"serverInfo":{"name":"x","version":"1"}}`)
		case method == "initialize":
			say(id, `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"patient\u001b[2J","version":"1.0"}}`)
		case method == "tools/list" && mode == "dies after the handshake":
			fail("the disk is full\nPATIENT is sorry", 9)
		case method == "tools/list" && mode == "has no list":
			say(id, `"error":{"code":-32603,"message":"no list today"}`)
		case method == "tools/list" && mode == "has no tools":
			say(id, `"error":{"code":-32601,"message":"what is that?"}`)
		case method == "tools/list" && mode == "never ends":
			say(id, `"result":{"tools":[],"nextCursor":"after `+id+`"}`)
		case method == "tools/list" && mode == "goes in circles":
			say(id, `"result":{"tools":[],"nextCursor":"again"}`)
		case method == "tools/list" && mode == "is slow":
		case method == "tools/list":
			say(id, `"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}`)
		case method == "resources/list":
			say(id, `"result":{"resources":[]}`)
		case method == "ping":
			say(id, `"result":{}`)
			if mode == "dies after the ping" {
				fail("that was all", 5)
			}
		default:
			say(id, `"error":{"code":-32601,"message":"not here"}`)
		}
	}
	switch mode {
	case "ends badly":
		os.Exit(7)
	case "stubborn":
		<-time.After(time.Hour)
	}
}

func say(id, member string) { fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n", id, member) }

func examine(t *testing.T, target client.Target, opts doctor.Options) *doctor.Diagnosis {
	t.Helper()
	if opts.Client.Timeouts.Open == 0 {
		opts.Client.Timeouts.Open = 30 * time.Second
	}
	d := doctor.Examine(t.Context(), target, opts)
	for _, s := range d.Steps {
		if s.State == "" || s.Found == "" {
			t.Errorf("the step %s has no end: %+v", s.Name, s)
		}
	}
	return d
}

// step returns one of a diagnosis.
func step(t *testing.T, d *doctor.Diagnosis, name string) doctor.Step {
	t.Helper()
	for _, s := range d.Steps {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("there is no step %s:\n%s", name, d.Text())
	return doctor.Step{}
}

// wantCause wants a step to have failed for a reason, and all that follow on it
// to be skipped.
func wantCause(t *testing.T, d *doctor.Diagnosis, failed, id string, words ...string) {
	t.Helper()
	if d.Cause == nil || d.Cause.ID != id || step(t, d, failed).State != doctor.Failed || !d.Failed() {
		t.Fatalf("the cause is not %s at %s:\n%s", id, failed, d.Text())
	}
	for _, s := range d.Steps {
		if s.State == doctor.Failed && s.Name != failed {
			t.Errorf("the step %s has failed, too", s.Name)
		}
	}
	for _, word := range words {
		if !strings.Contains(d.Text(), word) {
			t.Errorf("the report lacks %q:\n%s", word, d.Text())
		}
	}
}

// never is a lookup that reaches no network.
func never(context.Context, string) ([]string, error) { panic("a name was looked up") }
