package cache_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
)

// INS-2 to INS-6: what the server shows, whatever the manifest is.
func TestInspectBelow(t *testing.T) {
	const nothingKnown = `{"cache_version":"","document_count":0,"total_bytes":0,"valid":false}`
	invalid := func(version, count string) string {
		return fmt.Sprintf(`{"cache_version":%s,"document_count":%s,"total_bytes":0,"valid":false}`, version, count)
	}
	valid := func(version, count, manifest string) string {
		return fmt.Sprintf(`{"cache_version":%s,"document_count":%s,"total_bytes":%d,"valid":true}`, version, count, len(manifest)+len(two.Index()))
	}
	good := string(two.Manifest())
	root := t.TempDir()
	dir := filepath.Join(root, "cache")
	two.Write(t, dir)
	for _, tt := range []struct{ rule, manifest, want string }{
		{"INS-2", good, valid(cachetest.Quote(two.CacheVersion()), "2", good)},
		{"INS-4 no hash is checked", `{"cache_version":"v1","document_count":0}`, valid(`"v1"`, "0", `{"cache_version":"v1","document_count":0}`)},
		{"INS-4 other members do not matter", `{"documents":null,"document_count":7,"cache_version":""}`, valid(`""`, "7", `{"documents":null,"document_count":7,"cache_version":""}`)},
		{"X-25 future format", strings.Replace(good, `"version": "1"`, `"version": "9"`, 1), valid(cachetest.Quote(two.CacheVersion()), "2", good)},
		{"INS-3 largest count", `{"cache_version":"v","document_count":18446744073709551615}`, valid(`"v"`, "18446744073709551615", `{"cache_version":"v","document_count":18446744073709551615}`)},
		{"JSON-2 version with all kinds of characters", `{"cache_version":"\u0001\"é\ud83d\ude00","document_count":1}`, valid(`"\u0001\"é😀"`, "1", `{"cache_version":"\u0001\"é\ud83d\ude00","document_count":1}`)},
		{"INS-3 no version", `{"document_count":2}`, invalid(`""`, "2")},
		{"INS-3 version is a number", `{"cache_version":1,"document_count":2}`, invalid(`""`, "2")},
		{"INS-3 version is null", `{"cache_version":null,"document_count":2}`, invalid(`""`, "2")},
		{"INS-3 no count", `{"cache_version":"v"}`, invalid(`"v"`, "0")},
		{"INS-3 count is negative", `{"cache_version":"v","document_count":-1}`, invalid(`"v"`, "0")},
		{"INS-3 count is a fraction", `{"cache_version":"v","document_count":1.0}`, invalid(`"v"`, "0")},
		{"INS-3 count has an exponent", `{"cache_version":"v","document_count":1e1}`, invalid(`"v"`, "0")},
		{"INS-3 count is a string", `{"cache_version":"v","document_count":"1"}`, invalid(`"v"`, "0")},
		{"INS-3 names in other case", `{"Cache_Version":"v","DOCUMENT_COUNT":1}`, nothingKnown},
		{"INS-3 empty object", `{}`, nothingKnown},
		{"INS-3 array", `["cache_version","v"]`, nothingKnown},
		{"INS-3 string", `"cache_version"`, nothingKnown},
		{"INS-3 null", `null`, nothingKnown},
		{"INS-6 not JSON", "not-json\n", nothingKnown},
		{"INS-6 empty", "", nothingKnown},
		{"INS-6 cut off", good[:len(good)-1], nothingKnown},
		{"INS-6 not UTF-8", `{"cache_version":"` + "\xff" + `","document_count":1}`, nothingKnown},
		{"INS-6 lone surrogate", `{"cache_version":"\ud800","document_count":1}`, nothingKnown},
		{"INS-6 two values", good + good, nothingKnown},
	} {
		put("manifest.json", tt.manifest)(t, dir)
		got, err := cache.InspectBelow(root, "cache")
		if text := string(got.AppendJSON(nil)); err != nil || text != tt.want {
			t.Errorf("%s: %s, %v; want %s", tt.rule, text, err, tt.want)
		}
	}
}

