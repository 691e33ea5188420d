package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"mcpworks/internal/scripttest"
	"mcpworks/internal/secret"
	"mcpworks/internal/version"
	"mcpworks/packs/judge/sample"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	scripttest.Main(m, map[string]func(){"oj-mcp-rs": main})
}

// token is what the locked and the echoing backend know.
const token = "5f0c1b2e-sEcReT"

// TestScripts runs testdata/script; README.md there lists what scripts can use.
func TestScripts(t *testing.T) {
	evening := func() time.Time { return time.Date(2026, 3, 5, 20, 30, 0, 0, time.UTC) }
	backends := map[string]http.Handler{
		"SAMPLE": sample.Handler(sample.Options{Now: evening}),
		"LOCKED": sample.Handler(sample.Options{Now: evening, Token: secret.New(token)}),
		"ECHO":   http.HandlerFunc(echo),
	}
	vars := map[string]string{"TOKEN": token}
	for name, handler := range backends {
		s := httptest.NewServer(handler)
		t.Cleanup(s.Close)
		vars[name] = s.URL
	}
	scripttest.Run(t, func(env *testscript.Env) error {
		for name, value := range vars {
			env.Setenv(name, value)
		}
		return nil
	}, scripttest.Commands{
		"refuses": refuses,
		"accepts": accepts,
		"answers": answers,
		"hides":   hides,
	})
}

// echo tells the token back in every way a careless backend might.
func echo(w http.ResponseWriter, r *http.Request) {
	got := r.Header.Get("Authorization")
	asJSON, _ := json.Marshal(got)
	switch {
	case r.URL.Path == "/status":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"version":"1","platforms":[{"source":%s,"total":12984}]}`, asJSON)
	case strings.HasSuffix(r.URL.Path, "/document"):
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"title":"Unauthorized","status":401,"detail":%s}`, asJSON)
	case strings.HasSuffix(r.URL.Path, "/plain"):
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprintln(w, "GET", r.URL, "Authorization:", got)
	case strings.HasSuffix(r.URL.Path, "/broken"):
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"1", %s`, got)
	case strings.HasSuffix(r.URL.Path, "/moved"):
		w.Header().Set("Location", "http://"+r.Host+":bad/"+got)
		w.WriteHeader(http.StatusFound)
	default:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"1","title":%s,"content":%s}`, asJSON, asJSON)
	}
}

// refuses wants arguments to end the program with exit code 1 and one line,
// before it reads its input, which stays open: refuses arg...
func refuses(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("unsupported: ! refuses")
	}
	input, open, err := os.Pipe()
	ts.Check(err)
	defer open.Close()
	defer input.Close()
	var stdout strings.Builder
	stderr := &complaint{instead: open}
	cmd := exec.Command("oj-mcp-rs", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, &stdout, stderr
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != exitError {
		ts.Fatalf("%q ends with %v, want exit code %d", args, err, exitError)
	}
	if stdout.Len() > 0 {
		ts.Fatalf("%q writes %q to standard output", args, stdout.String())
	}
	line, ok := strings.CutSuffix(stderr.String(), "\n")
	if !ok || strings.Contains(line, "\n") || !strings.HasPrefix(line, "error: ") {
		ts.Fatalf("%q writes %q to standard error, want one line", args, stderr.String())
	}
}

// complaint collects an error message. Should the program write something else,
// which means that it is serving, its input is closed.
type complaint struct {
	strings.Builder
	instead io.Closer
}

func (c *complaint) Write(p []byte) (int, error) {
	n, err := c.Builder.Write(p)
	if !strings.HasPrefix(c.String(), "error: ") {
		c.instead.Close()
	}
	return n, err
}

// accepts wants a base URL to be taken and stored: accepts url stored
func accepts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: accepts url stored")
	}
	ts.Check(ts.Exec("oj-mcp-rs", "--base-url", args[0]))
	if stored := ts.ReadFile("stderr"); !strings.Contains(stored, `msg="base_url: `+args[1]+`"`) {
		ts.Fatalf("%q is not stored as %s:\n%s", args[0], args[1], stored)
	}
}

// answers wants standard output to be JSON-RPC messages, one per line and
// nothing else, and writes them to a file in the order of their ids, with the
// texts of tools made readable and $VERSION for the version: answers file
func answers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: answers file")
	}
	var all []message
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		m, err := readMessage(line)
		if err != nil {
			ts.Fatalf("%v: %q", err, line)
		}
		all = append(all, m)
	}
	slices.SortStableFunc(all, func(a, b message) int { return cmp.Compare(a.ID, b.ID) })
	var b strings.Builder
	for _, m := range all {
		fmt.Fprintf(&b, "[%d] %s\n", m.ID, strings.TrimSuffix(m.text(), "\n"))
	}
	text := strings.ReplaceAll(b.String(), strconv.Quote(version.Number), `"$VERSION"`)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// A message is a response. One to what was no request has the id null, here 0.
type message struct {
	JSONRPC       string `json:"jsonrpc"`
	ID            int
	Result, Error json.RawMessage
}

func readMessage(line string) (m message, err error) {
	if !strings.HasSuffix(line, "\n") {
		return m, errors.New("the line does not end")
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		return m, err
	}
	if m.JSONRPC != "2.0" || (m.Result == nil) == (m.Error == nil) {
		return m, errors.New("no JSON-RPC response")
	}
	return m, nil
}

func (m message) text() string {
	if m.Error != nil {
		return "error " + string(m.Error)
	}
	var result struct {
		Content []struct{ Text string }
		IsError bool
	}
	switch err := json.Unmarshal(m.Result, &result); {
	case err != nil || len(result.Content) == 0:
		return "result " + string(m.Result)
	case result.IsError:
		return "failed result\n" + result.Content[0].Text
	}
	return "result\n" + result.Content[0].Text
}

// hides wants a text to be in neither output of the program before: hides text
func hides(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 || args[0] == "" {
		ts.Fatalf("usage: hides text")
	}
	for _, name := range []string{"stdout", "stderr"} {
		if strings.Contains(ts.ReadFile(name), args[0]) {
			ts.Fatalf("%s holds %q:\n%s", name, args[0], ts.ReadFile(name))
		}
	}
}
