package document_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"mcpworks/packs/contextengine/internal/document"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const emptyVersion = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// file returns a sound document file. Each change, such as `"id":1`, takes the
// place of the member of that name or is added; a name alone leaves it out.
func file(changes ...string) string {
	members := []string{`"id":"a.md"`, `"version":"` + emptyVersion + `"`, `"source":"A.md"`, `"content":"text"`, `"metadata":{}`}
	for _, change := range changes {
		name, _, hasValue := strings.Cut(change, ":")
		i := slices.IndexFunc(members, func(member string) bool { return strings.HasPrefix(member, name+":") })
		switch {
		case i < 0:
			members = append(members, change)
		case hasValue:
			members[i] = change
		default:
			members = slices.Delete(members, i, i+1)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func metadata(object string) string { return file(`"metadata":` + object) }

// JSON-7, CACHE-10, DOC-9.
func TestParse(t *testing.T) {
	plain := document.Document{ID: "a.md", Version: document.VersionOf(nil), Source: "A.md", Content: "text"}
	with := func(change func(*document.Document)) document.Document {
		d := plain
		change(&d)
		return d
	}
	for _, tt := range []struct {
		name, text string
		want       document.Document
	}{
		{"plain", file(), plain},
		{"white space around", "\n\t " + file() + "\r\n", plain},
		{"white space inside", strings.ReplaceAll(file(), `":`, "\" :\n\t"), plain},
		{"unknown members", file(`"extra":[{"id":1}]`, `"Id":null`, `"ID":7`, `"Content":1`), plain},
		{"unknown member twice", "{\"x\":1,\"x\":2," + file()[1:], plain},
		{"escaped names", strings.Replace(file(), `"id"`, `"\u0069d"`, 1), plain},
		{"escaped version", strings.Replace(file(), `"sha256:`, `"\u0073ha256:`, 1), plain},
		{"escaped strings", file(`"content":"\u0041\n\/\ud83d\ude00"`, `"source":"\\"`), with(func(d *document.Document) { d.Content, d.Source = "A\n/😀", `\` })},
		{"raw control character U+007F", file("\"content\":\"\x7f\u2028\""), with(func(d *document.Document) { d.Content = "\x7f\u2028" })},
		{"empty content", file(`"content":""`), with(func(d *document.Document) { d.Content = "" })},
		{"source is the id", file(`"source":"a.md"`), with(func(d *document.Document) { d.Source = "a.md" })},
		{"source is the id, escaped", file(`"source":"\u0061.md"`), with(func(d *document.Document) { d.Source = "a.md" })},
		{"empty metadata", metadata(" { } "), plain},
		{"metadata", metadata(` { "b" : "x y" , "a" : -9223372036854775808 } `), with(func(d *document.Document) { d.Metadata = []byte(`{"a":-9223372036854775808,"b":"x y"}`) })},
		{"largest integer", metadata(`{"a":9223372036854775807}`), with(func(d *document.Document) { d.Metadata = []byte(`{"a":9223372036854775807}`) })},
		{"zero with a sign", metadata(`{"a":-0}`), with(func(d *document.Document) { d.Metadata = []byte(`{"a":0}`) })},
		{"names that differ in case", metadata(`{"a":1,"A":2,"":""}`), with(func(d *document.Document) { d.Metadata = []byte(`{"":"","A":2,"a":1}`) })},
		{"128 levels", file(`"extra":` + strings.Repeat("[", 127) + strings.Repeat("]", 127)), plain},
	} {
		got, err := document.Parse([]byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// JSON-7, LOAD-9, DOC-9.
func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", "unexpected end"},
		{"not JSON", "text", "invalid JSON"},
		{"two values", file() + file(), "trailing data"},
		{"byte order mark", "\ufeff" + file(), "byte order mark"},
		{"cut", file()[:40], "unexpected end"},
		{"invalid UTF-8", file("\"content\":\"\xff\""), "invalid UTF-8"},
		{"lone surrogate", file(`"content":"\ud800"`), "lone surrogate"},
		{"lone surrogate in an unknown member", file(`"extra":"\udc00"`), "lone surrogate"},
		{"raw newline", file("\"content\":\"\n\""), "control character"},
		{"129 levels", file(`"extra":` + strings.Repeat("[", 128) + strings.Repeat("]", 128)), "nested too deep"},
		{"array", "[" + file() + "]", "not an object"},
		{"string", `"a"`, "not an object"},
		{"null", "null", "not an object"},

		{"no id", file(`"id"`), `no member "id"`},
		{"no version", file(`"version"`), `no member "version"`},
		{"no source", file(`"source"`), `no member "source"`},
		{"no content", file(`"content"`), `no member "content"`},
		{"no metadata", file(`"metadata"`), `no member "metadata"`},
		{"other case", strings.Replace(file(), `"id"`, `"Id"`, 1), `no member "id"`},
		{"id a number", file(`"id":1`), `"id" is not a string`},
		{"version null", file(`"version":null`), `"version" is not a string`},
		{"source an array", file(`"source":["a"]`), `"source" is not a string`},
		{"content null", file(`"content":null`), `"content" is not a string`},
		{"metadata null", metadata(`null`), `"metadata" is not an object`},
		{"metadata an array", metadata(`[]`), `"metadata" is not an object`},
		{"metadata a string", metadata(`"{}"`), `"metadata" is not an object`},
		{"version too short", file(`"version":"sha256:00"`), "not the name of a hash"},
		{"version in upper case", strings.Replace(file(), "sha256:e", "sha256:E", 1), "not the name of a hash"},

		{"id twice", "{\"id\":\"a.md\"," + file()[1:], `two members "id"`},
		{"version twice", file()[:len(file())-1] + `,"version":"` + emptyVersion + `"}`, `two members "version"`},
		{"source twice", "{\"source\":\"A.md\"," + file()[1:], `two members "source"`},
		{"content twice", "{\"content\":\"\"," + file()[1:], `two members "content"`},
		{"metadata twice", "{\"metadata\":{}," + file()[1:], `two members "metadata"`},
		{"id twice, once escaped", "{\"\\u0069d\":\"a.md\"," + file()[1:], `two members "id"`},

		{"metadata name twice", metadata(`{"a":1,"b":2,"a":1}`), `two members "a"`},
		{"metadata name twice, once escaped", metadata(`{"a":1,"\u0061":1}`), `two members "a"`},
		{"metadata fraction", metadata(`{"a":1.0}`), "neither a string nor a 64-bit integer"},
		{"metadata exponent", metadata(`{"a":1e3}`), "neither a string nor a 64-bit integer"},
		{"metadata too large", metadata(`{"a":9223372036854775808}`), "neither a string nor a 64-bit integer"},
		{"metadata too small", metadata(`{"a":-9223372036854775809}`), "neither a string nor a 64-bit integer"},
		{"metadata huge", metadata(`{"a":1` + strings.Repeat("0", 1000) + `}`), "neither a string nor a 64-bit integer"},
		{"metadata boolean", metadata(`{"a":true}`), "neither a string nor a 64-bit integer"},
		{"metadata null value", metadata(`{"a":null}`), "neither a string nor a 64-bit integer"},
		{"metadata nested", metadata(`{"a":{}}`), "neither a string nor a 64-bit integer"},
		{"metadata list", metadata(`{"a":["b"]}`), "neither a string nor a 64-bit integer"},
	} {
		d, err := document.Parse([]byte(tt.text))
		if err == nil {
			t.Errorf("%s: accepted %s", tt.name, tt.text)
			continue
		}
		if text := err.Error(); !strings.HasPrefix(text, "parse document: ") || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, text, tt.want)
		}
		if diff := cmp.Diff(document.Document{}, d); diff != "" {
			t.Errorf("%s: a document beside an error: %s", tt.name, diff)
		}
	}
}

// Callers read one file after another into one buffer.
func TestParseKeepsNothingOfTheText(t *testing.T) {
	for _, text := range []string{
		file(`"metadata":{"a":"b","c":1}`), file(`"metadata":{"a":"b","c":1}`, `"source":"a.md"`), file(`"metadata":{"a\n":"\n"}`, `"content":"\n"`),
	} {
		buffer := []byte(text)
		d, err := document.Parse(buffer)
		if err != nil {
			t.Fatal(err)
		}
		if string(buffer) != text {
			t.Errorf("changed its text to %s", buffer)
		}
		want := string(d.AppendJSON(nil))
		for i := range buffer {
			buffer[i] = 'x'
		}
		if got := string(d.AppendJSON(nil)); got != want {
			t.Errorf("document became %s, was %s", got, want)
		}
	}
}

func TestParseAllocatesWhatItReturns(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		max  float64
	}{
		"id, source, content":        {file(), 3},
		"id that is the source":      {file(`"source":"a.md"`), 2},
		"content with escapes":       {file(`"source":"a.md"`, `"content":"a\nb\nc\n"`), 2},
		"nothing for unknown things": {file(`"extra":{"a":["b",1,null]}`), 3},
	} {
		text := []byte(tt.text)
		if n := testing.AllocsPerRun(100, func() { document.Parse(text) }); n > tt.max {
			t.Errorf("%s: %v allocations, want %v", name, n, tt.max)
		}
	}
}

// A file has many spellings: members in any order, needless escapes, blanks.
// All are the same document, and are written in the one canonical way.
func TestParseReadsEverySpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := someSource().Draw(t, "source")
		text := loose(t, s)
		d, err := document.Parse([]byte(text))
		if err != nil || !s.is(d) {
			t.Fatalf("%s reads %+v, %v", text, d, err)
		}
		if got, want := string(d.AppendJSON(nil)), s.canonical(); got != want {
			t.Fatalf("%s is written %s, want %s", text, got, want)
		}
	})
}

// loose spells a document in any way that JSON allows.
func loose(t *rapid.T, s source) string {
	spell := func(text string) string { return looseString(t, text) }
	var facts []string
	for name, value := range s.metadata {
		facts = append(facts, spell(name)+":"+spellValue(value, spell))
	}
	members := []string{
		spell("id") + ":" + spell(s.id), spell("source") + ":" + spell(s.path), spell("content") + ":" + spell(s.content),
		spell("version") + ":" + spell(document.VersionOf([]byte(s.content)).String()),
		spell("metadata") + ":" + looseObject(t, facts),
		spell("Metadata") + ":[null]",
	}
	return looseObject(t, members)
}

func looseObject(t *rapid.T, members []string) string {
	blank := rapid.SampledFrom([]string{"", "", " ", "\n\t", "\r\n"}).Draw(t, "blank")
	if len(members) > 0 {
		members = rapid.Permutation(members).Draw(t, "order")
	}
	return blank + "{" + blank + strings.Join(members, blank+","+blank) + blank + "}" + blank
}

func looseString(t *rapid.T, text string) string {
	if rapid.Bool().Draw(t, "plain") {
		return slowString(text)
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r > 0xFFFF:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04X`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		case r == '/':
			b.WriteString(`\/`)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	return `"` + b.String() + `"`
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		file(), metadata(`{"b":"\u0041","a":-0}`), file(`"content":"a\n\ud83d\ude00\\"`), file(`"extra":[[{"id":1}]]`, `"id":"A"`),
		metadata(`{"a":1,"a":2}`), metadata(`{"a":1.5}`), file(`"version"`), "[]", "{}", "\xff",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		d, err := document.Parse(text)
		if !bytes.Equal(text, before) {
			t.Fatalf("Parse changed its text to %q", text)
		}
		if err != nil {
			return
		}
		if !json.Valid(text) || !utf8.Valid(text) {
			t.Fatalf("accepted %q", text)
		}
		written := d.AppendJSON(nil)
		again, err := document.Parse(written)
		if err != nil || !same(d, again) {
			t.Fatalf("%q is written %q, which reads %+v, %v", text, written, again, err)
		}
		if twice := again.AppendJSON(nil); !bytes.Equal(twice, written) {
			t.Fatalf("%q is written %q, then %q", text, written, twice)
		}
	})
}
