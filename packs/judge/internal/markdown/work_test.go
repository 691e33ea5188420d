package markdown

import (
	"strings"
	"testing"
)

// hostile are statements made to cost more than their size: head, then unit repeated, then tail.
var hostile = []struct{ name, head, unit, tail string }{
	{"bold", "", "<b>", "x"},
	{"bold-and-italic", "", "<b>a<i>b", ""},
	{"bold-crossing", "", "<b>a<i>b</b>c</i>", ""},
	{"bold-pairs", "", "<b>a</b>", ""},
	{"bold-punctuation", "a", "<b>.<i>,", "a"},
	{"div", "", "<div>", "x"},
	{"div-unmatched-ends", "<p><table><tr><td>" + strings.Repeat("<div>", 300), "</p>", ""},
	{"paragraph", "", "<p>a", ""},
	{"quote", "", "<blockquote>", "x"},
	{"quote-text", "", "<blockquote>a", ""},
	{"quote-lines", strings.Repeat("<blockquote>", 50) + "<pre>", "a\n", ""},
	{"list", "", "<ul><li>", "x"},
	{"list-text", "", "<ul><li>a", ""},
	{"list-wide-numbers", strings.Repeat("<ol start=99999999><li>", 50), "<p>a", ""},
	{"list-items", "", "<li>a", ""},
	{"list-straight-nesting", "<ul><li>a</li>", "<ul>", "<li>b"},
	{"table", "", "<table><tr><td>", "x"},
	{"table-one-row", "<table><tr>", "<td>a", ""},
	{"table-wide-then-short", "<table><tr>" + strings.Repeat("<td>a", 100), "<tr><td>", ""},
	{"superscript", "", "<sup>", "x"},
	{"superscript-text", "", "<sup>a", ""},
	{"superscript-closed", strings.Repeat("<sup>", 250), "a<b></b>", strings.Repeat("</sup>", 250)},
	{"code", "", "<code>`", ""},
	{"code-pairs", "", "<code>a</code>", ""},
	{"pre", "", "<pre>", "x"},
	{"link", "", "<a href=x>a", ""},
	{"heading", "", "<h1>a", ""},
	{"break", "", "a<br>", ""},
	{"rule", "", "<hr>", ""},
	{"image", "", "<img src=a alt=b>", ""},
	{"dropped", "", "<template>", "x"},
	{"comments", "<p>", "<!--", ""},
	{"comments-bogus", "<p>", "<!x>", ""},
	{"ampersands", "<p>", "&", ""},
	{"ampersands-letters", "<p>", "&amp;a", ""},
	{"less-than", "<p>", "<", ""},
	{"less-than-slash", "<p>", "</", ""},
	{"tag-unclosed", "<p>", "<b ", ""},
	{"attributes", "<p ", "a=b ", ">x"},
	{"underscores", "<p>", "_", ""},
	{"underscores-apart", "<p>", "_ a", ""},
	{"brackets", "<p>", "[", ""},
	{"brackets-closed", "<p><a href=x>", "]", ""},
	{"backticks", "<p>", "`", ""},
	{"line-starts", "<p>", "[a<br>", ""},
	{"spaces", "<p>", " ", "x"},
	{"definitions", "", "<dt>a<dd>", ""},
	{"unknown-elements", "<p>", "<x>", "y"},
}

func hostileStatement(head, unit, tail string, size int) string {
	return head + strings.Repeat(unit, max(0, size-len(head)-len(tail))/len(unit)) + tail
}

// TestWorkIsLinear converts hostile statements of two sizes. Eight times the input may cost eight times the work and
// output, with a little room for what does not repeat.
func TestWorkIsLinear(t *testing.T) {
	const size, factor = 16 << 10, 8
	for _, h := range hostile {
		cost := func(size int) int {
			c := newConverter(hostileStatement(h.head, h.unit, h.tail, size))
			c.run()
			return c.work() + c.out.text.Len()
		}
		small, large := cost(size), cost(factor*size)
		if large > factor*(small+size)*5/4 {
			t.Errorf("%s: %d bytes cost %d, %d bytes cost %d", h.name, size, small, factor*size, large)
		}
	}
}

func BenchmarkHostile(b *testing.B) {
	for _, h := range hostile {
		content := hostileStatement(h.head, h.unit, h.tail, 1<<20)
		b.Run(h.name, func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			b.ReportAllocs()
			for b.Loop() {
				Statement("leetcode", content)
			}
		})
	}
	// Runs of backticks of ever greater length, none of which finds a partner.
	var runs strings.Builder
	for n := 1; runs.Len() < 1<<20; n++ {
		runs.WriteString(strings.Repeat("`", n) + "a")
	}
	b.Run("backtick-runs", func(b *testing.B) {
		b.SetBytes(int64(runs.Len()))
		for b.Loop() {
			Statement("leetcode", runs.String()+"<br>")
		}
	})
}
