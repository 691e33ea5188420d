package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The first example of the guide does what it shows, with what the build makes.
func TestFirstExampleOfTheGuide(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	guide, err := os.ReadFile("../../docs/mcplint.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(guide), "```console\n")
	example, _, _ := strings.Cut(rest, "```")
	commands := strings.Split("\n"+example, "\n$ ")[1:]
	if len(commands) < 3 || !strings.HasPrefix(commands[0], "go build -o bin/ ./cmd/...") {
		t.Fatalf("the example is %q", example)
	}
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin") + string(filepath.Separator)
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", bin, ".", "../context").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, command := range commands[1:] {
		line, want, _ := strings.Cut(command, "\n")
		words := strings.Fields(line)
		cmd := exec.CommandContext(t.Context(), filepath.Join(dir, words[0]), words[1:]...)
		cmd.Dir = dir
		got, err := cmd.Output()
		begin, _, cut := strings.Cut(strings.TrimSpace(want), ", …")
		if err != nil || !strings.HasPrefix(string(got), begin) || !cut && strings.TrimSpace(string(got)) != begin {
			t.Errorf("%s: %v\n%s\nwant\n%s", line, err, got, want)
		}
	}
}