// INS-5, INS-6 and INS-8: which files count, and what is no manifest.
func TestInspectBelowFiles(t *testing.T) {
	size := int64(len(two.Manifest()) + len(two.Index()))
	root := t.TempDir()
	for i, tt := range []struct {
		rule  string
		alter func(*testing.T, string)
		total int64
		valid bool
	}{
		{"INS-5 manifest and index", nothing, size, true},
		{"INS-5 all files directly inside", both(put("x", "12345"), put(".y", "123")), size + 8, true},
		{"INS-5 not descending", put("documents/x", "12345"), size, true},
		{"INS-4 no document is looked at", remove("documents"), size, true},
		{"INS-4 no index", remove("index.json"), int64(len(two.Manifest())), true},
		{"INS-6 absent", remove("manifest.json"), 0, false},
		{"INS-6 a directory", putDirectory("manifest.json"), 0, false},
	} {
		name := fmt.Sprint(i)
		two.Write(t, filepath.Join(root, name))
		tt.alter(t, filepath.Join(root, name))
		got, err := cache.InspectBelow(root, name)
		if err != nil || got.TotalBytes != tt.total || got.Valid != tt.valid || !tt.valid && got != (cache.Inspection{}) {
			t.Errorf("%s: %+v, %v", tt.rule, got, err)
		}
	}
}

// LIST-1 to LIST-5.
func TestList(t *testing.T) {
	root := t.TempDir()
	if got, err := cache.List(root); err != nil || string(cache.AppendList(nil, got)) != `{"caches":[]}` {
		t.Errorf("LIST-4 an empty root: %v, %v", got, err)
	}
	for _, name := range []string{"b", "a", "Z", "é", "日本", "a-b", "a b", "a.b", ".hidden", "\U0001f600", "\uffff", `q"\`, "10", "9", "aa", "A"} {
		cachetest.Must(t, os.Mkdir(filepath.Join(root, name), 0o755))
	}
	put("a/manifest.json", "{}")(t, root)
	put("b/manifest.json", "")(t, root)
	putDirectory("Z/manifest.json")(t, root)
	putDirectory("aa/deeper")(t, root)
	put("aa/deeper/manifest.json", "{}")(t, root)
	put("A/Manifest.json", "{}")(t, root)
	put("file", "")(t, root)
	put("manifest.json", "{}")(t, root)
	want := `{"caches":[` + strings.Join([]string{
		`{"path":".hidden","has_manifest":false}`, `{"path":"10","has_manifest":false}`, `{"path":"9","has_manifest":false}`,
		`{"path":"A","has_manifest":false}`, `{"path":"Z","has_manifest":false}`, `{"path":"a","has_manifest":true}`,
		`{"path":"a b","has_manifest":false}`, `{"path":"a-b","has_manifest":false}`, `{"path":"a.b","has_manifest":false}`,
		`{"path":"aa","has_manifest":false}`, `{"path":"b","has_manifest":true}`, `{"path":"q\"\\","has_manifest":false}`,
		`{"path":"é","has_manifest":false}`, `{"path":"日本","has_manifest":false}`, `{"path":"` + "\uffff" + `","has_manifest":false}`,
		`{"path":"😀","has_manifest":false}`,
	}, ",") + `]}`
	got, err := cache.List(root)
	if text := string(cache.AppendList(nil, got)); err != nil || text != want {
		t.Errorf("%v, %s\nwant %s", err, text, want)
	}
}

// LIST-3 and DET-4 for as many caches as anybody will have.
func TestListOfTenThousand(t *testing.T) {
	root := t.TempDir()
	for i := range 10_000 {
		dir := filepath.Join(root, fmt.Sprint((i*7919)%10_000))
		cachetest.Must(t, os.Mkdir(dir, 0o755))
		if i%100 == 0 {
			put("manifest.json", "{}")(t, dir)
		}
	}
	got, err := cache.List(root)
	if err != nil || len(got) != 10_000 {
		t.Fatalf("%d caches, %v", len(got), err)
	}
	manifests := 0
	for i, listed := range got {
		if i > 0 && got[i-1].Path >= listed.Path {
			t.Fatalf("%q comes before %q", got[i-1].Path, listed.Path)
		}
		if listed.HasManifest {
			manifests++
		}
	}
	if manifests != 100 {
		t.Errorf("%d have a manifest", manifests)
	}
}
