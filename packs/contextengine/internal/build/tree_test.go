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

const createdAt = "2026-02-09T15:12:47.167354Z"

// A tree is the files of a directory: contents by path, with slashes. The path
// of a directory ends in a slash.
type tree map[string]string

type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

// write makes the files below dir.
func (files tree) write(t failer, dir string) {
	t.Helper()
	for path, content := range files {
		full := filepath.Join(dir, path)
		if strings.HasSuffix(path, "/") {
			must(t, os.MkdirAll(full, 0o777))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(full), 0o777))
		must(t, os.WriteFile(full, []byte(content), 0o666))
	}
}

// dir makes the files in a directory of their own.
func (files tree) dir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	files.write(t, dir)
	return dir
}

// read returns all that is below dir. Of what is not a file, it returns the
// kind.
func read(t failer, dir string) tree {
	t.Helper()
	files := tree{}
	must(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		below, _ := filepath.Rel(dir, path)
		switch {
		case entry.IsDir():
			files[below+"/"] = ""
		case entry.Type().IsRegular():
			content, err := os.ReadFile(path)
			files[below] = string(content)
			return err
		default:
			files[below] = entry.Type().String()
		}
		return nil
	}))
	return files
}

// documents returns the sources and contents that a cache has, by id.
func documents(t failer, dir string) map[string][2]string {
	t.Helper()
	c, err := cache.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	found := map[string][2]string{}
	for i := range c.Manifest().Entries {
		d, err := c.Document(i)
		if err != nil {
			t.Fatal(err)
		}
		found[d.ID] = [2]string{d.Source, d.Content}
	}
	return found
}

// ids returns the ids of a cache in the order of its manifest.
func ids(t failer, dir string) []string {
	t.Helper()
	c, err := cache.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var found []string
	for _, entry := range c.Manifest().Entries {
		found = append(found, entry.ID)
	}
	return found
}

// built makes a cache in a new directory.
func built(t testing.TB, o build.Options) (dir string, report build.Report) {
	t.Helper()
	if o.Output == "" {
		o.Output = filepath.Join(t.TempDir(), "cache")
	}
	if o.CreatedAt == "" {
		o.CreatedAt = createdAt
	}
	report, err := build.Build(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return o.Output, report
}

// builtFrom makes a cache of files.
func builtFrom(t testing.TB, files tree) string {
	t.Helper()
	dir, _ := built(t, build.Options{Sources: files.dir(t)})
	return dir
}

// wantRefused builds, and checks that it fails with an error of the kind, or of
// none if that is nil, which names all that it should, and that everything
// below parent is as before.
func wantRefused(t testing.TB, o build.Options, parent string, kind error, named ...string) {
	t.Helper()
	before := read(t, parent)
	o.CreatedAt = createdAt
	report, err := build.Build(t.Context(), o)
	wantKind(t, err, kind)
	if report != (build.Report{}) {
		t.Errorf("report of a failed build: %+v", report)
	}
	for _, name := range named {
		if err != nil && !strings.Contains(err.Error(), name) {
			t.Errorf("%q does not name %s", err, name)
		}
	}
	if diff := cmp.Diff(before, read(t, parent)); diff != "" {
		t.Errorf("the failed build changed (-before +after)\n%s", diff)
	}
}

// wantKind checks that err is one of package cache's kinds, or, for nil, none.
func wantKind(t failer, err, kind error) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want %v", kind)
	}
	for _, each := range []error{cache.ErrMissing, cache.ErrInvalid, cache.ErrIO} {
		if errors.Is(err, each) != (each == kind) {
			t.Errorf("error %q: is %q: %v", err, each, each != kind)
		}
	}
}

func must(t failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
