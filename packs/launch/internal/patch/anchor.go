package patch

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"

	"mcpworks/packs/launch/internal/patch/frontmatter"
	"mcpworks/packs/launch/internal/patch/nesting"
)

// A heading is one that structures a page, so none in a fence, a quote or a list.
type heading struct {
	level int
	title string // as anchors are compared
	line  int    // where it starts, counted from 0
}

// headings finds the headings of a page; front matter has none.
func headings(text string) []heading {
	root, source, line := parse(text)
	var found []heading
	counted := 0
	for node := root.FirstChild(); node != nil; node = node.NextSibling() {
		h, is := node.(*ast.Heading)
		if !is || h.Lines().Len() == 0 {
			continue
		}
		start := h.Lines().At(0).Start
		line += bytes.Count(source[counted:start], []byte("\n"))
		counted = start
		found = append(found, heading{h.Level, anchorOf(string(h.Lines().Value(source))), line})
	}
	return found
}

// blocks reads Markdown without what is inside of lines: headings need no more,
// and its work grows with the text alone.
var blocks = parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))

// parse reads the body of a page as Markdown. Offset is the line on which it
// starts.
func parse(text string) (root ast.Node, source []byte, offset int) {
	body := text
	if page, err := frontmatter.Split(text); err == nil {
		body = page.Body()
		offset = strings.Count(text[:len(text)-len(body)], "\n")
	}
	source = []byte(nesting.Without(body, "…"))
	return blocks.Parse(gmtext.NewReader(source)), source, offset
}

var ornaments = regexp.MustCompile("<!--.*?-->|\\{[^}]*\\}\\s*$|[*_`]")

// anchorOf brings the text of a heading into the form in which anchors are
// compared: without marks, markers and attributes, in lower case.
func anchorOf(title string) string {
	title = strings.TrimLeft(strings.TrimSpace(title), "#")
	return strings.ToLower(strings.Join(strings.Fields(ornaments.ReplaceAllString(title, "")), " "))
}

// A section is what stands below a heading, up to the next one of its level or
// higher.
type section struct{ start, end int } // lines; start is that of the heading

// findSection returns the section of the first heading that an anchor names.
func findSection(all []heading, lines []string, anchor string) (section, bool) {
	wanted := anchorOf(anchor)
	at := slices.IndexFunc(all, func(h heading) bool { return h.title == wanted })
	if at < 0 {
		return section{}, false
	}
	return section{all[at].line, endOf(all, at, len(lines))}, true
}

// endOf is the line on which the section of a heading ends.
func endOf(all []heading, at, last int) int {
	for _, next := range all[at+1:] {
		if next.level <= all[at].level {
			return next.line
		}
	}
	return last
}

// insertAt adds content at the end of a section, unless the section has it.
func insertAt(text, anchor, content string) (string, error) {
	added := trimBlank(linesOf(normal(content)))
	if len(added) == 0 {
		return "", &clash{InvalidPatch, "new_content", "empty lines"}
	}
	lines, all := linesOf(text), headings(text)
	place, found := findSection(all, lines, anchor)
	if !found {
		return "", &clash{AnchorMissing, fmt.Sprintf("heading %q", anchor), headingsFound(all)}
	}
	if holds(lines, place, added) {
		return text, nil
	}
	last := place.start + len(trimBlank(lines[place.start:place.end]))
	var gap []string
	if !(listItem(lines[last-1]) && listItem(added[0])) {
		gap = []string{""}
	}
	made := slices.Concat(lines[:last], gap, added)
	if rest := lines[place.end:]; len(rest) > 0 {
		made = slices.Concat(made, []string{""}, rest)
	}
	after := textOf(made)
	if place, found := findSection(headings(after), made, anchor); !found || !holds(made, place, added) {
		return "", &clash{InvalidPatch, "content that leaves its heading in place", "content that ends the front matter"}
	}
	return after, nil
}

// headingsFound lists what a page has instead, as far as that helps.
func headingsFound(all []heading) string {
	const some = 20
	var titles []string
	for _, h := range all[:min(len(all), some)] {
		titles = append(titles, h.title)
	}
	switch text := strings.Join(titles, ", "); {
	case len(all) == 0:
		return "no headings"
	case len(all) > some:
		return text + ", …"
	default:
		return text
	}
}

// holds says whether a section has the content: line by line, or so similar that
// it would be said twice. The content may have headings that end the section, so
// it only has to start in it.
func holds(lines []string, place section, added []string) bool {
	within := lines[place.start:min(place.end+len(added), len(lines))]
	if strings.Contains("\n"+textOf(within), "\n"+textOf(added)) {
		return true
	}
	return similarity(lines[place.start+1:place.end], added) > 0.9
}

// similarity is the share of words that two texts have in common.
func similarity(a, b []string) float64 {
	words := func(lines []string) map[string]bool {
		set := map[string]bool{}
		for _, word := range strings.Fields(strings.ToLower(strings.Join(lines, " "))) {
			set[word] = true
		}
		return set
	}
	left, right := words(a), words(b)
	both := 0
	for word := range left {
		if right[word] {
			both++
		}
	}
	if all := len(left) + len(right) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 0
}

var item = regexp.MustCompile(`^ {0,3}[-*+] `)

func listItem(line string) bool { return item.MatchString(line) }

// NearestAnchor returns the heading of a page that an anchor was probably meant
// for: at most three letters away (9.3).
func NearestAnchor(text, anchor string) (string, bool) {
	best, fewest := "", 4
	for _, h := range headings(normal(text)) {
		if d := distance(h.title, anchorOf(anchor)); d < fewest {
			best, fewest = h.title, d
		}
	}
	return best, fewest < 4
}

// distance is the number of letters to add, drop or change.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j := range to {
			change := diagonal
			if from[i] != to[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}
