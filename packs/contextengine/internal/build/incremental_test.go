package build_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/build"
	"mcpworks/packs/contextengine/internal/cache"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestIncrementalBuildReusesWhatIsTheSame(t *testing.T) {
	sources := tree{"a.md": "a", "b.md": "b", "c.md": "c", "gone.md": "gone"}.dir(t)
	base, _ := built(t, build.Options{Sources: sources})
	must(t, os.Remove(filepath.Join(sources, "gone.md")))
	must(t, os.Rename(filepath.Join(sources, "c.md"), filepath.Join(sources, "C.md"))) // same id, other source
	tree{"b.md": "changed", "new.md": "new"}.write(t, sources)
	full, want := built(t, build.Options{Sources: sources})
	got, report := built(t, build.Options{Sources: sources, Base: base})
	if want.Reused = 1; report != want {
		t.Errorf("%+v, want %+v", report, want)
	}
	if diff := cmp.Diff(read(t, full), read(t, got)); diff != "" {
		t.Error(diff)
	}
	const ofA = "documents/ca978112ca1b.json"
	if !sameFile(t, filepath.Join(base, ofA), filepath.Join(got, ofA)) {
		t.Error("the document that is the same was written again")
	}
}

func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	first, err := os.Stat(a)
	must(t, err)
	second, err := os.Stat(b)
	must(t, err)
	return os.SameFile(first, second)
}

func TestIncrementalBuildOfTheCacheItReplaces(t *testing.T) {
	dir := tree{"docs/a.md": "a", "docs/b.md": "b"}.dir(t)
	o := build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache"), Force: true}
	built(t, o)
	o.Base = o.Output
	for i := range 3 {
		tree{"docs/b.md": fmt.Sprint("b", i)}.write(t, dir)
		if _, report := built(t, o); report.Reused != 1 || report.Documents != 2 {
			t.Errorf("%+v", report)
		}
		if got := documents(t, o.Output)["b.md"][1]; got != fmt.Sprint("b", i) {
			t.Errorf("b.md is %s", got)
		}
	}
	if _, report := built(t, o); report.Reused != 2 {
		t.Errorf("%+v", report)
	}
}

func TestBaseThatCannotBeUsed(t *testing.T) {
	dir := tree{"docs/a.md": "a", "file": "", "empty/": "", "damaged/manifest.json": "{"}.dir(t)
	for base, kind := range map[string]error{
		"missing": cache.ErrMissing, "file": cache.ErrMissing, "empty": cache.ErrInvalid, "damaged": cache.ErrInvalid,
	} {
		path := filepath.Join(dir, base)
		wantRefused(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache"), Base: path}, dir, kind, path)
	}
}

// The base's word is not taken: only what would be written is reused.
func TestDamagedDocumentsOfABaseAreWrittenAgain(t *testing.T) {
	const ofA = "documents/ca978112ca1b.json"
	sources := tree{"a.md": "a", "b.md": "b"}.dir(t)
	full, _ := built(t, build.Options{Sources: sources})
	for name, damage := range map[string]func(path string) error{
		"missing":   os.Remove,
		"cut":       func(path string) error { return os.Truncate(path, 10) },
		"empty":     func(path string) error { return os.Truncate(path, 0) },
		"same size": func(path string) error { return os.WriteFile(path, []byte(strings.Repeat(" ", 131)), 0o666) },
		"longer": func(path string) error {
			return os.WriteFile(path, []byte(read(t, full)[ofA]+"\n"), 0o666)
		},
		"other source": func(path string) error {
			return os.WriteFile(path, []byte(strings.Replace(read(t, full)[ofA], `"source":"a.md"`, `"source":"A.md"`, 1)), 0o666)
		},
		"unusual permissions": func(path string) error { return os.Chmod(path, 0o400) },
		"directory": func(path string) error {
			must(t, os.Remove(path))
			return os.Mkdir(path, 0o777)
		},
		"link": func(path string) error {
			must(t, os.Rename(path, path+"~"))
			return os.Symlink(path+"~", path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			base, _ := built(t, build.Options{Sources: sources})
			path := filepath.Join(base, ofA)
			must(t, damage(path))
			before := read(t, base)
			got, report := built(t, build.Options{Sources: sources, Base: base})
			if report.Reused != 1 || report.Documents != 2 {
				t.Errorf("%+v", report)
			}
			if diff := cmp.Diff(read(t, full), read(t, got)); diff != "" {
				t.Error(diff)
			}
			if info, err := os.Lstat(filepath.Join(got, ofA)); err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o600 != 0o600 {
				t.Errorf("%v, %v", info, err)
			}
			if diff := cmp.Diff(before, read(t, base)); diff != "" {
				t.Errorf("CACHE-14: the base changed\n%s", diff)
			}
		})
	}
}

func TestIncrementalBuildFindsTheSameFaults(t *testing.T) {
	dir := tree{"docs/a.md": "a", "docs/b.md": "b"}.dir(t)
	o := build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache"), Base: filepath.Join(dir, "base")}
	built(t, build.Options{Sources: o.Sources, Output: o.Base})
	tree{"docs/c.md": "a"}.write(t, dir)
	wantRefused(t, o, dir, nil, `"a.md" and "c.md"`)
	tree{"docs/0.md": "b", "docs/c.md": "c"}.write(t, dir)
	wantRefused(t, o, dir, nil, `"0.md" and "b.md"`)
	tree{"docs/0.md": "\xff"}.write(t, dir)
	wantRefused(t, o, dir, nil, `"0.md"`)
}

// Section 17.6: whatever was changed since the base, the result is that of a
// full build.
func TestIncrementalBuildIsAFullBuild(t *testing.T) {
	dir := t.TempDir()
	var round int
	names := rapid.StringMatching(`([ab]/)?[A-Ca-cä]\.md`)
	rapid.Check(t, func(t *rapid.T) {
		round++
		at := filepath.Join(dir, fmt.Sprint(round))
		sources, base := filepath.Join(at, "docs"), ""
		must(t, os.MkdirAll(sources, 0o777))
		for step := range rapid.IntRange(2, 3).Draw(t, "steps") {
			edit(t, sources, rapid.MapOfN(names, rapid.IntRange(0, 9), 0, 6).Draw(t, "edits"))
			o := build.Options{Sources: sources, Output: filepath.Join(at, fmt.Sprint("full", step)), CreatedAt: createdAt}
			report, err := build.Build(t.Context(), o)
			full := o.Output
			o.Base, o.Output = base, filepath.Join(at, fmt.Sprint("incremental", step))
			again, errAgain := build.Build(t.Context(), o)
			if fmt.Sprint(err) != fmt.Sprint(errAgain) {
				t.Fatalf("full: %v; incremental: %v", err, errAgain)
			}
			if err != nil {
				continue
			}
			again.Reused = 0
			if report != again {
				t.Fatalf("full: %+v; incremental: %+v", report, again)
			}
			if diff := cmp.Diff(read(t, full), read(t, o.Output)); diff != "" {
				t.Fatal(diff)
			}
			base = o.Output
		}
	})
}

// edit writes files whose contents are given by a number, or removes them for
// a 0.
func edit(t *rapid.T, dir string, edits map[string]int) {
	for _, name := range slices.Sorted(maps.Keys(edits)) {
		path := filepath.Join(dir, name)
		if edits[name] == 0 {
			_ = os.Remove(path)
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must(t, os.WriteFile(path, []byte(strings.Repeat("x", edits[name])+strings.ToLower(name)), 0o666))
	}
}
