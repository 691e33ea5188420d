//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
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

	"mcpworks/internal/mcptest"

	"github.com/google/go-cmp/cmp"
)

// command is the program with its standard error kept.
func command(t *testing.T, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	program, err := exec.LookPath("context")
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Stderr = &stderr
	return cmd, &stderr
}

// mustRun runs the program, wants success and returns its standard output.
func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	cmd, stderr := command(t, args...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("context %q: %v\n%s", args, err, stderr)
	}
	return string(out)
}

// writeSources makes a directory of n documents in dir.
func writeSources(t *testing.T, dir string, n int) string {
	t.Helper()
	sources := filepath.Join(dir, "docs")
	if err := os.Mkdir(sources, 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		name := filepath.Join(sources, fmt.Sprintf("%05d.md", i))
		if err := os.WriteFile(name, fmt.Appendf(nil, "document number %d\n", i), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return sources
}

// CLI-14: what is on standard input stays there.
func TestCLI14InputIsNotRead(t *testing.T) {
	dir := t.TempDir()
	sources, cache := writeSources(t, dir, 2), filepath.Join(dir, "cache")
	for _, args := range [][]string{
		{"build", "--sources", sources, "--cache", cache},
		{"build", "--sources", sources, "--cache", cache}, // it is there now, and nobody is asked
		{"resolve", "--cache", cache, "--query", "number", "--budget", "9"},
		{"inspect", "--cache", cache},
		{"verify", "--cache", cache},
		{"list", "--root", dir},
		{"diff", cache, cache},
		{"help"},
		{"nonsense"},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, "yes\n"); err != nil {
			t.Fatal(err)
		}
		cmd, _ := command(t, args...)
		cmd.Stdin = r
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		w.Close()
		if left, err := io.ReadAll(r); string(left) != "yes\n" || err != nil {
			t.Errorf("context %q leaves %q, %v", args, left, err)
		}
		r.Close()
	}
}

// A result that nobody gets is a failure, and no silent one.
func TestCLI12LostOutput(t *testing.T) {
	dir := t.TempDir()
	sources, cache := writeSources(t, dir, 2), filepath.Join(dir, "cache")
	mustRun(t, "build", "--sources", sources, "--cache", cache)
	for _, args := range [][]string{
		{"resolve", "--cache", cache, "--query", "number", "--budget", "9"},
		{"inspect", "--cache", cache},
		{"verify", "--cache", cache},
		{"list", "--root", dir},
		{"diff", cache, cache},
		{"help"},
		{"--version"},
	} {
		t.Run(args[0], func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			wantLost(t, w, args...)
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Skip("there is no device that is always full")
			}
			wantLost(t, full, args...)
		})
	}
}

func wantLost(t *testing.T, stdout *os.File, args ...string) {
	t.Helper()
	defer stdout.Close()
	cmd, stderr := command(t, args...)
	cmd.Stdout = stdout
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 6 {
		t.Errorf("ends with %v, want exit code 6", err)
	}
	if !strings.HasPrefix(stderr.String(), "error: the result could not be written: ") {
		t.Errorf("standard error is %q", stderr)
	}
}

// A result that is larger than any buffer arrives whole.
func TestCLI4LargeResult(t *testing.T) {
	cache, content := largeCache(t)
	got := mustRun(t, "resolve", "--cache", cache, "--query", "large", "--budget", "99999999")
	if !strings.Contains(got, content) || !strings.HasSuffix(got, `"documents_excluded_by_budget":0}}`+"\n") {
		t.Errorf("the result has %d bytes and ends with %q", len(got), got[max(0, len(got)-100):])
	}
}

// largeCache makes a cache of one document that no pipe holds.
func largeCache(t *testing.T) (cache, content string) {
	t.Helper()
	sources, cache := writeSources(t, t.TempDir(), 0), filepath.Join(t.TempDir(), "cache")
	content = strings.Repeat("large ", 1<<20)
	if err := os.WriteFile(filepath.Join(sources, "large.md"), []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "build", "--sources", sources, "--cache", cache)
	return cache, content
}

// There is nothing to clean up when the result is written: a reader who does
// not read cannot keep a process that is told to end.
func TestSignalWhileWriting(t *testing.T) {
	cache, _ := largeCache(t)
	cmd, _ := command(t, "resolve", "--cache", cache, "--query", "large", "--budget", "99999999")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(stdout, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if state, err := cmd.Process.Wait(); err != nil || state.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
		t.Errorf("the process ends with %v, %v", state, err)
	}
}

// halfway starts a build and returns when it has begun to write beside the
// cache it will be; the process is stopped then.
func halfway(t *testing.T, cmd *exec.Cmd, cache string) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	for len(beside(t, cache)) == 0 {
		if err := cmd.Process.Signal(syscall.Signal(0)); err != nil {
			t.Fatalf("the build is over: %v: %s", err, cmd.Stderr)
		}
		runtime.Gosched()
	}
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
}

