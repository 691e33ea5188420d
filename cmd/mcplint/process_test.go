//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// command is the program with its standard error kept.
func command(t *testing.T, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	program, err := exec.LookPath("mcplint")
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Stderr = &stderr
	return cmd, &stderr
}

// stubborn is a script that notes its process id and that of a child, ignores the
// signals it can, and never answers.
const stubborn = `#!/bin/sh
trap '' INT TERM HUP
sleep 300 &
echo $$ $! > "$1.part"
mv "$1.part" "$1"
while :; do sleep 1; done
`

// startStubborn starts mcplint on that server, with the verb and options given,
// and returns when it runs. The ids are those of the server and its child.
func startStubborn(t *testing.T, args ...string) (cmd *exec.Cmd, stderr *bytes.Buffer, ids []int) {
	t.Helper()
	dir := t.TempDir()
	script, noted := filepath.Join(dir, "server.sh"), filepath.Join(dir, "ids")
	if err := os.WriteFile(script, []byte(stubborn), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd, stderr = command(t, append(args, script, noted)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	var text []byte
	for deadline := time.Now().Add(10 * time.Second); len(text) == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the server was not started: %s", stderr)
		}
		text, _ = os.ReadFile(noted)
	}
	return cmd, stderr, numbers(t, string(text))
}

func numbers(t *testing.T, text string) (all []int) {
	t.Helper()
	for _, field := range strings.Fields(text) {
		n, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	if len(all) == 0 {
		t.Fatal("there are no numbers")
	}
	return all
}

// wantGone waits until processes have ended.
func wantGone(t *testing.T, ids []int) {
	t.Helper()
	for _, id := range ids {
		for deadline := time.Now().Add(5 * time.Second); runs(id); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				_ = syscall.Kill(id, syscall.SIGKILL)
				t.Fatalf("process %d is left", id)
			}
		}
	}
}

// runs says whether a process is there and is no zombie.
func runs(id int) bool {
	if syscall.Kill(id, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(id) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

func wantExit(t *testing.T, cmd *exec.Cmd, want int) {
	t.Helper()
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != want {
		t.Errorf("mcplint ends with %v, want %d: %s", err, want, cmd.Stderr)
	}
}

// B1.7: Ctrl-C ends the server and all it has started, whatever it thinks of it.
func TestInterruptLeavesNoOrphan(t *testing.T) {
	for name, args := range map[string][]string{
		"opening":     {"tools"},
		"without one": {"raw", "--no-init"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, stderr, ids := startStubborn(t, args...)
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			wantExit(t, cmd, 130)
			wantGone(t, ids)
			if got := stderr.String(); got != "error: stopped by a signal: interrupt\n" {
				t.Errorf("standard error is %q", got)
			}
		})
	}
}

// Impatience must not leave anything behind either.
func TestSecondInterruptLeavesNoOrphan(t *testing.T) {
	t.Parallel()
	cmd, _, ids := startStubborn(t, "raw", "--no-init")
	for range 3 {
		if err := cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	wantExit(t, cmd, 130)
	wantGone(t, ids)
}

func TestTerminateWhileListening(t *testing.T) {
	t.Parallel()
	cmd, stderr := command(t, "listen", "-v", "sample-server")
	cmd.Stderr = nil
	lines, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for scanner := bufio.NewScanner(lines); scanner.Scan(); {
		if scanner.Text() == "listening" {
			break
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(stderr, lines)
	wantExit(t, cmd, 143)
	if !strings.HasSuffix(stderr.String(), "error: stopped by a signal: terminated\n") {
		t.Errorf("standard error is %q", stderr)
	}
}

// A reader that has had enough, like head, is told nothing.
func TestClosedOutput(t *testing.T) {
	for _, args := range [][]string{{"tools", "sample-server"}, {"rules"}, {"validate", "--level", "passive", "sample-server"}, {"help"}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd, stderr := command(t, args...)
		cmd.Stdout = w
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wantExit(t, cmd, 128+int(syscall.SIGPIPE))
		w.Close()
		if stderr.Len() > 0 {
			t.Errorf("standard error of %v is %q", args, stderr)
		}
	}
}

// A result that cannot be written is a failure, and no silent one.
func TestLostOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, args := range [][]string{{"tools", "sample-server"}, {"help"}, {"version"}} {
		cmd, stderr := command(t, args...)
		cmd.Stdout = full
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wantExit(t, cmd, 2)
		if !strings.HasPrefix(stderr.String(), "error: the result could not be written: ") {
			t.Errorf("standard error of %v is %q", args, stderr)
		}
	}
}

// Only raw, and call where it is told to, read standard input.
func TestInputIsNotRead(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := io.WriteString(w, "yes\n"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	cmd, stderr := command(t, "tools", "sample-server")
	cmd.Stdin = r
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	if left, err := io.ReadAll(r); string(left) != "yes\n" || err != nil {
		t.Errorf("what is left is %q, %v", left, err)
	}
}
