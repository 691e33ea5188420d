//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"mcpworks/internal/mcptest"
)

// 14.1: a second signal does not wait for a call that hangs.
func TestSecondSignal(t *testing.T) {
	program, err := exec.LookPath("foss-launcher-mcp")
	if err != nil {
		t.Fatal(err)
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\ncase \" $* \" in *' ls-remote '*|*' fetch '*) touch \"$0.hangs\"; sleep 300;; esac\nexec " + git + " \"$@\"\n"
	if err := os.Mkdir(dir+"/acme", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/git", []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--data-dir", dir+"/data", "--allow-local-repos")
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
	p, err := mcptest.StartCommand(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	p.Send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	if _, err := p.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.Send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"launch_start_run_from_github_repo_url","arguments":{"github_repo_url":"file://` + dir + `/acme"}}}`)
	for hangs := false; !hangs; runtime.Gosched() {
		_, err := os.Stat(dir + "/git.hangs")
		hangs = err == nil
	}
	terminate(t, p)
	for id, answer := 2, ""; !strings.Contains(answer, "ORCHESTRATOR_SHUTTING_DOWN"); id++ { // the first one was heeded
		p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"list_runs","arguments":{}}}`, id))
		if answer, err = p.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	terminate(t, p)
	if code, err := p.Wait(t.Context()); err != nil || code != exitInterrupted {
		t.Errorf("exit code %d, %v: %s", code, err, p.Stderr())
	}
}

func terminate(t *testing.T, p *mcptest.Process) {
	t.Helper()
	if err := p.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
}
