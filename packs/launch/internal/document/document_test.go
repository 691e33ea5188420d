package document_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/document"
	"mcpworks/packs/launch/internal/fixtures"
)

// 6.2(1): blocks with their lines and headings; code, HTML, images and lists of
// links are no prose.
func TestMarkdown(t *testing.T) {
	got := document.Parse("a.md", `---
title: x
---
# Acme <b>Tool</b>

[![badge](b.svg)](https://x.example)

Reads tables, e.g. CSV. It is
fast &amp; small. See [the
manual](https://x.example) for `+"`load_table`"+`.

- [One](#one)
- [Two](#two)

## Use

<div>hidden</div>

1. First do **this**.
   `+"```py\n   x = 1\n   ```"+`
2. Then <script>alert(1)</script> that.

- [ ] planned
- [x] done

| Format | Write |
|---|---|
| CSV | yes |

    indented code
`)
	want := document.Document{
		Headings: []document.Heading{{Text: "Acme Tool", Level: 1, Line: 4}, {Text: "Use", Level: 2, Line: 15, Parent: 1}},
		Blocks: []document.Block{
			{Kind: document.Sentence, Text: "Reads tables, e.g. CSV.", Start: 8, End: 8, Heading: "Acme Tool"},
			{Kind: document.Sentence, Text: "It is fast & small.", Start: 8, End: 9, Heading: "Acme Tool"},
			{Kind: document.Sentence, Text: "See the manual for `load_table`.", Start: 9, End: 10, Heading: "Acme Tool"},
			{Kind: document.Step, Text: "First do this.", Start: 19, End: 19, Heading: "Use", Above: []string{"Acme Tool"}},
			{Kind: document.Step, Text: "Then that.", Start: 23, End: 23, Heading: "Use", Above: []string{"Acme Tool"}},
			{Kind: document.Item, Text: "planned", Start: 25, End: 25, Heading: "Use", Above: []string{"Acme Tool"}, Open: true},
			{Kind: document.Item, Text: "done", Start: 26, End: 26, Heading: "Use", Above: []string{"Acme Tool"}},
			{Kind: document.Row, Text: "Format: CSV; Write: yes", Start: 28, End: 30, Heading: "Use", Above: []string{"Acme Tool"}},
		},
		Fences: []document.Fence{
			{Language: "py", Code: "x = 1\n", Start: 21, End: 21, Heading: "Use"},
			{Code: "indented code\n", Start: 32, End: 32, Heading: "Use"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// 6.2(1): blocks know all headings above them, and which items speak of others.
func TestNesting(t *testing.T) {
	long := strings.Repeat("word ", 45)
	got := document.Parse("a.md", "# One\n\n## Two\n\n### Three\n\nText a.\n\n## Four\n\n- Item a.\n  - Item b.\n- First "+long+"end. Second sentence.\n")
	var titles, nested []string
	for _, block := range got.Blocks {
		titles = append(titles, strings.Join(append(block.Above, block.Heading), " "))
		if block.Nested {
			nested = append(nested, block.Text)
		}
	}
	if diff := cmp.Diff([]string{"Two One Three", "One Four", "One Four", "One Four", "One Four"}, titles); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Item b.", "Second sentence."}, nested); diff != "" {
		t.Error(diff)
	}
}

// 6.2(1): reStructuredText by paragraphs.
func TestRestructured(t *testing.T) {
	got := document.Parse("a.rst", "Title\n=====\n\nThe ``Table`` class and\n:func:`load` work. See `docs <http://x>`_.\n\n.. note::\n   left out\n\n- one *item*\n- two\n\nRun::\n\n    x = 1\n\n    y = 2\n\n.. code-block:: python\n   :linenos:\n\n   z = 3\n")
	want := document.Document{
		Headings: []document.Heading{{Text: "Title", Level: 1, Line: 1}},
		Blocks: []document.Block{
			{Text: "The `Table` class and `load` work.", Start: 4, End: 5, Heading: "Title"},
			{Text: "See docs.", Start: 5, End: 5, Heading: "Title"},
			{Kind: document.Item, Text: "one item", Start: 10, End: 10, Heading: "Title"},
			{Kind: document.Item, Text: "two", Start: 11, End: 11, Heading: "Title"},
			{Text: "Run:", Start: 13, End: 13, Heading: "Title"},
		},
		Fences: []document.Fence{
			{Code: "x = 1\n\ny = 2\n", Start: 15, End: 17, Heading: "Title"},
			{Language: "python", Code: "z = 3\n", Start: 22, End: 22, Heading: "Title"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPlain(t *testing.T) {
	got := document.Parse("a.txt", fixtures.GoCLI()["docs/filters.txt"])
	want := document.Document{
		Headings: []document.Heading{{Text: "Filters", Level: 1, Line: 1}},
		Blocks: []document.Block{
			{Text: "A filter is a field, an operator and a value, such as status>=500.", Start: 3, End: 3, Heading: "Filters"},
			{Text: "Several filters are joined by a comma, and a line has to match all of them.", Start: 5, End: 5, Heading: "Filters"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// files that are made to keep a parser busy are read at once, and what
// stands after the attack is still found. Without bounds this takes hours.
func TestBusyWork(t *testing.T) {
	nested := &strings.Builder{}
	for i := range 1800 {
		nested.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	attacks := []string{nested.String(), strings.Repeat("> ", 500_000) + "x", strings.Repeat("- ", 500_000) + "x"}
	for _, part := range []string{
		"[", "]", "*a_", "_a*", "a_b*c", "a**b", "[a](", "[a][b]", "[a]: b\n", "![", "<!--", "<a ", "<a b='", "<?", "`a``", "> *a_\n", "> [a](\n",
		"2. *a_\n", "| *a_\n", "|*a_|\n|-|\n", "    ```\n*a_\n", "  ```\n*a_\n", "&a;", "a. A", "***\n", "  *a_\n",
	} {
		attacks = append(attacks, strings.Repeat(part, 1<<20/len(part)))
	}
	for _, attack := range attacks {
		got := document.Parse("a.md", "# A\n\nBefore it.\n\n"+attack+"\n\n# B\n\nAfter it.\n")
		if first, last := got.Blocks[0].Text, got.Blocks[len(got.Blocks)-1].Text; first != "Before it." || last != "After it." && !strings.Contains(attack, "`") && !strings.Contains(attack, "<") {
			t.Errorf("%.10q: %.20q and %.20q", attack, first, last)
		}
	}
}

// whatever the bytes are, reading ends, and lines are lines of the file.
func FuzzParse(f *testing.F) {
	for _, files := range fixtures.All() {
		for name, text := range files {
			if len(text) < 1<<14 {
				f.Add(name, text)
			}
		}
	}
	f.Add("a.md", strings.Repeat("> ", 5000)+"x")
	f.Add("a.md", strings.Repeat("- ", 5000)+"x")
	f.Add("a.md", strings.Repeat("[", 5000)+"x")
	f.Add("a.rst", "=\n=\n\n::\n\n  x\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		document := document.Parse(name, text)
		lines := strings.Count(text, "\n") + 1
		for _, block := range document.Blocks {
			if block.Start < 1 || block.End < block.Start || block.End > lines || block.Text == "" {
				t.Errorf("%+v of %d lines", block, lines)
			}
		}
		for _, fence := range document.Fences {
			if fence.Start < 1 || fence.End < fence.Start || fence.End > lines {
				t.Errorf("%+v of %d lines", fence, lines)
			}
		}
	})
}
