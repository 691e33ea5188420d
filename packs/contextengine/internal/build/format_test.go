package build_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/build"
	"mcpworks/packs/contextengine/internal/cache"

	"github.com/google/go-cmp/cmp"
)

// The whole of a small cache, byte for byte: CACHE-1 to CACHE-5, CACHE-7,
// CACHE-8, CACHE-10, DOC-3 and DOC-10.
func TestCacheOfTwoDocuments(t *testing.T) {
	const hello = "64ec88ca00b268e5ba1a35678a1b5316d212f4f366b2477232534a8aeca37f3c"
	const goodbye = "b4dabda568d0368a42a46108e8c669e1d9b18c0dad248de2068b07a730f524a2"
	const version = "sha256:3deedf930f16b9c9e63e1e5b176d0a37457d6452c52277bae53aa25870bf1d71"
	dir, report := built(t, build.Options{Sources: tree{"Hello.md": "Hello world", "goodbye.md": "Goodbye world"}.dir(t)})
	want := tree{
		"documents/":                  "",
		"documents/64ec88ca00b2.json": `{"id":"hello.md","version":"sha256:` + hello + `","source":"Hello.md","content":"Hello world","metadata":{}}`,
		"documents/b4dabda568d0.json": `{"id":"goodbye.md","version":"sha256:` + goodbye + `","source":"goodbye.md","content":"Goodbye world","metadata":{}}`,
		"index.json": `{
  "goodbye.md": "documents/b4dabda568d0.json",
  "hello.md": "documents/64ec88ca00b2.json"
}`,
		"manifest.json": `{
  "cache_version": "` + version + `",
  "build_config": {
    "version": "1",
    "hash_algorithm": "sha256"
  },
  "created_at": "` + createdAt + `",
  "document_count": 2,
  "documents": [
    {
      "id": "goodbye.md",
      "version": "sha256:` + goodbye + `",
      "file": "documents/b4dabda568d0.json"
    },
    {
      "id": "hello.md",
      "version": "sha256:` + hello + `",
      "file": "documents/64ec88ca00b2.json"
    }
  ]
}`,
	}
	if diff := cmp.Diff(want, read(t, dir)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(build.Report{Documents: 2, CacheVersion: version}, report); diff != "" {
		t.Error(diff)
	}
}

func TestBUILD15CACHE12EmptySources(t *testing.T) {
	const version = "sha256:a77ff76f65e3cd4cd0071b4af8f5294a77f67b6fe0c938a383db5e1271e913ee"
	for name, files := range map[string]tree{"empty": {}, "nothing to ingest": {"notes.txt": "text", "sub/": ""}} {
		dir, report := built(t, build.Options{Sources: files.dir(t)})
		if diff := cmp.Diff(build.Report{CacheVersion: version}, report); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		got := read(t, dir)
		if diff := cmp.Diff([]string{"documents/", "index.json", "manifest.json"}, slices.Sorted(maps.Keys(got))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if got["index.json"] != "{}" {
			t.Errorf("%s: index is %s", name, got["index.json"])
		}
		if found := ids(t, dir); len(found) != 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// A manifest, as another program reads it.
type manifest struct {
	CacheVersion  string            `json:"cache_version"`
	BuildConfig   map[string]string `json:"build_config"`
	CreatedAt     string            `json:"created_at"`
	DocumentCount int               `json:"document_count"`
	Documents     []struct{ ID, Version, File string }
}

// CACHE-2, CACHE-4, CACHE-5, CACHE-7 to CACHE-9 and CACHE-11 hold of a cache
// with ids that need care: escapes, and an order of bytes that is not that of
// letters.
func TestCacheHoldsTogether(t *testing.T) {
	files := tree{}
	for _, name := range []string{"a.md", "a/b.md", "a-b.md", "a b.md", "Ä.md", "z.md", "\U0001f600.md", "\uffff.md", "quote\".md", "tab\t.md", "[x].md", "日本.md"} {
		files[name] = "content of " + name
	}
	dir := builtFrom(t, files)
	got := read(t, dir)
	var m manifest
	var index map[string]string
	must(t, json.Unmarshal([]byte(got["manifest.json"]), &m))
	must(t, json.Unmarshal([]byte(got["index.json"]), &index))

	hashed := `{"version":"1","hash_algorithm":"sha256"}`
	var sorted []string
	named := map[string]string{}
	inUse := tree{"manifest.json": "", "index.json": "", "documents/": ""}
	for _, d := range m.Documents {
		hashed += d.ID + ":" + d.Version
		sorted = append(sorted, d.ID)
		named[d.ID] = d.File
		inUse[d.File] = ""
		if want := "documents/" + d.Version[len("sha256:"):][:12] + ".json"; d.File != want {
			t.Errorf("CACHE-5: file of %q is %s, want %s", d.ID, d.File, want)
		}
	}
	if want := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(hashed))); m.CacheVersion != want {
		t.Errorf("CACHE-2: cache version %s, want %s", m.CacheVersion, want)
	}
	if !slices.IsSorted(sorted) {
		t.Errorf("CACHE-4: documents are in the order %q", sorted)
	}
	if m.DocumentCount != len(files) || len(m.Documents) != len(files) {
		t.Errorf("CACHE-7: count %d, %d documents of %d files", m.DocumentCount, len(m.Documents), len(files))
	}
	if diff := cmp.Diff(named, index); diff != "" {
		t.Errorf("CACHE-9: manifest and index differ\n%s", diff)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(inUse)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Errorf("CACHE-11: files that nothing names, or none for a name\n%s", diff)
	}
	keys := regexp.MustCompile(`(?m)^  (".*"): "documents/`).FindAllStringSubmatch(got["index.json"], -1)
	for i, id := range sorted {
		if key := ""; json.Unmarshal([]byte(keys[i][1]), &key) != nil || key != id {
			t.Errorf("CACHE-8: key %d of the index is %s, want %q", i, keys[i][1], id)
		}
	}
	for name, text := range got {
		if strings.HasSuffix(text, "\n") {
			t.Errorf("%s ends in a newline", name)
		}
	}
}

func TestCacheIsReadByItsReader(t *testing.T) {
	dir := builtFrom(t, tree{"a.md": "a", "Sub/B.md": "b", "empty.md": ""})
	problems, _, err := cache.Verify(t.Context(), dir)
	if len(problems) > 0 || err != nil {
		t.Errorf("%q, %v", problems, err)
	}
}

func TestCACHE6CreatedAt(t *testing.T) {
	sources := tree{"a.md": "a"}.dir(t)
	for _, good := range []string{"1970-01-01T00:00:00Z", "2026-02-09T15:12:47.1Z", "2026-02-09T15:12:47.123456789Z"} {
		dir, _ := built(t, build.Options{Sources: sources, CreatedAt: good})
		if got := read(t, dir)["manifest.json"]; !strings.Contains(got, `"created_at": "`+good+`"`) {
			t.Errorf("no %s in\n%s", good, got)
		}
	}
	dir := t.TempDir()
	for _, bad := range []string{"", "now", "2026-02-09", "2026-02-30T00:00:00Z", "2026-02-09T15:12:47+01:00", `"`} {
		_, err := build.Build(t.Context(), build.Options{Sources: sources, Output: filepath.Join(dir, "cache"), CreatedAt: bad})
		wantKind(t, err, nil)
	}
	if left := read(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Others may read a cache as they may read anything else that is made here.
func TestCacheHasOrdinaryPermissions(t *testing.T) {
	dir := builtFrom(t, tree{"a.md": "a"})
	plain := t.TempDir()
	tree{"dir/file": ""}.write(t, plain)
	for name, like := range map[string]string{
		".": "dir", "documents": "dir", "manifest.json": "dir/file", "index.json": "dir/file", "documents/ca978112ca1b.json": "dir/file",
	} {
		got, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		want, err := os.Stat(filepath.Join(plain, like))
		must(t, err)
		if got.Mode() != want.Mode() {
			t.Errorf("%s: %v, want %v", name, got.Mode(), want.Mode())
		}
	}
}
