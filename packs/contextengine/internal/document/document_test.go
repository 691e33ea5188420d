package document_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/document"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// SEL-12, with the vectors of section 16.
func TestTokens(t *testing.T) {
	for content, want := range map[string]int64{
		"": 0, "a": 1, "abcd": 1, "abcde": 2, strings.Repeat("x", 39): 10, "日本": 2,
	} {
		if got := document.Tokens(content); got != want {
			t.Errorf("Tokens(%q) = %d, want %d", content, got, want)
		}
	}
}

// CACHE-5 and CACHE-10: files of existing caches are what we would write.
func TestFilesAreWrittenAsTheyStand(t *testing.T) {
	files, err := filepath.Glob("testdata/files/*.json")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := document.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if diff := cmp.Diff(string(text), string(d.AppendJSON(nil))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
		if v := document.VersionOf([]byte(d.Content)); v != d.Version || v.FileName() != filepath.Base(file) {
			t.Errorf("%s holds %s, kept in %s", file, v, v.FileName())
		}
	}
}

// JSON-1, JSON-2, JSON-5 and CACHE-10.
func TestAppendJSON(t *testing.T) {
	const version = `"version":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"`
	empty := document.VersionOf(nil)
	for _, tt := range []struct {
		name string
		d    document.Document
		want string
	}{
		{"zero", document.Document{Version: empty}, `{"id":"",` + version + `,"source":"","content":"","metadata":{}}`},
		{"empty metadata", document.Document{Version: empty, Metadata: []byte(" { } ")}, `{"id":"",` + version + `,"source":"","content":"","metadata":{}}`},
		{
			"strings of section 16",
			document.Document{ID: "a.md", Version: empty, Source: "A.md", Content: "a\"\\/\b\f\n\r\t\x01\x1f\x7f<>&"},
			`{"id":"a.md",` + version + `,"source":"A.md","content":"a\"\\/\b\f\n\r\t\u0001\u001f` + "\x7f" + `<>&","metadata":{}}`,
		},
		{
			"raw separators",
			document.Document{ID: "\u2028", Version: empty, Source: "\u2029", Content: "日本 \U0001f600\ufeff\x00"},
			`{"id":"` + "\u2028" + `",` + version + `,"source":"` + "\u2029" + `","content":"日本 ` + "\U0001f600\ufeff" + `\u0000","metadata":{}}`,
		},
		{
			"what Parse would refuse is still JSON",
			document.Document{Version: empty, Metadata: []byte(`{"b": [ 1 ],"a":1.50}`)},
			`{"id":"",` + version + `,"source":"","content":"","metadata":{"a":1.50,"b":[1]}}`,
		},
		{
			"metadata in byte order",
			document.Document{Version: empty, Metadata: []byte(`{ "b" : 2, "é":-1, "a\u0062": "\u0041\/\u2028", "B":"", "":0, "\ud83d\ude00":-0, "\uffff":9223372036854775807 }`)},
			`{"id":"",` + version + `,"source":"","content":"","metadata":{"":0,"B":"","ab":"A/` + "\u2028" + `","b":2,"é":-1,"` + "\uffff" + `":9223372036854775807,"😀":0}}`,
		},
	} {
		if diff := cmp.Diff("before"+tt.want, string(tt.d.AppendJSON([]byte("before")))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// slowString is JSON-2, character by character.
func slowString(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}[r]; {
		case short != "":
			b.WriteString(short)
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

// A source is what a test knows about a document: metadata has strings and
// int64s.
type source struct {
	id, path, content string
	metadata          map[string]any
}

func someText() *rapid.Generator[string] {
	return rapid.Map(rapid.StringOf(rapid.OneOf(
		rapid.SampledFrom([]rune("\"\\/\b\f\n\r\t\x00\x1f\x7f<>&é\u2028日😀\ufeff")), rapid.Rune(),
	)), func(s string) string { return strings.ToValidUTF8(s, "") })
}

func someSource() *rapid.Generator[source] {
	return rapid.Custom(func(t *rapid.T) source {
		value := rapid.OneOf(rapid.Map(someText(), func(s string) any { return s }), rapid.Map(rapid.Int64(), func(n int64) any { return n }))
		s := source{
			id:       someText().Draw(t, "id"),
			content:  someText().Draw(t, "content"),
			metadata: rapid.MapOfN(someText(), value, 0, 4).Draw(t, "metadata"),
		}
		s.path = rapid.OneOf(rapid.Just(s.id), someText()).Draw(t, "path")
		return s
	})
}

// canonical is the file of a document, by the rules of section 3.
func (s source) canonical() string {
	var facts []string
	for _, name := range slices.Sorted(maps.Keys(s.metadata)) {
		facts = append(facts, slowString(name)+":"+spellValue(s.metadata[name], slowString))
	}
	return fmt.Sprintf(`{"id":%s,"version":"%s","source":%s,"content":%s,"metadata":{%s}}`,
		slowString(s.id), document.VersionOf([]byte(s.content)), slowString(s.path), slowString(s.content), strings.Join(facts, ","))
}

func spellValue(v any, spell func(string) string) string {
	if n, ok := v.(int64); ok {
		return strconv.FormatInt(n, 10)
	}
	return spell(v.(string))
}

func (s source) is(d document.Document) bool {
	return d.ID == s.id && d.Source == s.path && d.Content == s.content && d.Version == document.VersionOf([]byte(s.content))
}

func same(a, b document.Document) bool {
	return a.ID == b.ID && a.Source == b.Source && a.Content == b.Content && a.Version == b.Version &&
		bytes.Equal(a.Metadata, b.Metadata) && (a.Metadata == nil) == (b.Metadata == nil)
}

// JSON-1 to JSON-5: a document has one file, and the file one document.
func TestDocumentsReadBackToThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := someSource().Draw(t, "source")
		want := s.canonical()
		d, err := document.Parse([]byte(want))
		if err != nil || !s.is(d) {
			t.Fatalf("%s reads %+v, %v", want, d, err)
		}
		if got := string(d.AppendJSON(nil)); got != want {
			t.Fatalf("wrote %s, want %s", got, want)
		}
		if again, err := document.Parse(d.AppendJSON(nil)); err != nil || !same(d, again) {
			t.Fatalf("%+v reads back to %+v, %v", d, again, err)
		}
	})
}
