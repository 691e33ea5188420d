// Package cachetest makes caches for tests, by the text of the contract and by
// hand: it shares no line with the code that the tests are about. Only tests
// use it.
package cachetest

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// CreatedAt is when every cache of this package says that it was made.
const CreatedAt = "1970-01-01T00:00:00Z"

// TB is what is needed of a test, also of a property.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Docs are the documents of a cache: their contents by id. No two contents may
// be equal, for they would share a file (BUILD-7).
type Docs map[string]string

// Write makes a cache at dir, whose parents are made if need be. What is there
// already stays.
func (d Docs) Write(t TB, dir string) {
	t.Helper()
	Must(t, os.MkdirAll(filepath.Join(dir, "documents"), 0o755))
	for id, content := range d {
		Must(t, os.WriteFile(filepath.Join(dir, File(content)), Document(id, content), 0o644))
	}
	Must(t, os.WriteFile(filepath.Join(dir, "index.json"), d.Index(), 0o644))
	Must(t, os.WriteFile(filepath.Join(dir, "manifest.json"), d.Manifest(), 0o644))
}

// IDs returns the ids in byte order.
func (d Docs) IDs() []string { return slices.Sorted(maps.Keys(d)) }

// CacheVersion is CACHE-2.
func (d Docs) CacheVersion() string {
	text := `{"version":"1","hash_algorithm":"sha256"}`
	for _, id := range d.IDs() {
		text += id + ":" + Version(d[id])
	}
	return Version(text)
}

// Manifest is manifest.json (CACHE-3 to CACHE-7).
func (d Docs) Manifest() []byte {
	var entries []string
	for _, id := range d.IDs() {
		entries = append(entries, fmt.Sprintf("    {\n      \"id\": %s,\n      \"version\": %q,\n      \"file\": %q\n    }",
			Quote(id), Version(d[id]), File(d[id])))
	}
	documents := "[]"
	if len(entries) > 0 {
		documents = "[\n" + strings.Join(entries, ",\n") + "\n  ]"
	}
	return fmt.Appendf(nil, `{
  "cache_version": %q,
  "build_config": {
    "version": "1",
    "hash_algorithm": "sha256"
  },
  "created_at": %q,
  "document_count": %d,
  "documents": %s
}`, d.CacheVersion(), CreatedAt, len(d), documents)
}

// Index is index.json (CACHE-8).
func (d Docs) Index() []byte {
	var members []string
	for _, id := range d.IDs() {
		members = append(members, fmt.Sprintf("  %s: %q", Quote(id), File(d[id])))
	}
	if len(members) == 0 {
		return []byte("{}")
	}
	return []byte("{\n" + strings.Join(members, ",\n") + "\n}")
}

// Document is a document file (CACHE-10).
func Document(id, content string) []byte {
	return fmt.Appendf(nil, `{"id":%s,"version":%q,"source":%s,"content":%s,"metadata":{}}`,
		Quote(id), Version(content), Quote(id), Quote(content))
}

// Version is DOC-3.
func Version(content string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(content))) }

// File is CACHE-5.
func File(content string) string { return "documents/" + Version(content)[7:19] + ".json" }

// Quote is JSON-2, of valid UTF-8.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		short := strings.IndexRune("\"\\\b\f\n\r\t", r)
		switch {
		case short >= 0:
			b.WriteByte('\\')
			b.WriteByte(`"\bfnrt`[short])
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Must ends the test at an error of its own making.
func Must(t TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}
