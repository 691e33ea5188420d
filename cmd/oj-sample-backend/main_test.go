package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

const program = "oj-sample-backend"

func TestMain(m *testing.M) {
	if os.Getenv("RUN_AS_PROGRAM") == program {
		main()
	}
	testscript.Main(m, map[string]func(){program: main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata"})
}

// firstLine waits for the line that says where the program listens.
func firstLine(t *testing.T, stderr io.Reader) (url string) {
	t.Helper()
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if !ok {
		t.Fatalf("first line is %q", line)
	}
	return url
}

func TestSignalsEndTheProgramWithZero(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "--listen", "127.0.0.1:0")
		cmd.Env = append(os.Environ(), "RUN_AS_PROGRAM="+program)
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		url := firstLine(t, stderr)
		resp, err := http.Get(url + "/health")
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Errorf("GET %s/health: %v", url, err)
		} else {
			resp.Body.Close()
		}
		cmd.Process.Signal(signal)
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %v", signal, err)
		}
	}
}

func TestTokenIsAskedFor(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stderr, w := io.Pipe()
	code := make(chan int)
	go func() { code <- run(ctx, []string{"--listen=127.0.0.1:0", "--token=abc"}, io.Discard, w) }()
	url := firstLine(t, stderr)
	for auth, want := range map[string]int{"": http.StatusUnauthorized, "Bearer abc": http.StatusOK} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/status", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", auth)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("with %q: %s", auth, resp.Status)
		}
	}
	stop()
	if got := <-code; got != exitOK {
		t.Errorf("exit code %d", got)
	}
}

func TestPortInUse(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stderr, w := io.Pipe()
	code := make(chan int)
	go func() { code <- run(ctx, []string{"--listen=127.0.0.1:0"}, io.Discard, w) }()
	url := firstLine(t, stderr)
	var message strings.Builder
	if got := run(t.Context(), []string{"--listen", strings.TrimPrefix(url, "http://")}, io.Discard, &message); got != exitFailed {
		t.Errorf("exit code %d", got)
	}
	if !strings.HasPrefix(message.String(), "error: listen tcp") {
		t.Errorf("message is %q", message.String())
	}
	stop()
	<-code
}