// resume lets a process go on that has a signal to deal with first.
func resume(t *testing.T, cmd *exec.Cmd, sig os.Signal) {
	t.Helper()
	for _, s := range []os.Signal{sig, syscall.SIGCONT} {
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
}

// beside lists what is in the directory of a cache, other than the cache.
func beside(t *testing.T, cache string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(cache))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		if entry.Name() != filepath.Base(cache) {
			names = append(names, entry.Name())
		}
	}
	return names
}

// manyDocuments keep a build busy for longer than a signal takes.
const manyDocuments = 4000

// The first signal lets a build clean up; the exit code is the shell's for it.
func TestSignalStopsABuild(t *testing.T) {
	dir := t.TempDir()
	sources := writeSources(t, dir, manyDocuments)
	for sig, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		t.Run(sig.String(), func(t *testing.T) {
			if signal.Ignored(sig) {
				t.Skip("whoever started this test ignores the signal")
			}
			cache := filepath.Join(t.TempDir(), "caches", "cache")
			cmd, stderr := command(t, "build", "--sources", sources, "--cache", cache)
			halfway(t, cmd, cache)
			resume(t, cmd, sig)
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != code {
				t.Fatalf("the build ends with %v, want exit code %d: %s", err, code, stderr)
			}
			if want := "error: stopped by a signal: " + sig.String() + "\n"; stderr.String() != want {
				t.Errorf("standard error is %q, want %q", stderr, want)
			}
			if _, err := os.Stat(cache); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("there is a cache: %v", err)
			}
			if left := beside(t, cache); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// BUILD-11, BUILD-12: a build that is killed has done no harm, and the next one
// does its work.
func TestBUILD12KilledBuildLeavesTheOldCache(t *testing.T) {
	dir := t.TempDir()
	old, cache := writeSources(t, t.TempDir(), 3), filepath.Join(dir, "caches", "cache")
	sources := writeSources(t, dir, manyDocuments)
	mustRun(t, "build", "--sources", old, "--cache", cache)
	before := mustRun(t, "verify", "--cache", cache)
	cmd, _ := command(t, "build", "--sources", sources, "--cache", cache, "--force")
	halfway(t, cmd, cache)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the build was not killed")
	}
	if after := mustRun(t, "verify", "--cache", cache); after != before {
		t.Errorf("the cache was %s and is %s", before, after)
	}
	mustRun(t, "build", "--sources", writeSources(t, t.TempDir(), 4), "--cache", cache, "--force")
	if after := mustRun(t, "verify", "--cache", cache); !strings.Contains(after, `"document_count": 4`) {
		t.Errorf("the next build made %s", after)
	}
}

// What the parent ignores for its children, as nohup does, is ignored.
func TestIgnoredSignalStaysIgnored(t *testing.T) {
	dir := t.TempDir()
	sources, cache := writeSources(t, dir, 300), filepath.Join(dir, "caches", "cache")
	cmd, stderr := command(t, "build", "--sources", sources, "--cache", cache)
	cmd.Args = append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
	halfway(t, cmd, cache)
	resume(t, cmd, syscall.SIGHUP)
	if err := cmd.Wait(); err != nil || !strings.HasPrefix(stderr.String(), "Built cache: ") {
		t.Errorf("the build ends with %v: %s", err, stderr)
	}
}

// RES-4: a tool says what the command says.
func TestRES4ServeAndResolveAgree(t *testing.T) {
	dir := t.TempDir()
	sources, cache := writeSources(t, dir, 9), filepath.Join(dir, "cache")
	mustRun(t, "build", "--sources", sources, "--cache", cache)
	want := mustRun(t, "resolve", "--cache", cache, "--query", "number 7", "--budget", "20")
	const input = `{"jsonrpc":"2.0","id":1,"method":"initialize"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"context.resolve","arguments":{"cache":"cache","query":"number 7","budget":20}}}
`
	cmd, stderr := command(t, "serve", "--v0", "--cache-root", dir)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	var reply struct {
		Result struct{ Content []struct{ Text string } }
	}
	lines := strings.SplitAfter(string(out), "\n")
	if len(lines) != 3 || json.Unmarshal([]byte(lines[1]), &reply) != nil || len(reply.Result.Content) != 1 {
		t.Fatalf("the replies are %q", lines)
	}
	if diff := cmp.Diff(want, reply.Result.Content[0].Text); diff != "" {
		t.Error(diff)
	}
}

// serve is asked to end by a signal, and that is a success.
func TestSignalEndsServing(t *testing.T) {
	program, err := exec.LookPath("context")
	if err != nil {
		t.Fatal(err)
	}
	p := mcptest.Start(t, program, "serve", "--cache-root", t.TempDir())
	p.Send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}`)
	if line, err := p.Next(t.Context()); err != nil || !strings.HasPrefix(line, `{"jsonrpc":"2.0","id":1,"result":`) {
		t.Fatalf("reply is %q, %v", line, err)
	}
	if err := p.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if line, err := p.Next(t.Context()); err != io.EOF {
		t.Errorf("after the last reply there is %q, %v", line, err)
	}
	if code, err := p.Wait(t.Context()); err != nil || code != exitOK {
		t.Errorf("exit code is %d, %v", code, err)
	}
}
