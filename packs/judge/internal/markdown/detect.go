package markdown

import (
	"regexp"
	"strings"
)

// completeTag matches a whole start or end tag of an element that statements use. A lone `<p` as in `1 <p <q` is a
// comparison and does not match; an attribute never holds an angle bracket here, so the match stays short.
var completeTag = regexp.MustCompile(`(?i)</?(?:` +
	`a|b|blockquote|br|center|code|dd|del|div|dl|dt|em|figure|font|h[1-6]|hr|i|img|ins|kbd|li|ol|p|pre|s|samp|` +
	`section|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|tt|u|ul|var` +
	`)(?:\s[^<>]*)?/?>`)

// markdownSources are the judges whose statements are stored as Markdown or plain text.
var markdownSources = map[string]bool{"atcoder": true, "codeforces": true, "luogu": true, "spoj": true}

// isHTML reports whether content is HTML. Tags inside Markdown code do not count. A statement from a judge that stores
// Markdown must begin with a tag to count, so that a stray <br> leaves it alone.
func isHTML(source, content string) bool {
	prose := withoutCode(content)
	if markdownSources[strings.ToLower(strings.TrimSpace(source))] {
		at := completeTag.FindStringIndex(strings.TrimSpace(prose))
		return at != nil && at[0] == 0
	}
	return completeTag.MatchString(prose)
}

// withoutCode returns text without what stands in fenced code blocks and backtick spans. The fences and backticks
// stay, so text that begins with code still does not begin with what follows it.
func withoutCode(text string) string {
	var out, paragraph strings.Builder
	endParagraph := func() {
		appendWithoutSpans(&out, paragraph.String())
		paragraph.Reset()
	}
	fence := ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
		case openingFence(trimmed) != "":
			endParagraph()
			fence = openingFence(trimmed)
			out.WriteString(fence + "\n")
		case trimmed == "":
			endParagraph()
			out.WriteString(line)
		default:
			paragraph.WriteString(line)
		}
	}
	endParagraph()
	return out.String()
}

// openingFence returns the run of backticks or tildes that opens a code block on this line, or nothing.
func openingFence(line string) string {
	info := strings.TrimLeft(line, "`")
	if ticks := len(line) - len(info); ticks >= 3 && !strings.Contains(info, "`") {
		return line[:ticks]
	}
	if tildes := len(line) - len(strings.TrimLeft(line, "~")); tildes >= 3 {
		return line[:tildes]
	}
	return ""
}

// appendWithoutSpans writes a paragraph without the contents of its backtick spans. A span ends at the next run of
// exactly as many backticks; the ends are looked up from a table built once, because searching for each would take
// quadratic time on runs that have no partner.
func appendWithoutSpans(out *strings.Builder, paragraph string) {
	runs := backtickRuns(paragraph)
	partner := make([]int, len(runs))
	nearest := map[int]int{}
	for i := len(runs) - 1; i >= 0; i-- {
		partner[i] = nearest[runs[i].length] // 0 when there is none: the first run is nobody's end
		nearest[runs[i].length] = i
	}
	from := 0
	for i := 0; i < len(runs); i++ {
		end := partner[i]
		if end == 0 {
			continue
		}
		out.WriteString(paragraph[from : runs[i].at+runs[i].length])
		from = runs[end].at
		i = end
	}
	out.WriteString(paragraph[from:])
}

type backtickRun struct{ at, length int }

func backtickRuns(text string) []backtickRun {
	var runs []backtickRun
	for at := strings.IndexByte(text, '`'); at >= 0; {
		length := len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
		runs = append(runs, backtickRun{at, length})
		next := strings.IndexByte(text[at+length:], '`')
		if next < 0 {
			break
		}
		at += length + next
	}
	return runs
}
