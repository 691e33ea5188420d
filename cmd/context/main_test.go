package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpworks/internal/scripttest"
	"mcpworks/internal/version"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	scripttest.Main(m, map[string]func(){"context": main})
}

// TestScripts runs testdata/script; README.md there lists what scripts can use.
func TestScripts(t *testing.T) {
	scripttest.Run(t, func(env *testscript.Env) error {
		env.Setenv("NOT_UTF8", "caf\xe9")
		return nil
	}, scripttest.Commands{
		"answers": answers,
		"chomp":   chomp,
		"edit":    edit,
		"fails":   fails,
		"same":    same,
	})
}

// fails is the command of all scripts; here the error is the first thing that is
// said (CLI-12).
func fails(ts *testscript.TestScript, neg bool, args []string) {
	scripttest.Fails(ts, neg, args)
	if stderr := ts.ReadFile("stderr"); !strings.HasPrefix(stderr, "error: ") {
		ts.Fatalf("standard error does not begin with an error: %q", stderr)
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
