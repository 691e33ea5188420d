package build_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/build"
	"mcpworks/packs/contextengine/internal/cache"

	"github.com/google/go-cmp/cmp"
)

func TestBUILD9WhatIsThereStays(t *testing.T) {
	dir := tree{"docs/a.md": "a", "file": "mine", "dir/file": "mine", "empty/": "", "cache/manifest.json": `{"cache_version":"x"}`}.dir(t)
	must(t, os.Symlink("nowhere", filepath.Join(dir, "dangling")))
	must(t, os.Symlink("empty", filepath.Join(dir, "link")))
	for _, name := range []string{"file", "dir", "empty", "cache", "dangling", "link", "docs"} {
		output := filepath.Join(dir, name)
		wantRefused(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: output}, dir, cache.ErrIO, output)
	}
	wantRefused(t, build.Options{Sources: filepath.Join(dir, "docs")}, dir, cache.ErrIO, "name a directory")
	for _, force := range []bool{false, true} {
		wantRefused(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "file", "below"), Force: force}, dir, cache.ErrIO)
	}
}

func TestBUILD10ParentsAreMade(t *testing.T) {
	dir := tree{"docs/a.md": "a", "bad/a.md": "\xff", "real/": ""}.dir(t)
	must(t, os.Symlink("real", filepath.Join(dir, "link")))
	for _, output := range []string{"one", "two/three/four", "real/five/six", "link/seven/eight", "nine/", "docs/inside/cache"} {
		output = filepath.Join(dir, output) + output[len(strings.TrimRight(output, "/")):]
		built(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: output})
		if diff := cmp.Diff([]string{"a.md"}, ids(t, output)); diff != "" {
			t.Errorf("%s: %s", output, diff)
		}
	}
	// A failed build takes its parents away, and no others.
	for _, output := range []string{"new/er/cache", "two/new/cache", "link/new/cache"} {
		wantRefused(t, build.Options{Sources: filepath.Join(dir, "bad"), Output: filepath.Join(dir, output)}, dir, nil)
	}
}

func TestParentThatCannotBeMade(t *testing.T) {
	dir := tree{"docs/a.md": "a"}.dir(t)
	must(t, os.Symlink("nowhere", filepath.Join(dir, "dangling")))
	wantRefused(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "dangling", "cache")}, dir, cache.ErrIO, "dangling")
	wantRefused(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "new", strings.Repeat("x", 300))}, dir, cache.ErrIO)
	long := filepath.Join(dir, strings.Repeat("ü", 127)) // as long as a name can be
	built(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: long})
	built(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: long, Force: true})
	if diff := cmp.Diff([]string{"a.md"}, ids(t, long)); diff != "" {
		t.Error(diff)
	}
}

func TestBUILD12ForceReplacesACache(t *testing.T) {
	for name, old := range map[string]tree{
		"none":             nil,
		"empty directory":  {"cache/": ""},
		"damaged manifest": {"cache/manifest.json": "{", "cache/index.json": "", "cache/documents/0123456789ab.json": "x"},
		"no manifest":      {"cache/documents/0123456789ab.json": "x"},
		"no documents":     {"cache/manifest.json": "", "cache/documents/": ""},
		"with more inside": {"cache/manifest.json": `{"cache_version": "sha256:1"}`, "cache/.DS_Store": "", "cache/documents/stray.txt": ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := old.dir(t)
			output := filepath.Join(dir, "cache")
			for _, content := range []string{"first", "second"} {
				built(t, build.Options{Sources: tree{"a.md": content}.dir(t), Output: output, Force: true})
				if diff := cmp.Diff(map[string][2]string{"a.md": {"a.md", content}}, documents(t, output)); diff != "" {
					t.Error(diff)
				}
				if got := read(t, dir); len(got) != 5 {
					t.Errorf("what is there now: %v", got)
				}
			}
		})
	}
}

