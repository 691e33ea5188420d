package sourcecode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mcpworks/packs/launch/internal/document"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/sourcecode"
)

// the vector of 6.3.
func TestIDVector(t *testing.T) {
	want := "8cde1cec52e286512c8e2b5806dc4860806fb4fd12eda3a1e1c151d5f4211a84"
	for _, code := range []string{`print("hi")`, "print(\"hi\")  \r\n"} {
		if got := sourcecode.ID(code, "python"); got != want {
			t.Errorf("%q: %s", code, got)
		}
	}
}

// 6.2(8): public names with their real lines and what is written about them.
func TestScan(t *testing.T) {
	class, function := sourcecode.Class, sourcecode.Function
	for _, test := range []struct {
		name  string
		files map[string]string
		want  sourcecode.File
	}{
		{"src/acme_tool/__init__.py", fixtures.AcmeTool(), sourcecode.File{
			Language: "python", Module: "acme_tool", Doc: sourcecode.Doc{Text: "Acme Tool reads, checks and converts tables.", Start: 1, End: 1},
			Exports: []string{"Report", "Table", "convert", "load_table", "merge_tables", "stream_table"},
		}},
		{"src/acme_tool/convert.py", fixtures.AcmeTool(), sourcecode.File{
			Language: "python", Module: "acme_tool.convert", Doc: sourcecode.Doc{Text: "Conversion from one format to another.", Start: 1, End: 1},
			Symbols: []sourcecode.Symbol{
				{Name: "Report", Kind: class, Line: 8, Doc: sourcecode.Doc{Text: "Says how many rows were converted and which rows were broken.", Start: 9, End: 9}},
				{Name: "convert", Kind: function, Line: 16, Doc: sourcecode.Doc{Text: "Converts a file and returns a report.", Start: 17, End: 17}},
			},
			Lists: []sourcecode.List{{Name: "SUPPORTED_FORMATS", Values: []string{"csv", "json", "xlsx"}, Start: 5, End: 5}},
		}},
		{"filter/filter.go", fixtures.GoCLI(), sourcecode.File{
			Language: "go", Module: "filter", Doc: sourcecode.Doc{Text: "Package filter chooses lines of logs.", Start: 1, End: 1},
			Symbols: []sourcecode.Symbol{
				{Name: "DefaultLevel", Kind: sourcecode.Value, Line: 12, Doc: sourcecode.Doc{Text: "DefaultLevel is the level of lines that do not name one.", Start: 11, End: 11}},
				{Name: "Level", Kind: class, Line: 15, Doc: sourcecode.Doc{Text: "A Level says how serious a line is.", Start: 14, End: 14}},
				{Name: "Filter", Kind: class, Line: 18, Doc: sourcecode.Doc{Text: "A Filter chooses lines by their level.", Start: 17, End: 17}},
				{Name: "Match", Kind: sourcecode.Method, Line: 23, Doc: sourcecode.Doc{Text: "Match reports whether a line passes the filter.", Start: 22, End: 22}, Owner: "Filter"},
				{Name: "Errors", Kind: function, Line: 28, Doc: sourcecode.Doc{Text: "Errors copies the lines of level error from a reader to a writer.", Start: 27, End: 27}},
			},
		}},
		{"cmd/tidylog/main.go", fixtures.GoCLI(), sourcecode.File{Language: "go", Module: "cmd/tidylog", Program: true}},
		{"src/index.js", fixtures.NodeLib(), sourcecode.File{
			Language: "javascript",
			Symbols: []sourcecode.Symbol{
				{Name: "contrast", Kind: function, Line: 1}, {Name: "Palette", Kind: class, Line: 2},
				{Name: "parse", Kind: function, Line: 5, Doc: sourcecode.Doc{Text: "Parses a colour in any notation.", Start: 4, End: 4}},
			},
		}},
		{"src/index.d.ts", fixtures.NodeLib(), sourcecode.File{
			Language: "typescript",
			Symbols: []sourcecode.Symbol{
				{Name: "Colour", Kind: class, Line: 1}, {Name: "parse", Kind: function, Line: 2},
				{Name: "contrast", Kind: function, Line: 3}, {Name: "Palette", Kind: class, Line: 4},
			},
		}},
		{"dotnet/Writer.cs", fixtures.Monorepo(), sourcecode.File{
			Language: "csharp", Module: "Acme.Parcel",
			Symbols: []sourcecode.Symbol{{Name: "Writer", Kind: class, Line: 4, Doc: sourcecode.Doc{Text: "Writes archives.", Start: 3, End: 3}}},
		}},
		{"java/src/main/java/com/acme/parcel/Reader.java", fixtures.Monorepo(), sourcecode.File{
			Language: "java", Module: "com.acme.parcel",
			Symbols: []sourcecode.Symbol{{Name: "Reader", Kind: class, Line: 4, Doc: sourcecode.Doc{Text: "Reads archives entry by entry.", Start: 3, End: 3}}},
		}},
		{"rust/src/lib.rs", fixtures.Monorepo(), sourcecode.File{
			Language: "rust",
			Symbols: []sourcecode.Symbol{
				{Name: "Archive", Kind: class, Line: 4, Doc: sourcecode.Doc{Text: "An archive in memory.", Start: 3, End: 3}},
				{Name: "pack", Kind: function, Line: 9, Doc: sourcecode.Doc{Text: "Packs names into an archive.", Start: 8, End: 8}},
			},
		}},
		{"php/src/Lister.php", fixtures.Monorepo(), sourcecode.File{
			Language: "php", Module: `Acme\Parcel`,
			Symbols: []sourcecode.Symbol{
				{Name: "Lister", Kind: class, Line: 6, Doc: sourcecode.Doc{Text: "Lists the entries of an archive.", Start: 5, End: 5}},
				{Name: "lister", Kind: function, Line: 14},
			},
		}},
	} {
		got, err := sourcecode.Scan(test.name, test.files[test.name])
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// 6.3: files with several functions come in pieces, others whole; short and
// talkative ones not at all.
func TestPieces(t *testing.T) {
	names := func(pieces []sourcecode.Piece) (names []string) {
		for _, piece := range pieces {
			names = append(names, piece.Name)
		}
		return names
	}
	two := "import x\n\n@cached\ndef one():\n    a = 1\n    return a\n\n# next\ndef two(\n    a,\n):\n    return a\n\nprint(one())\n"
	pieces := sourcecode.FromFile("a.py", two)
	if diff := cmp.Diff([]string{"one", "two"}, names(pieces)); diff != "" {
		t.Fatal(diff)
	}
	if diff := cmp.Diff(sourcecode.Piece{Language: "python", Code: "@cached\ndef one():\n    a = 1\n    return a", Name: "one", Start: 3, End: 6}, pieces[0]); diff != "" {
		t.Error(diff)
	}
	if got := sourcecode.FromFile("b.py", fixtures.AcmeTool()["examples/convert_csv_to_json.py"]); len(got) != 1 || got[0].Start != 1 || got[0].End != 12 {
		t.Errorf("%+v", got)
	}
	for name, code := range map[string]string{"short": "a = 1\nb = 2\n", "comments": strings.Repeat("# x\n", 9) + "a = 1\n", "long": strings.Repeat("a = 1\n", 501), "wide": strings.Repeat(strings.Repeat("a", 40000)+"\n", 3)} {
		if got := sourcecode.FromFile("c.py", code); len(got) != 0 {
			t.Errorf("%s: %d pieces", name, len(got))
		}
	}
	if _, ok := sourcecode.FromFence(document.Fence{Code: "pip install x\n", Start: 1, End: 1}); ok {
		t.Error("a fence of one line is a piece")
	}
}

// 6.2(8): a comment between /* and */ is cited where its words stand, and a
// function of Go comes with what is written above it.
func TestGoComments(t *testing.T) {
	file, err := sourcecode.Scan("doc.go", fixtures.GoLib()["doc.go"])
	if want := (sourcecode.Doc{Text: "Package tally keeps books of amounts and adds them up.", Start: 1, End: 2}); err != nil || file.Doc != want {
		t.Errorf("%+v, %v", file.Doc, err)
	}
	pieces := sourcecode.Functions("go", fixtures.GoLib()["example_test.go"])
	if len(pieces) != 3 || pieces[0].Doc.Text != "" || pieces[2].Doc != (sourcecode.Doc{Text: "ExamplePercent_roundNaNs shows that shares are cut and never rounded up.", Start: 22, End: 22}) {
		t.Errorf("%+v", pieces)
	}
}

// whatever the bytes are, lines are lines of the file.
func FuzzScan(f *testing.F) {
	for _, files := range fixtures.All() {
		for name, text := range files {
			if sourcecode.CanScan(sourcecode.Language(name)) {
				f.Add(name, text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		file, err := sourcecode.Scan(name, text)
		if err != nil {
			return
		}
		lines := strings.Count(text, "\n") + 1
		for _, symbol := range file.Symbols {
			if symbol.Line < 1 || symbol.Line > lines || symbol.Doc.End > lines || symbol.Doc.End < symbol.Doc.Start {
				t.Errorf("%+v of %d lines", symbol, lines)
			}
		}
		for _, piece := range sourcecode.FromFile(name, text) {
			if piece.Start < 1 || piece.End > lines || piece.End < piece.Start {
				t.Errorf("%d to %d of %d lines", piece.Start, piece.End, lines)
			}
		}
	})
}

// 6.2(8): lists of exports over several lines, names with capitals and
// underscores, classes, and the methods that something is written about, each
// with what stands above it.
func TestNamesWithTheirMethods(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"index.js": {
			"/**\n * Counts petals. It never fails.\n *\n * @param {string} name\n */\nfunction alpha(name) {}\n\n/** Is small. */\nconst eps_ilon = 1;\nconst gammaRay = () => {};\n" +
				"\n/** Holds flowers. */\nclass Delta {\n  constructor() {}\n  /** Puts one in. */\n  add(flower) {\n    if (flower) {}\n  }\n  #hidden() {}\n  /** Is private. */\n  _count() {}\n  plain() {}\n}\n" +
				"\nfunction inner() {}\n\nexport {\n  alpha, // first\n  eps_ilon,\n  gammaRay as ray,\n  Delta,\n};\n",
			[]string{"alpha: Counts petals. It never fails.", "eps_ilon: Is small.", "ray: ", "Delta: Holds flowers.", "Delta.add: Puts one in."},
		},
		"main.cjs": {
			"/** Runs. */\nclass Engine {\n  /** Starts it. */\n  start() {}\n}\nmodule.exports = {\n  Engine,\n  go: start,\n};\n",
			[]string{"Engine: Runs.", "Engine.start: Starts it.", "go: "},
		},
		"one.js": {"/** Runs. */\nfunction run() {}\nmodule.exports = run;\n", []string{"run: Runs."}},
		"tally.py": {
			"class Counter:\n    \"\"\"Counts things.\"\"\"\n\n    def add(self):\n        \"\"\"Adds one.\n\n        More.\n        \"\"\"\n        def inner():\n            \"\"\"Hidden.\"\"\"\n\n    def bare(self):\n        pass\n\n    def _own(self):\n        \"\"\"Private.\"\"\"\n\n\nclass _Hidden:\n    def show(self):\n        \"\"\"Shows.\"\"\"\n\n\ndef merge():\n    def part():\n        \"\"\"Hidden.\"\"\"\n",
			[]string{"Counter: Counts things.", "Counter.add: Adds one.", "merge: "},
		},
		"tally.go": {
			"package tally\n\n// Add adds one.\nfunc (c *Counter[T]) Add() {}\n\nfunc (c Counter[T]) Bare() {}\n\n// Get is hidden.\nfunc (h hidden) Get() {}\n\n// Counter counts.\ntype Counter[T any] struct{}\n",
			[]string{"Counter.Add: Add adds one.", "Counter: Counter counts."},
		},
	} {
		file, err := sourcecode.Scan(name, test.text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range file.Symbols {
			got = append(got, s.Full()+": "+s.Doc.Text)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// 6.2(8): a file of the largest size that is nothing but exports has all of them,
// with their lines.
func TestManyExports(t *testing.T) {
	var text strings.Builder
	text.WriteString("export {\n")
	n := 0
	for ; text.Len() < sourcecode.MaxSize-20; n++ {
		fmt.Fprintf(&text, "  a%d,\n", n)
	}
	text.WriteString("};\n")
	file, err := sourcecode.Scan("index.js", text.String())
	if err != nil || len(file.Symbols) != n || file.Symbols[n-1].Line != n+1 {
		t.Errorf("%d of %d names, %v", len(file.Symbols), n, err)
	}
}
