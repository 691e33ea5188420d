package cache_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
	"mcpworks/packs/contextengine/internal/document"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// two is the cache that most tests alter.
var two = cachetest.Docs{"a.md": "alpha beta", "b.md": "beta gamma delta"}

// A member of an object, with the text of its value.
type member struct{ name, value string }

func object(members []member) string {
	texts := make([]string, len(members))
	for i, m := range members {
		texts[i] = `"` + m.name + `":` + m.value
	}
	return "{" + strings.Join(texts, ",") + "}"
}

// with returns the members with another value for one of them; "" leaves it out.
func with(members []member, name, value string) []member {
	var altered []member
	for _, m := range members {
		if m.name == name {
			m.value = value
		}
		if m.value != "" {
			altered = append(altered, m)
		}
	}
	return altered
}

func entryOf(id, content string) []member {
	return []member{{"id", cachetest.Quote(id)}, {"version", cachetest.Quote(cachetest.Version(content))}, {"file", cachetest.Quote(cachetest.File(content))}}
}

var (
	config    = []member{{"version", `"1"`}, {"hash_algorithm", `"sha256"`}}
	first     = entryOf("a.md", two["a.md"])
	second    = entryOf("b.md", two["b.md"])
	documents = list(object(first), object(second))
	manifest  = []member{
		{"cache_version", cachetest.Quote(two.CacheVersion())},
		{"build_config", object(config)},
		{"created_at", `"1970-01-01T00:00:00Z"`},
		{"document_count", "2"},
		{"documents", documents},
	}
)

func list(elements ...string) string { return "[" + strings.Join(elements, ",") + "]" }

// A manifestCase is a manifest that is not to be believed. Its name begins with
// the rule.
type manifestCase struct{ name, text string }

