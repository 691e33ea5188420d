package page

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mcpworks/packs/launch/internal/patch/frontmatter"
)

const sample = "---\ntitle: T\n---\nOne `two` [three](/x/#y).\n\n## A `b` c {#own}\n\n- item\n\n```go\nx := 1\n```\n\n    indented\n\n## Last one\n\n~~~\nopen"

func TestRead(t *testing.T) {
	p, err := Read([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	want := []Title{{2, "A b c", "own", 6}, {2, "Last one", "last-one", 16}}
	if diff := cmp.Diff(want, p.Titles); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Link{{"/x/#y", "three", 4, false}}, p.Links); diff != "" {
		t.Error(diff)
	}
	fences := []Fence{{"go", "x := 1\n", 10, 12, true}, {"", "open\n", 18, 19, false}}
	if diff := cmp.Diff(fences, p.Fences); diff != "" {
		t.Error(diff)
	}
	if bare := p.Lines[3].Bare; bare != "One `   ` [three](/x/#y)." {
		t.Errorf("bare: %q", bare)
	}
	if p.Values["title"] != "T" || p.Lines[13].Kind != Indented || p.Lines[7].Kind != Prose || p.Lines[0].Kind != Front {
		t.Errorf("%+v", p.Lines)
	}
	if strings.Contains(p.Bare(), "indented") || strings.Contains(p.Bare(), "x :=") || strings.Contains(p.Bare(), "open") {
		t.Errorf("bare has code: %q", p.Bare())
	}
}

// A script cannot be hidden from the gates by something that only looks like
// code.
func TestCodeIsWhatReadersSeeAsCode(t *testing.T) {
	for _, text := range []string{
		"<a title=\"`\" onclick=x>`", "\\`<script>`", "text\n    <script>", "- a\n\n      <script>", "``\n\n<script>\n``",
	} {
		p, err := Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		hidden := !strings.Contains(p.Bare(), "<script>") && !strings.Contains(p.Bare(), "onclick")
		if isCode := text == "- a\n\n      <script>"; hidden != isCode {
			t.Errorf("%q: hidden %v", text, hidden)
		}
	}
}

func TestSince(t *testing.T) {
	p, _ := Read([]byte("a\nb\nc\n"))
	p.Since([]byte("a\nc\n"))
	if p.New(1) || !p.New(2) || p.New(3) || p.New(9) {
		t.Errorf("%+v", p.Lines)
	}
}

func TestUnreadable(t *testing.T) {
	for text, want := range map[string]error{
		strings.Repeat("a\n\n", MaxSize): ErrTooLarge, strings.Repeat("[", maxParagraph+1): ErrParagraph, strings.Repeat("> ", 33) + "[x](javascript:alert(1))": ErrNested,
		"- ```\n  x\n  ```\n" + strings.Repeat("[", maxParagraph+1): ErrParagraph, "```\nx\n~~~\n```\n" + strings.Repeat("[", maxParagraph+1): ErrParagraph,
		"```a`b\n" + strings.Repeat("[", maxParagraph+1): ErrParagraph, "\xff": ErrEncoding, "a\x00": ErrEncoding,
	} {
		if _, err := Read([]byte(text)); !errors.Is(err, want) {
			t.Errorf("%.10q: %v", text, err)
		}
	}
	p, err := Read([]byte("---\ntitle: [\n---\nx\n"))
	if err != nil || p.FrontErr == nil || errors.Is(p.FrontErr, frontmatter.ErrMissing) || p.Lines[3].Kind != Prose {
		t.Errorf("%v %+v", err, p)
	}
}

// Whatever the text is, lines stay as long as they are.
func TestLinesKeepTheirLength(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "`", "```", "\n", "\n\n", " ", "    ", "- ", "> ", "#", "[x](y)", "<!--", "-->", "---", "é", "|", "~~~", "\t", "1. "})
	rapid.Check(t, func(t *rapid.T) {
		p, err := Read([]byte(strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "text"), "")))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range p.Lines {
			if len(line.Bare) != len(line.Text) {
				t.Fatalf("%q became %q", line.Text, line.Bare)
			}
		}
	})
}

// The work stays bounded on the worst pages that are read at all.
func BenchmarkHostile(b *testing.B) {
	for name, piece := range map[string]string{"code": "`a` ", "brackets": "[", "stars": "*a_ ", "ticks": "` `` ``` ", "quotes": "> ", "tags": "<a b='"} {
		paragraph := strings.Repeat(piece, maxParagraph/len(piece)-1) + "\n\n"
		text := []byte(strings.Repeat(paragraph, MaxSize/len(paragraph)))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Read(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Code in a fence may be of any length, and may look like anything.
func TestLongCode(t *testing.T) {
	code := strings.Repeat("x = 'a line of an example'\n", 2000) + strings.Repeat("> ", 40) + "x\n```\n"
	p, err := Read([]byte("# Example\n\n````python\n" + code + "````\n\nText.\n"))
	if err != nil || len(p.Fences) != 1 || p.Fences[0].Code != code || !p.Fences[0].Closed {
		t.Error(err)
	}
}

// The end of a cell ends the code in it: nothing hides behind it.
func TestTableCells(t *testing.T) {
	p, err := Read([]byte("| a | b |\n|---|---|\n| `x | <script>` | y |\n| `y` | [z](/z/) |\n"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(p.Bare(), "<script>") || strings.Contains(p.Lines[3].Bare, "y") {
		t.Errorf("%q", p.Bare())
	}
	if len(p.Links) != 1 || p.Links[0].Line != 4 {
		t.Errorf("%+v", p.Links)
	}
}
