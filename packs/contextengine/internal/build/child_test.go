//go:build darwin || linux

package build_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"mcpworks/packs/contextengine/internal/build"
	"mcpworks/packs/contextengine/internal/cache"

	"github.com/google/go-cmp/cmp"
)

// TestMain lets the test binary also be a program that builds, for what needs a
// process of its own.
func TestMain(m *testing.M) {
	if os.Getenv("BUILD_SOURCES") != "" {
		os.Exit(child())
	}
	os.Exit(m.Run())
}

// child builds as its environment says, and prints the kind of the error.
func child() int {
	o := build.Options{
		Sources: os.Getenv("BUILD_SOURCES"), Output: os.Getenv("BUILD_OUTPUT"), Base: os.Getenv("BUILD_BASE"),
		Force: os.Getenv("BUILD_FORCE") != "", CreatedAt: createdAt,
	}
	if at := os.Getenv("BUILD_STOP_AT"); at != "" {
		o.Progress = func(done, _ int) {
			if fmt.Sprint(done) == at {
				fmt.Println("stopped")
				_, _ = io.Copy(io.Discard, os.Stdin) // until killed
			}
		}
	}
	var limit uint64
	if _, err := fmt.Sscan(os.Getenv("BUILD_FILE_LIMIT"), &limit); err == nil {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			fmt.Println(err)
			return 1
		}
	}
	report, err := build.Build(context.Background(), o)
	switch {
	case err == nil && report.Leftover != "":
		fmt.Println("left", report.Leftover)
	case err == nil:
		fmt.Println("built")
	case errors.Is(err, cache.ErrIO):
		fmt.Println("io:", err)
	default:
		fmt.Println("other:", err)
	}
	return 0
}

// asChild prepares a build in a process of its own.
func asChild(t *testing.T, o build.Options, more ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), "BUILD_SOURCES="+o.Sources, "BUILD_OUTPUT="+o.Output, "BUILD_BASE="+o.Base)
	if o.Force {
		cmd.Env = append(cmd.Env, "BUILD_FORCE=yes")
	}
	cmd.Env = append(cmd.Env, more...)
	return cmd
}

// killed runs a build until a number of documents are done, and kills it.
func killed(t *testing.T, o build.Options, documents int) {
	t.Helper()
	cmd := asChild(t, o, fmt.Sprint("BUILD_STOP_AT=", documents))
	stdin, err := cmd.StdinPipe()
	must(t, err)
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "stopped\n" {
		t.Errorf("the child says %q, %v", line, err)
	}
	must(t, cmd.Process.Kill())
	_ = cmd.Wait()
}

// leftovers returns what is beside a cache.
func leftovers(t *testing.T, output string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(output))
	must(t, err)
	for _, entry := range entries {
		if entry.Name() != filepath.Base(output) {
			names = append(names, entry.Name())
		}
	}
	return names
}

func TestKilledBuildLeavesNoCacheAndIsCleanedUp(t *testing.T) {
	files := tree{}
	for i := range 50 {
		files[fmt.Sprint(i, ".md")] = fmt.Sprint("document ", i)
	}
	o := build.Options{Sources: files.dir(t), Output: filepath.Join(t.TempDir(), "out", "cache")}
	for _, documents := range []int{1, 25, 50} {
		killed(t, o, documents)
		if _, err := os.Lstat(o.Output); !os.IsNotExist(err) {
			t.Errorf("killed after %d documents, there is an output: %v", documents, err)
		}
		if left := leftovers(t, o.Output); len(left) != 1 || !strings.HasPrefix(left[0], ".cache.building-") {
			t.Errorf("killed after %d documents, it left %q", documents, left)
		}
	}
	built(t, o)
	if left := leftovers(t, o.Output); len(left) != 0 {
		t.Errorf("left after the next build: %q", left)
	}
	before := read(t, o.Output)
	o.Force, o.Base = true, o.Output
	killed(t, o, 25)
	if diff := cmp.Diff(before, read(t, o.Output)); diff != "" {
		t.Errorf("a killed build changed the old cache\n%s", diff)
	}
	built(t, o)
	if left := leftovers(t, o.Output); len(left) != 0 {
		t.Errorf("left after the next build: %q", left)
	}
}

