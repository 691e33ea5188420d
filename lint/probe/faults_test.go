package probe_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcpworks/lint"
	"mcpworks/lint/probe"
	"mcpworks/lint/probe/wire"
	"mcpworks/mcp/client"
)

// TestMain makes the test binary a bad server when it is told to.
func TestMain(m *testing.M) {
	if bad := badServers[os.Getenv("MCPLINT_BAD_SERVER")]; bad != nil {
		bad()
		os.Exit(0)
	}
	debug.SetMemoryLimit(384 << 20) // as mcplint has it
	os.Exit(m.Run())
}

// badServers are servers that nobody should have to talk to.
var badServers = map[string]func(){
	"floods with noise": func() {
		for out := bufio.NewWriter(os.Stdout); ; {
			fmt.Fprintln(out, "still starting, please wait a little longer")
		}
	},
	"writes without a newline": func() {
		chunk := bytes.Repeat([]byte("x"), 1<<20)
		for range 100 {
			os.Stdout.Write(chunk)
		}
		io.Copy(io.Discard, os.Stdin)
	},
	"never reads": func() { time.Sleep(time.Hour) },
	"dies in the middle of a message": func() {
		bufio.NewReader(os.Stdin).ReadString('\n')
		fmt.Print(`{"jsonrpc":"2.0","id":1,"resu`)
		os.Exit(3)
	},
	"ignores every end": func() {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		converse(nil)
		time.Sleep(time.Hour)
	},
	"answers twice":     func() { converse(func(answer string) { fmt.Println(answer); fmt.Println(answer) }) },
	"answers other ids": func() { converse(func(answer string) { fmt.Println(strings.Replace(answer, `"id":`, `"id":9`, 1)) }) },
	"sends notifications": func() {
		converse(func(answer string) {
			out := bufio.NewWriter(os.Stdout)
			for range 10_000 {
				fmt.Fprintln(out, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			}
			fmt.Fprintln(out, answer)
			out.Flush()
		})
	},
}

// converse answers initialize and tools/list; say writes an answer.
func converse(say func(answer string)) {
	if say == nil {
		say = func(answer string) { fmt.Println(answer) }
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		id := string(lint.Member(lines.Bytes(), "id"))
		method, _ := lint.Text(lint.Member(lines.Bytes(), "method"))
		switch {
		case id == "":
		case method == "initialize":
			say(`{"jsonrpc":"2.0","id":` + id + `,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"bad","version":"1"}}}`)
		case method == "tools/list":
			say(`{"jsonrpc":"2.0","id":` + id + `,"result":{"tools":[]}}`)
		case method == "ping":
			say(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)
		default:
			say(`{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32601,"message":"Method not found"}}`)
		}
	}
}

func options(level lint.Level) probe.Options {
	return probe.Options{Options: wire.Options{Level: level, Client: client.Options{Timeouts: client.Timeouts{Open: 3 * time.Second, Request: 3 * time.Second}}}}
}

// Faults, D2.66: whatever a server does, probing ends, says what it saw and
// leaves nothing running.
func TestBadServers(t *testing.T) {
	for name, reason := range map[string]string{
		"floods with noise":               "", // the limit on the flood or on the time, whichever comes first
		"writes without a newline":        "the server wrote a line of more than 67108864 bytes",
		"never reads":                     "initialize was not answered",
		"dies in the middle of a message": "the server exited with status 3",
		"answers other ids":               "initialize was not answered",
		"answers twice":                   "-",
		"sends notifications":             "-",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := options(lint.Passive)
			if strings.Contains(reason, "bytes") { // they have to be read
				opts.Client.Timeouts.Open = time.Minute
			}
			record, err := probe.Run(t.Context(), badServer(name), opts)
			var gone *probe.Unreachable
			switch {
			case reason == "-" && err != nil:
				t.Errorf("it could not be probed: %v", err)
			case reason != "-" && (!errors.As(err, &gone) || !strings.Contains(gone.Reason, reason)):
				t.Errorf("%v, want %s", err, reason)
			}
			if len(record.Talks) == 0 {
				t.Error("nothing was recorded")
			}
			noneLeft(t, name)
		})
	}
}

func badServer(name string) client.Command {
	return client.Command{Args: []string{os.Args[0]}, Env: []string{"MCPLINT_BAD_SERVER=" + name, ofThisRun}}
}

// ofThisRun tells the servers of this test from those of another that runs at
// the same time.
var ofThisRun = "MCPLINT_BAD_RUN=" + strconv.Itoa(os.Getpid())

// noneLeft looks for processes of a server. They know which they are by their
// environment.
func noneLeft(t *testing.T, name string) {
	t.Helper()
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Log("whether processes are left cannot be seen on this system")
		return
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		environ, err := os.ReadFile("/proc/" + entry.Name() + "/environ")
		if err == nil && bytes.Contains(environ, []byte("MCPLINT_BAD_SERVER="+name+"\x00")) && bytes.Contains(environ, []byte(ofThisRun+"\x00")) {
			t.Errorf("process %s is left", entry.Name())
		}
	}
}

// D2.14: a server that ignores the end of its input and SIGTERM is killed.
func TestServerThatIgnoresEveryEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes twice the grace of five seconds")
	}
	opts := options(lint.Passive)
	opts.Era = client.Legacy
	record, err := probe.Run(t.Context(), badServer("ignores every end"), opts)
	if err != nil {
		t.Fatal(err)
	}
	exit := record.Talks[0].Exit()
	if exit == nil || exit.After != "kill" || exit.Signal != "killed" {
		t.Errorf("exit %+v", exit)
	}
	noneLeft(t, "ignores every end")
}

// D2.66: an event without end, and pages without end.
func TestEndlessHTTP(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"event": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			chunk := bytes.Repeat([]byte("data: x\n"), 1<<10)
			for r.Context().Err() == nil {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		},
		"body": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for r.Context().Err() == nil {
				if _, err := w.Write(bytes.Repeat([]byte("["), 1<<10)); err != nil {
					return
				}
			}
		},
		"redirects": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/mcp", http.StatusTemporaryRedirect)
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(handler)
			defer server.Close()
			defer server.CloseClientConnections()
			_, err := probe.Run(t.Context(), client.URL(server.URL+"/mcp"), options(lint.Probe))
			if gone := (*probe.Unreachable)(nil); !errors.As(err, &gone) {
				t.Errorf("%v", err)
			}
		})
	}
}
