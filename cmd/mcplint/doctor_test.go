//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// B1.7: Ctrl-C ends the server, and what is known by then is printed.
func TestInterruptedDoctorTellsWhatItKnows(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "report")
	cmd, stderr, ids := startStubborn(t, "doctor", "--output", file)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	wantExit(t, cmd, 130)
	wantGone(t, ids)
	text, err := os.ReadFile(file)
	if got := string(text); err != nil || !strings.Contains(got, "✓ process ") || !strings.Contains(got, "stopped by a signal") {
		t.Errorf("the report is %q, %v", got, err)
	}
	if got := stderr.String(); got != "error: stopped by a signal: interrupt\n" {
		t.Errorf("standard error is %q", got)
	}
}