// The next build also cleans up when it fails.
func TestFailedBuildCleansUpAfterAKilledOne(t *testing.T) {
	o := build.Options{Sources: tree{"a.md": "a"}.dir(t), Output: filepath.Join(t.TempDir(), "cache")}
	killed(t, o, 1)
	tree{"b.md": "a"}.write(t, o.Sources)
	o.CreatedAt = createdAt
	_, err := build.Build(t.Context(), o)
	wantKind(t, err, nil)
	if left := leftovers(t, o.Output); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
}

// A build that is killed after it has replaced a cache leaves the old one.
func TestReplacedCacheOfAKilledBuildIsCleanedUp(t *testing.T) {
	o := build.Options{Sources: tree{"a.md": "a"}.dir(t), Output: filepath.Join(t.TempDir(), "cache")}
	built(t, o)
	tree{"stray.txt": "", "documents/stray.txt": ""}.write(t, o.Output)
	must(t, os.Rename(o.Output, filepath.Join(filepath.Dir(o.Output), ".cache.building-"+strings.Repeat("A7", 13))))
	built(t, o)
	if left := leftovers(t, o.Output); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
}

func TestLivingBuildIsNotCleanedUp(t *testing.T) {
	o := build.Options{Sources: tree{"a.md": "a", "b.md": "b"}.dir(t), Output: filepath.Join(t.TempDir(), "cache"), Force: true}
	outer := o
	outer.Progress = func(done, _ int) {
		if done == 1 {
			built(t, o)
		}
	}
	built(t, outer)
	if left := leftovers(t, o.Output); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
}

// A limit on the size of files stands for a disk that is full.
func TestFullDiskLeavesNothing(t *testing.T) {
	files := tree{"long/a.md": strings.Repeat("long ", 5000), "long/0.md": "short"}
	for i := range 20 {
		files[fmt.Sprintf("short/%d.md", i)] = fmt.Sprint("document ", i)
	}
	dir := files.dir(t)
	old := filepath.Join(dir, "old")
	built(t, build.Options{Sources: filepath.Join(dir, "short"), Output: old})
	before := read(t, dir)
	for _, tt := range []struct {
		sources string
		limit   int
		named   string
	}{
		{"short", 0, `"0.md"`}, {"short", 100, `"0.md"`}, {"long", 20_000, `"a.md"`}, {"short", 3000, "manifest"},
	} {
		for _, o := range []build.Options{{Output: filepath.Join(dir, "new", "cache")}, {Output: old, Force: true}} {
			o.Sources = filepath.Join(dir, tt.sources)
			said, err := asChild(t, o, fmt.Sprint("BUILD_FILE_LIMIT=", tt.limit)).Output()
			must(t, err)
			if !strings.HasPrefix(string(said), "io:") || !strings.Contains(string(said), tt.named) || !strings.Contains(string(said), "file too large") {
				t.Errorf("limit %d: the child says %s", tt.limit, said)
			}
			if diff := cmp.Diff(before, read(t, dir)); diff != "" {
				t.Errorf("limit %d changed (-before +after)\n%s", tt.limit, diff)
			}
		}
	}
}

// nobody is who is allowed nothing in particular.
const nobody = 65534

// asNobody prepares a build by a process that permissions apply to.
func asNobody(t *testing.T, o build.Options) *exec.Cmd {
	t.Helper()
	cmd := asChild(t, o)
	if os.Geteuid() != 0 {
		return cmd
	}
	// The test binary may be where only its owner gets.
	program, err := os.ReadFile(cmd.Path)
	must(t, err)
	cmd.Path = filepath.Join(open(t), "program")
	must(t, os.WriteFile(cmd.Path, program, 0o755))
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return cmd
}

// open returns a directory that everybody may use.
func open(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.Chmod(filepath.Dir(dir), 0o755))
	must(t, os.Chmod(dir, 0o777))
	return dir
}