func TestForceReplacesNothingButACache(t *testing.T) {
	for name, tt := range map[string]struct {
		old   tree
		named string
	}{
		"file":                        {tree{"out/cache": "mine"}, "not a directory"},
		"directory of files":          {tree{"out/cache/mine.txt": "mine"}, `"mine.txt"`},
		"hidden file":                 {tree{"out/cache/.git/": ""}, `".git"`},
		"manifest of something else":  {tree{"out/cache/manifest.json": `{"name":"app","version":"1"}`, "out/cache/app.js": ""}, `"app.js"`},
		"documents of somebody":       {tree{"out/cache/documents/thesis.json": "mine"}, `"documents/thesis.json"`},
		"directory named as a file":   {tree{"out/cache/index.json/mine": "mine"}, `"index.json"`},
		"file named as the directory": {tree{"out/cache/documents": "mine"}, "documents"},
		"cache further down":          {tree{"out/cache/sub/manifest.json": `{"cache_version":"x"}`}, `"sub"`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tt.old.dir(t)
			tree{"docs/a.md": "a"}.write(t, dir)
			wantRefused(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "out", "cache"), Force: true},
				dir, cache.ErrIO, tt.named, filepath.Join(dir, "out", "cache"))
		})
	}
}

func TestForceLeavesTheOldCacheWhenItFails(t *testing.T) {
	dir := tree{"docs/a.md": "a", "bad/a.md": "\xff", "twice/a.md": "1", "twice/A.md": "2", "alike/a.md": "", "alike/b.md": ""}.dir(t)
	output := filepath.Join(dir, "cache")
	built(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: output})
	for sources, kind := range map[string]error{"bad": nil, "twice": cache.ErrInvalid, "alike": nil, "missing": cache.ErrIO} {
		for _, base := range []string{"", output} {
			wantRefused(t, build.Options{Sources: filepath.Join(dir, sources), Output: output, Force: true, Base: base}, dir, kind)
		}
	}
}

// The documents of a cache may be a link; what it leads to is not the cache's.
func TestForceRemovesNoFilesThroughLinks(t *testing.T) {
	elsewhere := tree{"0123456789ab.json": "mine"}.dir(t)
	dir := tree{"docs/a.md": "a", "cache/manifest.json": ""}.dir(t)
	output := filepath.Join(dir, "cache")
	must(t, os.Symlink(elsewhere, filepath.Join(output, "documents")))
	built(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: output, Force: true})
	if diff := cmp.Diff([]string{"a.md"}, ids(t, output)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(tree{"0123456789ab.json": "mine"}, read(t, elsewhere)); diff != "" {
		t.Error(diff)
	}
}

func TestForceThroughALink(t *testing.T) {
	dir := tree{"docs/a.md": "a", "elsewhere/cache/": ""}.dir(t)
	must(t, os.Symlink(filepath.Join("elsewhere", "cache"), filepath.Join(dir, "link")))
	output := filepath.Join(dir, "link")
	for range 2 {
		built(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: output, Force: true})
		if info, err := os.Lstat(output); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link is gone: %v, %v", info, err)
		}
		if diff := cmp.Diff([]string{"a.md"}, ids(t, filepath.Join(dir, "elsewhere", "cache"))); diff != "" {
			t.Error(diff)
		}
		if got := read(t, filepath.Join(dir, "elsewhere")); len(got) != 5 {
			t.Errorf("beside the cache: %v", got)
		}
	}
	must(t, os.Symlink("nowhere", filepath.Join(dir, "dangling")))
	wantRefused(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "dangling"), Force: true}, dir, cache.ErrIO, "dangling")
	must(t, os.Symlink("docs", filepath.Join(dir, "to-docs")))
	wantRefused(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "to-docs"), Force: true}, dir, cache.ErrIO, "inside")
}

