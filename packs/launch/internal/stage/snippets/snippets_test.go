package snippets_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/sourcecode"
	"mcpworks/packs/launch/internal/stage/facts"
	"mcpworks/packs/launch/internal/stage/snippets"
)

// inputs are the files with what the stage before says about them.
func inputs(t *testing.T, files map[string]string) snippets.Inputs {
	t.Helper()
	in := facts.Inputs{
		Repo: fixtures.FS(files), Inventory: fixtures.Inventory(files), Formats: []string{"csv", "json"},
		Config: config.Config{ProductName: "Acme Tool", ProductSlug: "acme-tool", ValidationProfile: "ci"},
	}
	out, _, err := facts.Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return snippets.Inputs{Repo: in.Repo, Inventory: in.Inventory, Config: in.Config, Facts: out.Facts, Evidence: out.Evidence}
}

func run(t *testing.T, in snippets.Inputs) ([]artifact.Snippet, []issue.Issue) {
	t.Helper()
	out, issues, err := snippets.Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out.Catalog.Snippets, issues
}

// 6.3: the catalogue fits its schema, is sorted, has code that stands where it
// says, and has every snippet that the facts speak of.
func TestCatalog(t *testing.T) {
	for name, files := range fixtures.All() {
		in := inputs(t, files)
		list, issues := run(t, in)
		text, err := artifact.Encode(artifact.SnippetCatalog{SchemaVersion: artifact.Version, Snippets: list})
		if err != nil {
			t.Fatal(err)
		}
		if violations, err := artifact.Validate(artifact.SnippetCatalogName, text); err != nil || len(violations) > 0 {
			t.Errorf("%s: %v, %v", name, violations, err)
		}
		for _, snippet := range list {
			if snippet.ID != sourcecode.ID(snippet.Code, snippet.Language) || len(snippet.Tags) == 0 || !slices.IsSorted(snippet.Tags) {
				t.Errorf("%s: %+v", name, snippet)
			}
			for _, source := range snippet.Sources {
				lines := strings.Split(files[source.Path], "\n")[source.StartLine-1 : source.EndLine]
				code := strings.Split(snippet.Code, "\n")
				if len(code) > len(lines) || !strings.HasSuffix(strings.TrimSpace(lines[0]), strings.TrimSpace(code[0])) {
					t.Errorf("%s: %s:%d has not %q", name, source.Path, source.StartLine, code[0])
				}
			}
		}
		if name == "acme-tool" && len(in.Facts.Examples) != 2 {
			t.Errorf("%+v", in.Facts.Examples)
		}
		checkReferences(t, name, in.Facts, list)
		for _, found := range issues {
			if found.Severity == issue.Blocker {
				t.Errorf("%s: %+v", name, found)
			}
		}
	}
}

// 6.3: where the code of a rich repository comes from.
func TestRich(t *testing.T) {
	list, issues := run(t, inputs(t, fixtures.AcmeTool()))
	if len(issues) > 0 {
		t.Error(issues)
	}
	got := map[string][]string{}
	relevance := map[string]int{}
	for _, snippet := range list {
		if snippet.Validation.SyntaxOK == nil && snippet.Language == "python" || snippet.Validation.SyntaxOK != nil && !*snippet.Validation.SyntaxOK {
			t.Errorf("%s: %v", snippet.Source.Path, snippet.Validation.SyntaxOK)
		}
		got[snippet.Source.Path] = append(got[snippet.Source.Path], strings.Join(snippet.Tags, " "))
		relevance[snippet.Source.Path] = snippet.Relevance
		if snippet.Language == "python" && strings.Contains(snippet.Code, "from acme_tool") && !slices.Equal(snippet.Requirements.Dependencies, []string{"acme-tool"}) {
			t.Errorf("%q needs %q", snippet.Code, snippet.Requirements.Dependencies)
		}
	}
	for _, tags := range got {
		slices.Sort(tags)
	}
	if diff := cmp.Diff(map[string][]string{
		"README.md":                       {"install installation readme", "quickstart readme"},
		"docs/api.rst":                    {"api"},
		"docs/converting.md":              {"convert convert-a-file-on-the-command-line", "convert convert-a-table-in-a-program"},
		"docs/getting-started.md":         {"configure-column-types quickstart", "optimise-memory-use quickstart", "quickstart set-up-a-project"},
		"examples/convert_csv_to_json.py": {"convert example"},
		"examples/merge_two_tables.py":    {"example merge"},
		"tests/test_convert.py":           {"convert"},
	}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{
		"README.md": 100, "docs/api.rst": 90, "docs/converting.md": 90, "docs/getting-started.md": 90,
		"examples/convert_csv_to_json.py": 100, "examples/merge_two_tables.py": 100, "tests/test_convert.py": 60,
	}, relevance); diff != "" {
		t.Error(diff)
	}
}

