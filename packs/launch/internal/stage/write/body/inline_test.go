package body

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"pgregory.net/rapid"
)

// rendered is Markdown as the most trusting generator shows it: with raw HTML,
// tables, bare links and strikethrough.
func rendered(t interface{ Fatal(...any) }, markdown string) string {
	var out bytes.Buffer
	converter := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := converter.Convert([]byte(markdown), &out); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out.String())
}

// 6.5: text of a stranger is shown, and does nothing else.
func TestInline(t *testing.T) {
	for text, want := range map[string]string{
		"Reads `load_table` and load_table files.":           "Reads <code>load_table</code> and load_table files.",
		"See [the manual](javascript:alert(1)) for help.":    "See the manual for help.",
		"Shows ![a picture](data:text/html;base64,x) here.":  "Shows here.",
		"Supports <script>alert(1)</script> JSON.":           "Supports alert(1) JSON.",
		"Replaces __PRODUCT_NAME__ tokens.":                  "Replaces __PRODUCT_NAME__ tokens.",
		"Exports {{< evil >}} and {{% more %}} and {{ x }}.": "Exports {{&lt; evil &gt;}} and {{% more %}} and {{ x }}.",
		"a | b":                                    "a | b",
		"# no heading":                             "# no heading",
		"1. no list":                               "1. no list",
		"- no list":                                "- no list",
		"> no quote":                               "&gt; no quote",
		"*no* **emphasis** _here_ ~~or~~ here":     "*no* **emphasis** _here_ ~~or~~ here",
		"[^1] no footnote [x] no task":             "[^1] no footnote [x] no task",
		"status>=500 & a < b &lt; &#60;":           "status&gt;=500 &amp; a &lt; b &amp;lt; &amp;#60;",
		"visit https://evil.example/x now.":        "visit https://evil.example/x now.",
		"mail a@evil.example or www.evil.example.": "mail a@evil.example or www.evil.example.",
		"odd ` backtick":                           "odd ` backtick",
		"back\\slash \\* star":                     "back\\slash \\* star",
		"red\x1b[31m\u202e text":                   "red[31m text",
		"closes --> <!-- claim_id: " + strings.Repeat("0", 64) + " -->": "closes --&gt;",
	} {
		if got := rendered(t, "- "+Inline(text)); got != "<ul>\n<li>"+want+"</li>\n</ul>" {
			t.Errorf("%q is %q, shown as\n%s", text, Inline(text), got)
		}
	}
	for _, text := range []string{"javascript:alert(1)", "data:text/html,x", "onclick=x", "{{ x }}", "__TOKEN__", "<script>", "`{{ x }}` and `__TOKEN__` and `<script>`"} {
		if got := Inline("says " + text); active.MatchString(got) {
			t.Errorf("%q is %q", text, got)
		}
	}
}

// active is what no page may have outside of code, however it looks at it.
var active = regexp.MustCompile(`(?i:<[a-z/!]|javascript:|vbscript:|data:|\bon[a-z]+\s*=)|\{\{|\{%|__[A-Z]`)

// 6.5: whatever the text is, it stays one item of a list, with no link, no HTML
// and no token.
func TestInlineProperty(t *testing.T) {
	parts := rapid.SampledFrom([]string{
		"a", "Word", " ", "`", "``", "*", "_", "__", "__X__", "[", "]", "(", ")", "](", "<", ">", "<b", "<!--", "-->", "{{", "}}", "{%", "|", "\\", "&", "&lt;", "#", "-", "1.",
		"https://x.y", "www.x.y", "a@b.c", "javascript:", "onload=", "data:", "~~", "\n", "\t", "$$", "!", "![", "\x00", "\u202e", "é", "```",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(parts, 1, 12).Draw(t, "parts"), "")
		got := Inline(text)
		page := rendered(t, "- x "+got+"\n")
		if strings.Count(page, "<li>") != 1 || strings.ContainsAny(got, "\n\x00") || regexp.MustCompile(`<(?:a|img|script|b|del|em|strong|h\d|blockquote|table|pre)\b|<!--`).MatchString(page) {
			t.Fatalf("%q is %q, shown as\n%s", text, got, page)
		}
		if active.MatchString(codeSpan.ReplaceAllString(got, " ")) {
			t.Fatalf("%q is %q", text, got)
		}
		if plain := Plain(text); strings.ContainsAny(plain, "\n\x00<>`") || strings.Contains(plain, "{{") || strings.Contains(plain, "__") {
			t.Fatalf("%q is plainly %q", text, plain)
		}
	})
}