func TestBUILD4WhatCannotBeReadFails(t *testing.T) {
	for name, tt := range map[string]struct {
		locked string
		mode   os.FileMode
		named  string
	}{
		"file":                    {"docs/b.md", 0, "docs/b.md"},
		"directory":               {"docs/sub", 0, "docs/sub"},
		"directory without files": {"docs/images", 0, "docs/images"},
		"root":                    {"docs", 0, "docs"},
		"root by its parent":      {"hidden", 0, "hidden"},
		"list but no entry":       {"docs/sub", 0o444, "docs/sub/c.md"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := open(t)
			tree{"docs/a.md": "a", "docs/b.md": "b", "docs/sub/c.md": "c", "docs/images/x.png": "", "hidden/docs/a.md": "a"}.write(t, dir)
			must(t, os.Chmod(filepath.Join(dir, "docs/sub/c.md"), 0o644))
			o := build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "new", "cache")}
			if tt.locked == "hidden" {
				o.Sources = filepath.Join(dir, "hidden", "docs")
			}
			locked := filepath.Join(dir, tt.locked)
			must(t, os.Chmod(locked, tt.mode))
			said, err := asNobody(t, o).Output()
			must(t, err)
			must(t, os.Chmod(locked, 0o777))
			if !strings.HasPrefix(string(said), "io:") || !strings.Contains(string(said), filepath.Join(dir, tt.named)) {
				t.Errorf("the child says %s", said)
			}
			if _, err := os.Lstat(filepath.Join(dir, "new")); !os.IsNotExist(err) {
				t.Errorf("left behind: %v", err)
			}
		})
	}
}

// A link that leads where one may not look is a file that cannot be read.
func TestBUILD4LinkThatMayNotBeFollowed(t *testing.T) {
	dir := open(t)
	tree{"docs/a.md": "a", "secret/b.md": "b"}.write(t, dir)
	must(t, os.Symlink("../secret/b.md", filepath.Join(dir, "docs", "link.md")))
	must(t, os.Chmod(filepath.Join(dir, "secret"), 0))
	defer os.Chmod(filepath.Join(dir, "secret"), 0o777)
	said, err := asNobody(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache")}).Output()
	must(t, err)
	if !strings.HasPrefix(string(said), "io:") || !strings.Contains(string(said), "link.md") {
		t.Errorf("the child says %s", said)
	}
}

func TestOutputThatMayNotBeWritten(t *testing.T) {
	dir := open(t)
	tree{"docs/a.md": "a", "closed/": "", "locked/cache/manifest.json": `{"cache_version":"x"}`}.write(t, dir)
	must(t, os.Chmod(filepath.Join(dir, "closed"), 0o555))
	must(t, os.Chmod(filepath.Join(dir, "locked"), 0o555))
	before := read(t, dir)
	for _, output := range []string{"closed/cache", "closed/new/cache", "locked/cache"} {
		said, err := asNobody(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, output), Force: true}).Output()
		must(t, err)
		if !strings.HasPrefix(string(said), "io:") || !strings.Contains(string(said), "permission denied") {
			t.Errorf("%s: the child says %s", output, said)
		}
	}
	if diff := cmp.Diff(before, read(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// Somebody else's documents are not shared: their owner could change them.
func TestDocumentsOfAnotherOwnerAreWrittenAgain(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs two users")
	}
	dir := open(t)
	tree{"docs/a.md": "a"}.write(t, dir)
	o := build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "base")}
	said, err := asNobody(t, o).Output()
	if string(said) != "built\n" || err != nil {
		t.Fatalf("the child says %s, %v", said, err)
	}
	if _, report := built(t, build.Options{Sources: o.Sources, Base: o.Output}); report.Reused != 0 {
		t.Errorf("%+v", report)
	}
}

func TestReplacedCacheThatCannotBeRemoved(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs two users")
	}
	dir := open(t)
	tree{"docs/a.md": "new", "out/": ""}.write(t, dir)
	must(t, os.Chmod(filepath.Join(dir, "out"), 0o777))
	o := build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "out", "cache"), Force: true}
	built(t, build.Options{Sources: tree{"a.md": "old"}.dir(t), Output: o.Output})
	said, err := asNobody(t, o).Output()
	must(t, err)
	left := leftovers(t, o.Output)
	if len(left) != 1 || string(said) != "left "+filepath.Join(dir, "out", left[0])+"\n" {
		t.Errorf("left %q, and the child says %s", left, said)
	}
	if got := documents(t, o.Output)["a.md"][1]; got != "new" {
		t.Errorf("the cache has the %s document", got)
	}
	built(t, o) // by somebody who may remove it
	if left := leftovers(t, o.Output); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
}