// 6.3: examples of Go's tests, dialogues in doc strings, and the same code twice.
func TestPlaces(t *testing.T) {
	list, _ := run(t, inputs(t, fixtures.GoCLI()))
	if !slices.ContainsFunc(list, func(s artifact.Snippet) bool {
		return s.Source.Path == "filter/filter_test.go" && strings.HasPrefix(s.Code, "func ExampleErrors()") && *s.Validation.SyntaxOK
	}) {
		t.Errorf("%+v", list)
	}
	list, _ = run(t, inputs(t, map[string]string{
		"acme/__init__.py": "def add(a, b):\n    \"\"\"Adds.\n\n    >>> x = add(1, 2)\n    >>> print(x)\n    3\n    \"\"\"\n    return a + b\n",
		"README.md":        "# Acme Tool\n\n## Usage\n\n```python\nx = add(1, 2)\nprint(x)\n```\n\n```\nplain\ntext\n```\n",
	}))
	if len(list) != 2 || list[1].Language != "unknown" || list[1].Validation.SyntaxOK != nil {
		t.Fatalf("%+v", list)
	}
	if diff := cmp.Diff([]artifact.SnippetSource{
		{Type: "repo_file", Path: "README.md", StartLine: 6, EndLine: 7}, {Type: "repo_file", Path: "acme/__init__.py", StartLine: 4, EndLine: 5},
	}, list[0].Sources); diff != "" {
		t.Error(diff)
	}
}

// 6.1: without examples, tests are shown; the facts do not call them examples.
func TestTestsAsExamples(t *testing.T) {
	files := maps.Clone(fixtures.AcmeTool())
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasPrefix(name, "examples/") })
	in := inputs(t, files)
	in.Inventory.ExamplePaths = []string{"tests/test_merge.py", "tests/test_save.py"}
	list, _ := run(t, in)
	if !slices.ContainsFunc(list, func(s artifact.Snippet) bool { return s.Source.Path == "tests/test_merge.py" && s.Relevance == 60 }) {
		t.Errorf("%+v", list)
	}
	if len(in.Facts.Examples) > 0 {
		t.Errorf("%+v", in.Facts.Examples)
	}
}

