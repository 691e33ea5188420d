//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// B1.7: Ctrl-C ends the servers and all they have started, whatever they think
// of it, and what is known is reported.
func TestInterruptedValidation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script, listed := filepath.Join(dir, "server.sh"), filepath.Join(dir, "listed")
	if err := os.WriteFile(script, []byte(stuckServer), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(listed, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, stderr := command(t, "validate", "--protocol", "legacy", script, listed)
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	if _, err := os.ReadFile(listed); err != nil { // until the server is asked for its tools
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	wantExit(t, cmd, 130)
	noted, err := os.ReadFile(listed + ".ids")
	if err != nil {
		t.Fatal(err)
	}
	wantGone(t, numbers(t, string(noted)))
	if got := stderr.String(); got != "error: stopped by a signal: interrupt\n" {
		t.Errorf("standard error is %q", got)
	}
	for _, want := range []string{"stuck 1", "stopped by a signal: interrupt", "RPC-001", "1 error, "} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, &stdout)
		}
	}
}

// stuckServer notes its process id and that of a child, ignores the signals it
// can, opens a session with a flaw, and answers nothing after that.
const stuckServer = `#!/bin/sh
trap '' INT TERM HUP
sleep 300 &
echo $$ $! >> "$1.ids"
while read -r line; do
  case $line in
    *'"initialize"'*) echo '{"id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"stuck","version":"1"}}}' ;;
    *'"tools/list"'*) : > "$1" ;;
  esac
done
while :; do sleep 1; done
`
