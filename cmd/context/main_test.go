package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mcpworks/internal/version"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden parts of scripts")

// raceOptions spare programs built with the race detector a second at their end.
const raceOptions = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	os.Setenv("GORACE", raceOptions)
	testscript.Main(m, map[string]func(){"context": main})
}

// TestScripts runs testdata/script; README.md there lists what scripts can use.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", raceOptions)
			env.Setenv("VERSION", version.Number)
			env.Setenv("NOT_UTF8", "caf\xe9")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"answers": answers,
			"chomp":   chomp,
			"edit":    edit,
			"fails":   fails,
			"same":    same,
			"silent":  silent,
		},
	})
}

// fails wants context to end with an exit code, nothing on standard output and
// an error on standard error (CLI-12): fails code [arg...]
func fails(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: fails code [arg...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec("context", args[1:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code is %d, want %d", got, want)
	}
	if stdout := ts.ReadFile("stdout"); stdout != "" {
		ts.Fatalf("standard output is not empty: %q", stdout)
	}
	if stderr := ts.ReadFile("stderr"); !strings.HasPrefix(stderr, "error: ") || !strings.HasSuffix(stderr, "\n") {
		ts.Fatalf("standard error does not begin with an error: %q", stderr)
	}
}

// silent wants the program before to have written nothing: silent stdout|stderr
func silent(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: silent stdout|stderr")
	}
	if got := ts.ReadFile(args[0]); got != "" {
		ts.Fatalf("%s is not empty: %q", args[0], got)
	}
}

// chomp removes the last line feed of files, which a script cannot do without:
// chomp file...
func chomp(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: chomp file...")
	}
	for _, name := range args {
		whole, ok := strings.CutSuffix(ts.ReadFile(name), "\n")
		if !ok {
			ts.Fatalf("%s does not end with a line feed", name)
		}
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(whole), 0o666))
	}
}

// edit replaces a text that a file holds: edit file old new
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit file old new")
	}
	before := ts.ReadFile(args[0])
	if !strings.Contains(before, args[1]) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(before, args[1], args[2])), 0o666))
}

// same wants two directories to hold the same files with the same bytes, or
// with ! to differ somewhere: same dir dir
func same(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: same dir dir")
	}
	one, err := readTree(ts.MkAbs(args[0]))
	ts.Check(err)
	other, err := readTree(ts.MkAbs(args[1]))
	ts.Check(err)
	if len(one) == 0 {
		ts.Fatalf("%s is empty", args[0])
	}
	if diff := gocmp.Diff(one, other); (diff == "") == neg {
		ts.Fatalf("%s and %s:\n%s", args[0], args[1], diff)
	}
}

// readTree returns the files below a directory by their relative names.
func readTree(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(file)
		files[strings.TrimPrefix(file, dir)] = string(content)
		return err
	})
	return files, err
}

// answers wants standard output to be JSON-RPC responses, one per line and
// nothing else, and writes them to a file in the order of their ids, with
// $VERSION for the version: answers file
func answers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: answers file")
	}
	type message struct {
		JSONRPC string
		ID      int
	}
	ids := map[string]int{}
	var lines []string
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		var m message
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" {
			ts.Fatalf("no JSON-RPC response: %v: %q", err, line)
		}
		ids[line], lines = m.ID, append(lines, line)
	}
	slices.SortStableFunc(lines, func(a, b string) int { return cmp.Compare(ids[a], ids[b]) })
	quoted := fmt.Sprintf("%q", version.Number)
	text := strings.ReplaceAll(strings.Join(lines, ""), quoted, `"$VERSION"`)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}
