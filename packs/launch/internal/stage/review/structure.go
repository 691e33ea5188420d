package review

import (
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/issue"
)

// An outline gives headings the level that they should have: one more than that
// of the heading they are below. Pages begin with level 2, below their title.
type outline []int // the levels of the headings that the last one is below, as they are written

func (o *outline) level(written int) int {
	if written == 1 {
		*o = nil
		return 1
	}
	for len(*o) > 0 && (*o)[len(*o)-1] >= written {
		*o = (*o)[:len(*o)-1]
	}
	*o = append(*o, written)
	return len(*o) + 1
}

// headingOrder finds headings that leave out a level.
func headingOrder(_ *reviewer, p page) []finding {
	var found []finding
	var o outline
	for _, l := range p.lines {
		h := heading.FindStringSubmatch(l.text)
		if h == nil {
			continue
		}
		if right := o.level(len(h[1])); right != len(h[1]) {
			found = append(found, p.found(usability, issue.Warn, CodeHeadingOrder, l.number, h[2], "a heading has level %d and should have %d", len(h[1]), right))
		}
	}
	return found
}

// fixHeadings gives all headings the level that they should have.
func fixHeadings(text string) string {
	var o outline
	return rewrite(text, func(line string) string {
		h := heading.FindStringSubmatch(line)
		if h == nil {
			return line
		}
		return strings.Repeat("#", o.level(len(h[1]))) + " " + h[2]
	})
}

// stepHeadings are what pages about a task have before and after it.
var stepHeadings = [][]string{{"Prerequisites", "Requirements"}, {"Next steps", "Learn more"}}

// missingSteps finds tasks without what comes before them and after them.
func missingSteps(_ *reviewer, p page) []finding {
	if p.plan.Role != "workflow_page" {
		return nil
	}
	var titles []string
	for _, l := range p.lines {
		if h := heading.FindStringSubmatch(l.text); h != nil {
			titles = append(titles, h[2])
		}
	}
	var found []finding
	for _, wanted := range stepHeadings {
		if !slices.ContainsFunc(wanted, func(title string) bool { return slices.Contains(titles, title) }) {
			found = append(found, p.found(usability, issue.Warn, CodeMissingSteps, 0, wanted[0], "the page has no heading %q", wanted[0]))
		}
	}
	return found
}

// frontMatter finds settings that the section wants and the page lacks.
func frontMatter(r *reviewer, p page) []finding {
	if p.values == nil {
		return []finding{p.found(contentQuality, issue.Error, CodeFrontMatter, 1, "", "the front matter cannot be read")}
	}
	wanted := slices.Concat([]string{"title", "description"}, r.in.Contract.Sections[p.draft.Section].RequiredKeys)
	slices.Sort(wanted)
	var found []finding
	for _, key := range slices.Compact(wanted) {
		if value, there := p.values[key]; !there || (key == "title" || key == "description") && value == "" {
			found = append(found, p.found(contentQuality, issue.Error, CodeFrontMatter, 1, key, "the front matter lacks %s", key))
		}
	}
	return found
}

var bareImage = regexp.MustCompile(`!\[\s*\]\(`)

// altText finds images that say nothing to those who cannot see them.
func altText(_ *reviewer, p page) []finding {
	var found []finding
	for _, l := range p.lines {
		if bareImage.MatchString(l.text) {
			found = append(found, p.found(usability, issue.Warn, CodeAltText, l.number, said(l.text), "an image has no text for those who cannot see it"))
		}
	}
	return found
}
