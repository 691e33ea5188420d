package cache_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"

	"github.com/google/go-cmp/cmp"
)

// FuzzManifest: whatever is accepted means the same when it is written again.
func FuzzManifest(f *testing.F) {
	f.Add(two.Manifest())
	f.Add(cachetest.Docs{}.Manifest())
	f.Add([]byte(object(with(manifest, "documents", list(object(second), object(first))))))
	for _, tt := range badManifests() {
		f.Add([]byte(tt.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := cache.ParseManifest(text)
		if err != nil {
			return
		}
		written := m.AppendManifest(nil)
		again, err := cache.ParseManifest(written)
		if err != nil {
			t.Fatalf("refused when written again: %v\n%s", err, written)
		}
		if diff := cmp.Diff(m.Entries, again.Entries); diff != "" || m.CacheVersion != again.CacheVersion || m.CreatedAt != again.CreatedAt {
			t.Fatalf("%s of %s is read again as %s of %s (-read +read again):\n%s", m.CacheVersion, m.CreatedAt, again.CacheVersion, again.CreatedAt, diff)
		}
		if !json.Valid(text) || !bytes.Equal(written, again.AppendManifest(nil)) {
			t.Fatalf("accepted: %q", text)
		}
	})
}

// FuzzIndexFile: an index has no problem exactly if it is the flat object of the
// manifest's ids and files (VERIFY-2).
func FuzzIndexFile(f *testing.F) {
	dir := f.TempDir()
	two.Write(f, dir)
	want := map[string]string{"a.md": fileA, "b.md": fileB}
	for _, text := range []string{
		string(two.Index()), "{}", "null", "[]", `{"entries":` + string(two.Index()) + "}", `{"a.md":"` + fileA + `","b.md":"` + fileB + `","a.md":"` + fileA + `"}`,
		`{"\u0061.md":"` + fileA + `","b.md":"` + fileB + `"}`, `{"a.md":{},"b.md":1}`, "\xff", `{"A.md":"` + fileA + `","b.md":"` + fileB + `"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		cachetest.Must(t, os.WriteFile(filepath.Join(dir, "index.json"), text, 0o644))
		problems, _, err := cache.Verify(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		got, isFlat := flatObject(text)
		if isGood := isFlat && cmp.Equal(want, got); isGood != (len(problems) == 0) {
			t.Fatalf("%q is read as %v, %v; problems %q", text, got, isFlat, problems)
		}
	})
}

// flatObject reads an object of strings with encoding/json, which is told of
// what it would let pass: names that come twice, and text after the object.
func flatObject(text []byte) (map[string]string, bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	object := map[string]string{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, false
		}
		value, err := decoder.Token()
		if err != nil {
			return nil, false
		}
		key, isName := name.(string)
		file, isString := value.(string)
		if _, twice := object[key]; twice || !isName || !isString {
			return nil, false
		}
		object[key] = file
	}
	if _, err := decoder.Token(); err != nil {
		return nil, false
	}
	_, err := decoder.Token()
	return object, errors.Is(err, io.EOF)
}
