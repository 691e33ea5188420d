//go:build unix

package cache_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
)

// mode changes permissions until the end of the test.
func mode(name string, permissions os.FileMode) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		path := filepath.Join(dir, name)
		before, err := os.Stat(path)
		cachetest.Must(t, err)
		cachetest.Must(t, os.Chmod(path, permissions))
		t.Cleanup(func() { os.Chmod(path, before.Mode()) })
	}
}

// What exists but may not be read is an error of the system, not of the cache
// (LOAD-3, LOAD-8, ERR-6).
func TestPermissions(t *testing.T) {
	if !cachetest.AsUser(t) {
		return
	}
	checkLoads(t, []loadCase{
		{"LOAD-3 manifest", mode("manifest.json", 0), cache.ErrIO},
		{"LOAD-3 manifest through a link", both(moveAndLink("manifest.json", "real.json", "DIR/real.json"), mode("real.json", 0)), cache.ErrIO},
		{"LOAD-3 before LOAD-4", both(put("manifest.json", "{}"), mode("manifest.json", 0)), cache.ErrIO},
		{"LOAD-8 document", mode(fileA, 0), cache.ErrIO},
		{"LOAD-8 document through a link", both(moveAndLink(fileA, "real.json", "../real.json"), mode("real.json", 0)), cache.ErrIO},
		{"LOAD-8 documents directory", mode("documents", 0), cache.ErrIO},
		{"LOAD-8 the first failure decides", both(mode(fileA, 0), remove(fileB)), cache.ErrIO},
		{"LOAD-8 the first failure decides, otherwise", both(mode(fileB, 0), remove(fileA)), cache.ErrInvalid},
		{"LOAD-4 before LOAD-8", both(put("manifest.json", "{}"), mode("documents", 0)), cache.ErrInvalid},
		{"LOAD-10 index", mode("index.json", 0), nil},
		{"LOAD-11 extra file", both(put("documents/x", ""), mode("documents/x", 0)), nil},
		{"LOAD-12 read-only cache", both(both(mode("manifest.json", 0o444), mode(fileA, 0o400)), both(mode("documents", 0o555), mode(".", 0o555))), nil},
	})
}

// The first failure decides in a large cache, too, whichever worker finds it.
func TestTheFirstFailureDecides(t *testing.T) {
	if !cachetest.AsUser(t) {
		return
	}
	docs := cachetest.Docs{}
	for i := range 150 {
		docs[fmt.Sprintf("%03d", i)] = fmt.Sprint("content ", i)
	}
	dir := t.TempDir()
	docs.Write(t, dir)
	for i := 20; i < 150; i += 10 {
		mode(cachetest.File(docs[fmt.Sprintf("%03d", i)]), 0)(t, dir)
		remove(cachetest.File(docs[fmt.Sprintf("%03d", i+1)]))(t, dir)
	}
	for range 20 {
		if _, err := openAll(t, dir); isOne(err) != isOne(cache.ErrIO) {
			t.Fatalf("error %v, want that of 020", err)
		}
	}
	remove(cachetest.File(docs["019"]))(t, dir)
	for range 20 {
		if _, err := openAll(t, dir); isOne(err) != isOne(cache.ErrInvalid) || !strings.Contains(err.Error(), filepath.Base(cachetest.File(docs["019"]))) {
			t.Fatalf("error %v, want that of 019", err)
		}
	}
}

// INS-7, INS-8 and CLI-7.
func TestInspectPermissions(t *testing.T) {
	if !cachetest.AsUser(t) {
		return
	}
	root := t.TempDir()
	dir := filepath.Join(root, "cache")
	two.Write(t, dir)
	mode("manifest.json", 0)(t, dir)
	if got, err := cache.InspectBelow(root, "cache"); isOne(err) != isOne(cache.ErrIO) {
		t.Errorf("INS-7: %+v, %v", got, err)
	}
	if got, err := cache.Inspect(t.Context(), dir); isOne(err) != isOne(cache.ErrIO) {
		t.Errorf("CLI-7: %+v, %v", got, err)
	}
	cachetest.Must(t, os.Chmod(filepath.Join(dir, "manifest.json"), 0o600))
	for name, want := range map[string]int{fileA: 1, "index.json": 1, "documents": 3} { // the directory, and each of its two
		mode(name, 0)(t, dir)
		got, err := cache.Inspect(t.Context(), dir)
		if err != nil || got.Valid || got.CacheVersion != two.CacheVersion() || got.DocumentCount != 2 {
			t.Errorf("CLI-7 with unreadable %s: %+v, %v", name, got, err)
		}
		if problems, _, err := cache.Verify(t.Context(), dir); err != nil || len(problems) != want {
			t.Errorf("VERIFY with unreadable %s: %q, %v", name, problems, err)
		}
		if got, err := cache.InspectBelow(root, "cache"); err != nil || !got.Valid {
			t.Errorf("INS-4 looks at no %s: %+v, %v", name, got, err)
		}
		cachetest.Must(t, os.Chmod(filepath.Join(dir, name), 0o700))
	}
}

// LIST-6.
func TestListPermissions(t *testing.T) {
	if !cachetest.AsUser(t) {
		return
	}
	root := t.TempDir()
	two.Write(t, filepath.Join(root, "cache"))
	mode("manifest.json", 0)(t, filepath.Join(root, "cache"))
	if got, err := cache.List(root); err != nil || string(cache.AppendList(nil, got)) != `{"caches":[{"path":"cache","has_manifest":true}]}` {
		t.Errorf("LIST-2 the manifest is not read: %v, %v", got, err)
	}
	mode("cache", 0)(t, root)
	if got, err := cache.List(root); isOne(err) != isOne(cache.ErrIO) {
		t.Errorf("a child cannot be examined: %v, %v", got, err)
	}
	mode(".", 0o100)(t, root)
	if got, err := cache.List(root); isOne(err) != isOne(cache.ErrIO) {
		t.Errorf("the root cannot be enumerated: %v, %v", got, err)
	}
	mode(".", 0)(t, root)
	if got, err := cache.List(filepath.Join(root, "cache")); isOne(err) != isOne(cache.ErrMissing) {
		t.Errorf("LIST-5 SEC-2 the root cannot be reached: %v, %v", got, err)
	}
}

// SEC-2: what is not permitted does not exist, for a client.
func TestUnreachableBelow(t *testing.T) {
	if !cachetest.AsUser(t) {
		return
	}
	root := t.TempDir()
	two.Write(t, filepath.Join(root, "closed", "cache"))
	mode("closed", 0)(t, root)
	if _, err := cache.OpenBelow(root, "closed/cache"); !errors.Is(err, cache.ErrMissing) || isOne(err) != 1 {
		t.Errorf("OpenBelow: %v", err)
	}
	if _, err := cache.InspectBelow(root, "closed/cache"); !errors.Is(err, cache.ErrMissing) || isOne(err) != 1 {
		t.Errorf("InspectBelow: %v", err)
	}
}