// 6.3: an example of Go is shown without the comment that is said before it, and
// names the product's packages that it uses; one that needs helpers of tests is
// none.
func TestExamplesOfGo(t *testing.T) {
	example := "package grain_test\n\nimport (\n\t\"fmt\"\n\n\t\"x.example/grain\"\n%s)\n\n// Mills can be fast.\nfunc Example%s() {\n\tfmt.Println(grain.Mill())\n\t// Output: 1\n}\n"
	list, _ := run(t, inputs(t, map[string]string{
		"README.md": "# Grain\n", "go.mod": "module x.example/grain\n", "grain.go": "package grain\n\n// Mill turns.\nfunc Mill() int { return 1 }\n",
		"example_test.go": fmt.Sprintf(example, "", "Mill"), "example_own_test.go": fmt.Sprintf(example, "\t\"x.example/grain/internal/stones\"\n", "Own"),
	}))
	var got []string
	for _, snippet := range list {
		got = append(got, snippet.Source.Path, snippet.Code, strings.Join(snippet.Requirements.Dependencies, " "))
	}
	want := []string{"example_test.go", "func ExampleMill() {\n\tfmt.Println(grain.Mill())\n\t// Output: 1\n}", "x.example/grain"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// 6.3: generated code needs leave and an entry point.
func TestGenerated(t *testing.T) {
	for name, want := range map[string]int{"acme-tool": 1, "node-lib": 1, "go-cli": 0, "sparse": 0} {
		in := inputs(t, fixtures.All()[name])
		without, _ := run(t, in)
		in.Config.AllowGeneratedSnippets = true
		with, _ := run(t, in)
		if len(with)-len(without) != want {
			t.Errorf("%s: %d and %d snippets", name, len(without), len(with))
		}
		for _, snippet := range with {
			if snippet.Source.Type == "generated" && (!*snippet.Validation.SyntaxOK || snippet.Relevance != 40) {
				t.Errorf("%+v", snippet)
			}
		}
	}
}

// R-10: no secret, no active content and no hidden characters in code.
func TestHostile(t *testing.T) {
	files := fixtures.Hostile()
	files["docs/trojan.md"] = "# T\n\n```python\naccess = 'user\u202e'\nprint(access)\n```\n\n```yaml\na: {{< x >}}\nb: 1\n```\n"
	list, issues := run(t, inputs(t, files))
	for _, snippet := range list {
		for _, bad := range append(fixtures.Secrets(), "<script", "{{<", "\u202e") {
			if strings.Contains(snippet.Code, bad) {
				t.Errorf("%s has %q", snippet.Source.Path, bad)
			}
		}
	}
	if !slices.ContainsFunc(list, func(s artifact.Snippet) bool { return s.Source.Path == "examples/clean.py" }) {
		t.Error("the clean example is lost")
	}
	if !slices.ContainsFunc(issues, func(i issue.Issue) bool {
		return i.Code == "SNIPPET_CURATOR_SECRET_WITHHELD" && i.Location.Path == "examples/leak.py"
	}) {
		t.Errorf("%+v", issues)
	}
}

// 6.3: what is well formed.
func TestSyntax(t *testing.T) {
	yes, no := true, false
	for code, want := range map[string]*bool{
		"python|def a():\n    return '('": &yes, "python|def a():\nreturn 1": &no, "python|print('a)\nb": &no, "python|x = [1,\n  2]": &yes, "python|x = (1\ny": &no,
		"python|if x:\n    \"\"\"it's\n    \"\"\"\n    y()": &yes,
		"go|a := 1\nfmt.Println(a)":                         &yes, "go|func a() {\n}": &yes, "go|func a( {\n}": &no,
		"json|{\"a\":\n1}": &yes, "json|{\"a\"\n1}": &no, "yaml|a: 1\nb: 2": &yes, "yaml|a: [1\nb: 2": &no, "toml|a = 1\nb = 2": &yes, "toml|a = \nb": &no,
		"javascript|const a = `\n${b}`": &yes, "javascript|f({\na": &no, "javascript|x = /'/\ny": nil,
		"rust|fn a<'a>(x: &'a str) {\n}": &yes, "java|class A {\n}": &yes, "java|class A {\n/* }": &no, "bash|echo it's\nls": nil, "brainfuck|[[\n[": nil,
	} {
		language, code, _ := strings.Cut(code, "|")
		list, _ := run(t, inputs(t, map[string]string{"README.md": "# A\n\n```" + language + "\n" + code + "\n```\n"}))
		if len(list) != 1 {
			t.Errorf("%s %q: %d snippets", language, code, len(list))
		} else if diff := cmp.Diff(want, list[0].Validation.SyntaxOK); diff != "" {
			t.Errorf("%s %q: %s", language, code, diff)
		}
	}
}

// 6: a missing or wrong input is a blocker.
func TestInputs(t *testing.T) {
	good := inputs(t, fixtures.Sparse())
	for name, spoil := range map[string]func(*snippets.Inputs){
		"SNIPPET_CURATOR_MISSING_INPUT repo":      func(in *snippets.Inputs) { in.Repo = nil },
		"SNIPPET_CURATOR_MISSING_INPUT inventory": func(in *snippets.Inputs) { in.Inventory.SchemaVersion = "" },
		"SNIPPET_CURATOR_MISSING_INPUT facts":     func(in *snippets.Inputs) { in.Facts.SchemaVersion = "" },
		"SNIPPET_CURATOR_MISSING_INPUT evidence":  func(in *snippets.Inputs) { in.Evidence.SchemaVersion = "" },
		"SNIPPET_CURATOR_INVALID_INPUT version":   func(in *snippets.Inputs) { in.Facts.SchemaVersion = "9" },
	} {
		in := good
		spoil(&in)
		_, issues, err := snippets.Run(context.Background(), in)
		if code, _, _ := strings.Cut(name, " "); !errors.Is(err, snippets.ErrInput) || len(issues) != 1 || issues[0].Code != code || issues[0].Severity != issue.Blocker {
			t.Errorf("%s: %v, %+v", name, err, issues)
		}
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := snippets.Run(cancelled, good); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// 6.10: equal inputs give equal bytes, whatever runs beside.
func TestDeterminism(t *testing.T) {
	all := fixtures.All()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		in := inputs(t, all[name])
		in.Config.AllowGeneratedSnippets = true
		var first []byte
		for _, processors := range []int{1, 8} {
			before := runtime.GOMAXPROCS(processors)
			list, issues := run(t, in)
			runtime.GOMAXPROCS(before)
			text, err := artifact.Encode([]any{list, issues})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = text
			} else if !bytes.Equal(first, text) {
				t.Errorf("%s: %s", name, cmp.Diff(string(first), string(text)))
			}
		}
	}
}