func TestSourcesAreNotReplaced(t *testing.T) {
	dir := tree{"docs/": "", "cache/manifest.json": `{"cache_version":"x"}`, "cache/docs/a.md": "a"}.dir(t)
	for sources, output := range map[string]string{"docs": "docs", "cache/docs": "cache", "cache": "cache"} {
		wantRefused(t, build.Options{Sources: filepath.Join(dir, sources), Output: filepath.Join(dir, output), Force: true}, dir, cache.ErrIO, "inside")
	}
	must(t, os.Symlink("cache", filepath.Join(dir, "link")))
	t.Chdir(filepath.Join(dir, "link", "docs"))
	wantRefused(t, build.Options{Sources: ".", Output: filepath.Join(dir, "cache"), Force: true}, dir, cache.ErrIO, "inside")
	wantRefused(t, build.Options{Sources: ".", Output: "..", Force: true}, dir, cache.ErrIO, "inside")
	// Beside is not inside, even if the path begins alike.
	built(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "doc"), Force: true})
	built(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "docs-cache"), Force: true})
}

func TestCacheInsideItsSources(t *testing.T) {
	dir := tree{"a.md": "a", "sub/b.md": "b"}.dir(t)
	output := filepath.Join(dir, "sub", ".cache")
	for range 3 {
		built(t, build.Options{Sources: dir, Output: output, Force: true, Base: ""})
		if diff := cmp.Diff([]string{"a.md", "sub/b.md"}, ids(t, output)); diff != "" {
			t.Error(diff)
		}
	}
}

// What is left beside the output, and is not of a killed build, stays.
func TestNeighboursStay(t *testing.T) {
	random := "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	neighbours := tree{
		".cache.building-notes/mine": "mine", ".cache.building-" + random: "a file", ".cache.building-" + strings.ToLower(random) + "/mine": "mine",
		".cache.building-" + random + "X/mine": "mine", "cache.building-" + random + "/mine": "mine", ".cache2.building-" + random + "/mine": "mine",
		".cache.old-" + random + "/mine": "mine",
	}
	dir := neighbours.dir(t)
	must(t, os.Symlink(t.TempDir(), filepath.Join(dir, ".cache.building-"+strings.Repeat("A", 26))))
	before := read(t, dir)
	built(t, build.Options{Sources: tree{}.dir(t), Output: filepath.Join(dir, "cache")})
	must(t, os.RemoveAll(filepath.Join(dir, "cache")))
	if diff := cmp.Diff(before, read(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestRenamesWithoutHelpOfTheSystem(t *testing.T) {
	before := tree{"new/manifest.json": "new", "cache/manifest.json": "old", "empty/": "", "file": ""}
	dir := before.dir(t)
	before = read(t, dir)
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, to := range []string{"cache", "empty", "file"} {
		if err := build.RenameChecked(in("new"), in(to)); !errors.Is(err, fs.ErrExist) {
			t.Errorf("renamed to %s: %v", to, err)
		}
	}
	for _, missing := range [][2]string{{"missing", "cache"}, {"new", "missing"}} {
		if err := build.ExchangeStepwise(in(missing[0]), in(missing[1])); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("exchanged %v: %v", missing, err)
		}
	}
	if diff := cmp.Diff(before, read(t, dir)); diff != "" {
		t.Errorf("changed after failures\n%s", diff)
	}
	must(t, build.ExchangeStepwise(in("new"), in("cache")))
	must(t, build.RenameChecked(in("new"), in("other")))
	want := tree{"cache/": "", "cache/manifest.json": "new", "other/": "", "other/manifest.json": "old", "empty/": "", "file": ""}
	if diff := cmp.Diff(want, read(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// Nobody loses anything by a wrong output path: what looks like a cache but for
// something else inside, or only has a name in common with one, stays.
func TestForceReplacesNothingElse(t *testing.T) {
	for name, old := range map[string]tree{
		"manifest of a web app": {"cache/manifest.json": `{"name":"My web app"}`},
		"index of something":    {"cache/index.json": "[]"},
		"notes in a cache":      {"cache/manifest.json": `{"cache_version": "sha256:1"}`, "cache/documents/": "", "cache/NOTES.txt": "mine"},
		"repository in a cache": {"cache/manifest.json": `{"cache_version": "sha256:1"}`, "cache/documents/": "", "cache/.git/config": ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := old.dir(t)
			output := filepath.Join(dir, "cache")
			wantRefused(t, build.Options{Sources: tree{"a.md": "a"}.dir(t), Output: output, Force: true}, dir, cache.ErrIO, "not a cache")
		})
	}
}
