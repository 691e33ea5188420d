package canonical_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/internal/rawjson"
	"mcpworks/packs/contextengine/internal/canonical"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The files are in pretty form (JSON-4); in any other layout they come back to
// it.
func TestPrettyFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/pretty/*.json")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var tabs bytes.Buffer
		if err := json.Indent(&tabs, want, "\t\r\n ", "\t"); err != nil {
			t.Fatal(err)
		}
		for layout, text := range map[string][]byte{
			"compact": rawjson.Compact(nil, want), "pretty": want, "tabs": tabs.Bytes(),
		} {
			if diff := cmp.Diff(string(want), string(canonical.Pretty(text))); diff != "" {
				t.Errorf("%s from %s (-want +got):\n%s", file, layout, diff)
			}
		}
	}
}

func TestPrettyScalarsAndBlanks(t *testing.T) {
	for text, want := range map[string]string{
		`null`: `null`, ` 0.0 `: `0.0`, `"a b"`: `"a b"`, `{ }`: `{}`, "[\n]": `[]`,
		`{"a" : [ ] }`: "{\n  \"a\": []\n}",
		`[1 , 2]`:      "[\n  1,\n  2\n]",
	} {
		if got := string(canonical.Pretty([]byte(text))); got != want {
			t.Errorf("Pretty(%s) = %s, want %s", text, got, want)
		}
	}
}

// compactValue draws compact JSON text.
func compactValue(t *rapid.T, depth int) []byte {
	switch rapid.IntRange(0, min(2, depth)+1).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom([][]byte{[]byte("null"), []byte("true"), []byte("0.5"), []byte("-12"), []byte("5e-7")}).Draw(t, "word")
	case 1:
		s := rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune(`\\"{}[]:, `+"\n")), rapid.Rune())).Draw(t, "string")
		return rawjson.AppendString(nil, s)
	case 2:
		items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) []byte { return compactValue(t, depth-1) }), 0, 3).Draw(t, "array")
		return slicesOf('[', items, ']')
	}
	items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) []byte {
		name := rawjson.AppendString(nil, rapid.String().Draw(t, "name"))
		return append(append(name, ':'), compactValue(t, depth-1)...)
	}), 0, 3).Draw(t, "object")
	return slicesOf('{', items, '}')
}

func slicesOf(open byte, items [][]byte, end byte) []byte {
	return append(append([]byte{open}, bytes.Join(items, []byte{','})...), end)
}

func checkPretty(t interface {
	Helper()
	Fatalf(string, ...any)
}, compact []byte) {
	t.Helper()
	pretty := canonical.Pretty(compact)
	if back := rawjson.Compact(nil, pretty); !bytes.Equal(back, compact) {
		t.Fatalf("%s became %s, which is %s", compact, pretty, back)
	}
	var want bytes.Buffer
	if err := json.Indent(&want, compact, "", "  "); err != nil {
		t.Fatalf("%s: %v", compact, err)
	}
	if !bytes.Equal(pretty, want.Bytes()) {
		t.Fatalf("%s became %s, want %s", compact, pretty, want.Bytes())
	}
}

func TestPrettyChangesOnlyTheLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkPretty(t, compactValue(t, 3)) })
}

func FuzzPretty(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,{"b":[]}],"c":{}}`, `[ { } , "\\\"" ]`, `"open`, `}}}]`, `{"a":1,}`, `"\`, `[[`, "[\"\\\\\"]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if rawjson.Check(text, rawjson.Limits{Depth: 128}) != nil {
			canonical.Pretty(text) // nonsense is allowed, a panic is not
			return
		}
		checkPretty(t, rawjson.Compact(nil, text))
		if a, b := canonical.Pretty(text), canonical.Pretty(rawjson.Compact(nil, text)); !bytes.Equal(a, b) {
			t.Fatalf("white space decides: %s or %s", a, b)
		}
	})
}

func BenchmarkPretty(b *testing.B) {
	content := strings.Repeat("The quick brown fox jumps over the lazy dog.\n", 45)
	var text []byte
	for range 10 {
		text = append(rawjson.AppendString(append(text, `,{"id":"a.md","content":`...), content), `,"score":0.5}`...)
	}
	text[0] = '['
	text = append(text, ']')
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		canonical.Pretty(text)
	}
}
