//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// runAsNobody runs the program as somebody whom file permissions bind, and
// returns its exit code and its outputs.
func runAsNobody(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd, stderrBuffer := command(t, args...)
	if os.Getuid() == 0 {
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		if err := os.Chmod(filepath.Dir(filepath.Dir(cmd.Path)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Skipf("this cannot be tried here: %v", err)
	}
	return cmd.ProcessState.ExitCode(), string(out), stderrBuffer.String()
}

// CLI-7, CLI-11, BUILD-4: what is there but may not be read is neither missing
// nor invalid.
func TestCLI7WhatMayNotBeRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	sources := writeSources(t, dir, 2)
	manifest, document := filepath.Join(dir, "manifest"), filepath.Join(dir, "document")
	for _, cache := range []string{manifest, document} {
		mustRun(t, "build", "--sources", sources, "--cache", cache)
	}
	documents, err := filepath.Glob(filepath.Join(document, "documents", "*.json"))
	if err != nil || len(documents) != 2 {
		t.Fatal(documents, err)
	}
	for _, file := range []string{filepath.Join(manifest, "manifest.json"), documents[0], filepath.Join(sources, "00000.md")} {
		if err := os.Chmod(file, 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"inspect", "--cache", manifest},
		{"verify", "--cache", manifest},
		{"resolve", "--cache", manifest, "--query", "q", "--budget", "9"},
		{"resolve", "--cache", document, "--query", "q", "--budget", "9"},
		{"diff", document, manifest},
		{"build", "--sources", sources, "--cache", filepath.Join(dir, "other")},
	} {
		code, stdout, stderr := runAsNobody(t, args...)
		if code != 6 || stdout != "" || !strings.HasPrefix(stderr, "error: ") {
			t.Errorf("context %q: exit code %d, standard output %q, standard error %q", args, code, stdout, stderr)
		}
	}
	code, stdout, stderr := runAsNobody(t, "inspect", "--cache", document)
	if code != 0 || !strings.Contains(stdout, `"valid": false`) {
		t.Errorf("an unreadable document gives exit code %d, %q and %q", code, stdout, stderr)
	}
}