// badManifests are all ways to be wrong, one at a time.
func badManifests() (cases []manifestCase) {
	add := func(name, text string) { cases = append(cases, manifestCase{name, text}) }
	whole := object(manifest)
	for _, text := range []string{
		"", " \n", "not-json", "null", "true", "1", `"x"`, "[]", "[" + whole + "]", "{}",
		whole[:len(whole)-1], whole + "}", whole + whole, whole + "x", "\xef\xbb\xbf" + whole, "\x00" + whole, whole + "\x00",
		strings.Replace(whole, `,"documents"`, `,,"documents"`, 1), strings.Replace(whole, `]}`, `],}`, 1), "// c\n" + whole,
		strings.Replace(whole, `{"cache_version"`, `{"unknown":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`,"cache_version"`, 1),
	} {
		add(fmt.Sprintf("LOAD-4 not one JSON object: %.40q", text), text)
	}
	for _, unknown := range []string{"\"\xff\"", "\"\xed\xa0\x80\"", `"\ud800"`, `"\udc00\ud800"`, `"\x"`, "\"\t\"", "01", "1.", "+1", "nul", "'a'"} {
		add(fmt.Sprintf("LOAD-4 JSON-7 unknown member with value %q", unknown), object(append([]member{{"unknown", unknown}}, manifest...)))
	}
	levels := []struct {
		of      string
		members []member
		wrap    func(string) string
	}{
		{"manifest", manifest, func(text string) string { return text }},
		{"build_config", config, func(text string) string { return object(with(manifest, "build_config", text)) }},
		{"documents[0]", first, func(text string) string { return object(with(manifest, "documents", list(text, object(second)))) }},
	}
	for _, level := range levels {
		for _, m := range level.members {
			bad := func(what string, members []member) {
				add(fmt.Sprintf("LOAD-4 %s: %s %s", level.of, m.name, what), level.wrap(object(members)))
			}
			bad("is missing", with(level.members, m.name, ""))
			bad("is there twice", append(slices.Clone(level.members), m))
			bad("is there twice, once escaped", append(slices.Clone(level.members), member{fmt.Sprintf(`\u%04x`, m.name[0]) + m.name[1:], m.value}))
			if other := level.members[0]; other != m {
				bad("is missing, and another there twice", append(with(level.members, m.name, ""), other))
			}
			bad("in other case", append(with(level.members, m.name, ""), member{strings.ToUpper(m.name), m.value}))
			for _, kind := range []string{"null", "true", "1", "-1", "1.5", `"x"`, "[]", `{}`, `[1]`, `{"a":1}`, `[null]`, `["x"]`} {
				if kindOf(kind) != kindOf(m.value) {
					bad("is "+kind, with(level.members, m.name, kind))
				}
			}
		}
	}
	for _, count := range []string{"-1", "-0", "2.0", "2e0", "0.5", "18446744073709551616", "1e400"} {
		add("LOAD-4 document_count is "+count, object(with(manifest, "document_count", count)))
	}
	for _, time := range []string{"", "yesterday", "1970-01-01", "1970-01-01T00:00:00", "1970-13-01T00:00:00Z", "1970-01-01T24:00:00Z", "1970-01-01T00:00:00.Z", "70-01-01T00:00:00Z"} {
		add(fmt.Sprintf("LOAD-4 created_at is %q", time), object(with(manifest, "created_at", cachetest.Quote(time))))
	}
	for _, element := range []string{"[]", "null", "0", `"a.md"`} {
		add("LOAD-4 documents has "+element, object(with(manifest, "documents", list(object(first), element))))
	}
	for _, version := range []string{`"2"`, `"0"`, `""`, `"1.0"`, `" 1"`, `"01"`} {
		add("LOAD-5 build_config.version is "+version, object(with(manifest, "build_config", object(with(config, "version", version)))))
	}
	for _, hash := range []string{`"sha512"`, `"SHA256"`, `""`, `"sha-256"`} {
		add("LOAD-5 hash_algorithm is "+hash, object(with(manifest, "build_config", object(with(config, "hash_algorithm", hash)))))
	}
	for _, count := range []string{"0", "1", "3", "4294967298", "18446744073709551615"} {
		add("LOAD-6 document_count is "+count, object(with(manifest, "document_count", count)))
	}
	pair := func(a, b []member) string { return object(with(manifest, "documents", list(object(a), object(b)))) }
	add("LOAD-6 an id twice", pair(first, with(second, "id", `"a.md"`)))
	add("LOAD-6 an entry twice", pair(first, first))
	add("LOAD-6 an id twice, not side by side", object(with(with(manifest, "document_count", "3"), "documents", list(object(first), object(second), object(first)))))
	digits := cachetest.Version(two["a.md"])[7:]
	for _, version := range []string{
		"", "sha256:", digits, "SHA256:" + digits, "sha256:" + strings.ToUpper(digits), "sha256:" + digits[1:], "sha256:" + digits + "0",
		"sha256:" + digits[1:] + "g", " sha256:" + digits, "sha256:" + digits + " ", "sha512:" + digits,
	} {
		add(fmt.Sprintf("LOAD-6 version is %q", version), pair(with(first, "version", cachetest.Quote(version)), second))
	}
	file := cachetest.File(two["a.md"])
	for _, name := range []string{
		"", "documents/", strings.TrimPrefix(file, "documents/"), "/" + file, "./" + file, "documents/./" + file[10:], "documents/../" + file,
		"../../etc/passwd", "/etc/passwd", strings.ReplaceAll(file, "/", `\`), strings.ToUpper(file), file + "x", strings.TrimSuffix(file, ".json"),
		"Documents/" + file[10:], file + "\x00", cachetest.File(two["b.md"]), "manifest.json",
	} {
		add(fmt.Sprintf("LOAD-6 file is %q", name), pair(with(first, "file", cachetest.Quote(name)), second))
	}
	for _, version := range []string{
		"", "v1", cachetest.Version(""), cachetest.Docs{}.CacheVersion(), "sha256:", strings.ToUpper(two.CacheVersion()),
		two.CacheVersion() + " ", strings.TrimPrefix(two.CacheVersion(), "sha256:"),
	} {
		add(fmt.Sprintf("LOAD-7 cache_version is %q", version), object(with(manifest, "cache_version", cachetest.Quote(version))))
	}
	add("LOAD-7 another id", pair(with(first, "id", `"A.md"`), second))
	add("LOAD-7 another version", pair(entryOf("a.md", "changed"), second))
	add("LOAD-7 a document fewer", object(with(with(manifest, "document_count", "1"), "documents", list(object(first)))))
	return cases
}

func kindOf(text string) string {
	switch text[0] {
	case '"', '{', '[':
		return text[:1]
	case 't', 'n':
		return text
	}
	return "number"
}

// Every manifest that is wrong is refused by all who read it, with the outcome
// that its rule has on each face (LOAD-4 to LOAD-7, CLI-7).
func TestBadManifests(t *testing.T) {
	dir := t.TempDir()
	two.Write(t, dir)
	for _, tt := range badManifests() {
		t.Run(tt.name, func(t *testing.T) {
			if m, err := cache.ParseManifest([]byte(tt.text)); err == nil {
				t.Fatalf("ParseManifest accepts it: %+v", m)
			}
			cachetest.Must(t, os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(tt.text), 0o644))
			if c, err := cache.Open(dir); !errors.Is(err, cache.ErrInvalid) {
				t.Errorf("Open: %v, %v", c, err)
			}
			inspection, err := cache.Inspect(t.Context(), dir)
			if strings.HasPrefix(tt.name, "LOAD-4") {
				if !errors.Is(err, cache.ErrInvalid) {
					t.Errorf("Inspect: %+v, %v; want an error", inspection, err)
				}
			} else if err != nil || inspection.Valid {
				t.Errorf("Inspect: %+v, %v; want valid to be false", inspection, err)
			}
		})
	}
}

func TestGoodManifests(t *testing.T) {
	whole := object(manifest)
	reversed := slices.Clone(manifest)
	slices.Reverse(reversed)
	strange := []member{{"", "1e999"}, {"Id", "[[[]]]"}, {"é", `"\ud83d\ude00"`}, {"created", "null"}, {"", "{}"}}
	for name, text := range map[string]string{
		"CACHE-3 as written":            string(two.Manifest()),
		"CACHE-3 compact":               whole,
		"X-31 final newline":            string(two.Manifest()) + "\n",
		"JSON-7 white space around":     " \t\r\n" + whole + " \t\r\n",
		"CACHE-15 unknown members":      object(append(slices.Clone(strange), manifest...)),
		"CACHE-15 in build_config":      object(with(manifest, "build_config", object(append(strange, config...)))),
		"CACHE-15 in an entry":          object(with(manifest, "documents", list(object(append(strange, first...)), object(second)))),
		"JSON-7 members in other order": object(reversed),
		"JSON-7 escaped values and names": strings.NewReplacer(`"id"`, `"\u0069\u0064"`, `"a.md"`, `"\u0061.md"`, `sha256:`, `sha\u0032\u00356:`,
			`documents/`, `documents\/`).Replace(whole),
		"LOAD-6 entries in any order": object(with(manifest, "documents", list(object(second), object(first)))),
		"CACHE-6 offset":              object(with(manifest, "created_at", `"2026-02-09T15:12:50.717077+05:30"`)),
	} {
		m, err := cache.ParseManifest([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := []cache.Entry{
			{ID: "a.md", Version: document.VersionOf([]byte(two["a.md"]))},
			{ID: "b.md", Version: document.VersionOf([]byte(two["b.md"]))},
		}
		if diff := cmp.Diff(want, m.Entries); diff != "" || m.CacheVersion != two.CacheVersion() {
			t.Errorf("%s: cache version %s, entries (-want +got):\n%s", name, m.CacheVersion, diff)
		}
	}
}

// CACHE-12, and CACHE-8 for no documents.
func TestCacheOfNothing(t *testing.T) {
	m, err := cache.ParseManifest(cachetest.Docs{}.Manifest())
	if err != nil {
		t.Fatal(err)
	}
	const want = "sha256:a77ff76f65e3cd4cd0071b4af8f5294a77f67b6fe0c938a383db5e1271e913ee"
	if got := cache.VersionOf(nil); got != want || m.CacheVersion != want {
		t.Errorf("cache version %s, read as %s, want %s", got, m.CacheVersion, want)
	}
	if got := string(m.AppendIndex([]byte("x"))); got != "x{}" {
		t.Errorf("index %s", got)
	}
	if got := string(m.AppendManifest([]byte("x"))); got != "x"+string(cachetest.Docs{}.Manifest()) {
		t.Errorf("manifest %s", got)
	}
}

// CACHE-2 to CACHE-8 and DET-1: what is written is what the contract's text
// gives, whatever the ids.
func TestWritesAsTheContractSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs := cachetest.Docs{}
		for i := range rapid.IntRange(0, 8).Draw(t, "documents") {
			docs[rapid.String().Draw(t, "id")] = fmt.Sprint(i)
		}
		m := &cache.Manifest{CreatedAt: cachetest.CreatedAt}
		for _, id := range docs.IDs() {
			m.Entries = append(m.Entries, cache.Entry{ID: id, Version: document.VersionOf([]byte(docs[id]))})
		}
		m.CacheVersion = cache.VersionOf(m.Entries)
		if diff := cmp.Diff(string(docs.Manifest()), string(m.AppendManifest(nil))); diff != "" {
			t.Errorf("manifest (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(string(docs.Index()), string(m.AppendIndex(nil))); diff != "" {
			t.Errorf("index (-want +got):\n%s", diff)
		}
		read, err := cache.ParseManifest(m.AppendManifest(nil))
		if err != nil {
			t.Fatalf("reading it: %v", err)
		}
		if diff := cmp.Diff(m.Entries, read.Entries); diff != "" && len(m.Entries)+len(read.Entries) > 0 {
			t.Errorf("read again (-want +got):\n%s", diff)
		}
		if m.Size() < int64(len(m.Entries)) {
			t.Errorf("%d entries take %d bytes", len(m.Entries), m.Size())
		}
	})
}
