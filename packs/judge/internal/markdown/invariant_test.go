package markdown

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestInvariant52BlankContent(t *testing.T) {
	for _, content := range []string{"", " ", "\n\t\r\n", "\u00a0\u3000", "<p>&nbsp;</p>", "<br>", "<p><!-- x --></p>"} {
		for _, source := range []string{"leetcode", "luogu", ""} {
			if got := Statement(source, content); got != missing {
				t.Errorf("Statement(%q, %q) = %q", source, content, got)
			}
		}
	}
}

func TestInvariant53Bold(t *testing.T) {
	wantStatement(t, "<b>bold</b>", "**bold**")
}

func TestInvariant54ScriptDropped(t *testing.T) {
	wantStatement(t, "<script>alert(1)</script><p>text</p>", "text")
}

func TestInvariant55Superscript(t *testing.T) {
	wantStatement(t, "10<sup>4</sup>", "10^4")
	wantStatement(t, "<code>10<sup>4</sup></code>", "`10^4`")
	wantStatement(t, "<pre>10<sup>4</sup></pre>", "```\n10^4\n```")
}

func wantStatement(t *testing.T, content, want string) {
	t.Helper()
	if got := Statement("leetcode", content); got != want {
		t.Errorf("Statement(%q) = %q, want %q", content, got, want)
	}
}

// A Markdown statement is text that does not begin with a tag.
func TestInvariant56MarkdownUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := rapid.SampledFrom([]string{"luogu", "codeforces", "atcoder", "spoj"}).Draw(t, "source")
		content := "题 " + rapid.String().Draw(t, "text") + soup().Draw(t, "markup")
		if got := Statement(source, content); got != content {
			t.Errorf("changed %q to %q", content, got)
		}
	})
}

func TestInvariant57ValidTextAlways(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := soup().Draw(t, "html") + string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		checkStatement(t, content)
	})
}

// checkStatement checks what holds for every statement.
func checkStatement(t interface{ Errorf(string, ...any) }, content string) {
	text := Statement("leetcode", content)
	if !utf8.ValidString(text) {
		t.Errorf("not UTF-8: %q", text)
	}
	if blank(text) {
		t.Errorf("blank statement from %q", content)
	}
	content = strings.ToValidUTF8(content, "\uFFFD")
	if stripped := strip(content); strings.ContainsAny(stripped, "<>") || stripped != strings.TrimSpace(stripped) {
		t.Errorf("fallback left markup or white space: %q", stripped)
	}
	converted := convert(content)
	if converted != strings.TrimSpace(converted) {
		t.Errorf("white space around %q", converted)
	}
	if !strings.Contains(converted, "```") && strings.Contains(converted, "\n\n\n") {
		t.Errorf("two blank lines in a row: %q", converted)
	}
}

// signs are text that means something to Markdown or HTML.
var signs = []string{
	"a", "b c", " ", "\n", "1.", "*", "_", "`", "\\", "#", "- ", "|", "[", "](", "&lt;", "&nbsp;", "&", "<", ">", "中",
}

var tags = []string{
	"<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<i>", "</i>", "<del>", "</del>", "<code>", "</code>",
	"<pre>", "</pre>", "<sup>", "</sup>", "<sub>", "</sub>", "<ul>", "</ul>", "<ol start=7>", "</ol>", "<li>", "</li>",
	"<blockquote>", "</blockquote>", "<h2>", "</h2>", "<hr>", "<br>", "<a href='/x y'>", "</a>", "<img src=x alt=y>",
	"<table>", "</table>", "<tr>", "</tr>", "<td>", "</td>", "<dl>", "<dt>", "<dd>", "</dl>", "<span>", "</span>",
}

// soup draws HTML in which nothing needs to fit together.
func soup() *rapid.Generator[string] {
	part := rapid.SampledFrom(slices.Concat(signs, tags))
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(part, 0, 40).Draw(t, "parts"), "")
	})
}

// Markup may be lost where it makes no sense or nests too deeply, text may not.
func TestNoTextIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var content strings.Builder
		drawn := rapid.SliceOfN(rapid.SampledFrom(tags), 1, 60).Draw(t, "tags")
		repeats := rapid.SampledFrom([]int{1, 1, 10, 100}).Draw(t, "repeats")
		for i, tag := range drawn {
			fmt.Fprintf(&content, "%s word%dend ", strings.Repeat(tag, repeats), i)
		}
		text := convert(content.String())
		for i := range drawn {
			if word := fmt.Sprintf("word%dend", i); !strings.Contains(text, word) {
				t.Errorf("%s is lost in %q", word, text)
			}
		}
	})
}

func TestScriptsNeverLeak(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		script := rapid.SampledFrom([]string{
			"<script>LEAK</script>", "<SCRIPT src=x>LEAK</script >", "<style>LEAK</style>", "<script>a<b>LEAK</b></script>",
			"<script><!-- LEAK --></script>", "<script/>LEAK</script>",
		}).Draw(t, "script")
		// The bracket closes a tag that soup leaves open; the script would be an attribute of it otherwise.
		content := "<p>" + soup().Draw(t, "before") + ">" + script + soup().Draw(t, "after")
		for _, text := range []string{Statement("leetcode", content), convert(content), strip(content)} {
			if strings.Contains(text, "LEAK") {
				t.Errorf("script shows in %q", text)
			}
		}
	})
}

func TestFallbackAfterPanic(t *testing.T) {
	failing := func(string) string { panic("bug") }
	if got, want := statement("", "<p>a &lt; <b>b</b></p>", failing), "a &lt; b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := statement("", "<p></p>", failing); got != missing {
		t.Errorf("got %q", got)
	}
}

func TestFallback(t *testing.T) {
	const content = "<style>x</style>\n<p>a<br>b</p>\n\n\n<!-- c -->" +
		"<p>1 &lt; 2 &amp;&amp; 3 &gt; 2 &#60;&copy; <\n</p><script>y</script>"
	const want = "a\nb\n\n1 &lt; 2 && 3 &gt; 2 &lt;© &lt;"
	if got := strip(content); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzStatement(f *testing.F) {
	for _, seed := range []string{
		"<p>You get <code>a<sub>i</sub></code>.</p><ul><li>1<li>2</ul>", "<pre>\n<b>x</b>\n</pre>", "<table><tr><td>a|b",
		"<b><i>x</b>y</i>", "<sup><sup></sup>", "<ol><li><blockquote><li>", "<a href=' java\nscript:x'>y</a>", "\xff<p>\x00",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) { checkStatement(t, content) })
}
