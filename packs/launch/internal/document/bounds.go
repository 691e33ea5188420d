package document

import (
	"regexp"
	"strings"
)

// Bounds of Markdown. The parser compares each mark of a paragraph with all
// others of it, and calls itself for what is indented: without bounds a small
// file could keep it busy for hours.
const (
	maxMarks      = 300  // of one paragraph
	maxTableMarks = 3000 // of one table
	maxIndent     = 120  // of one line
	maxDepth      = 100  // of blocks within blocks
)

var (
	deepQuote   = regexp.MustCompile(`^[ \t]*(?:>[ \t]*){20,}`)
	deepList    = regexp.MustCompile(`^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+){20,}`)
	topFence    = regexp.MustCompile("^(`{3,})[^`]*$|^(~{3,})")
	freshBlock  = regexp.MustCompile(`^ {0,3}(?:#{1,6}(?:\s|$)|[-+*] +\S)`)
	tableRuler  = regexp.MustCompile(`^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)+$`)
	frontMatter = regexp.MustCompile(`\A---\n(?s:.*?)\n(?:---|\.\.\.)\n`)
)

// bounded empties the lines of Markdown that go beyond the bounds, and the front
// matter. The number of lines stays.
func bounded(source string) string {
	source = frontMatter.ReplaceAllStringFunc(source, func(matter string) string { return strings.Repeat("\n", strings.Count(matter, "\n")) })
	lines := strings.Split(source, "\n")
	marks, limit, fence := 0, maxMarks, ""
	for i, line := range lines {
		if fence != "" {
			if trimmed := strings.TrimRight(line, " \t"); strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
			continue
		}
		if open := topFence.FindStringSubmatch(line); open != nil {
			fence, marks = open[1]+open[2], 0
			continue
		}
		if strings.TrimSpace(line) == "" || freshBlock.MatchString(line) {
			marks, limit = 0, maxMarks
		} else if tableRuler.MatchString(line) {
			limit = maxTableMarks
		}
		marks += countMarks(line)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if marks > limit || indent > maxIndent || deepQuote.MatchString(line) || deepList.MatchString(line) {
			lines[i] = ""
			marks = 0
		}
	}
	return strings.Join(lines, "\n")
}

// countMarks counts what may begin or end something within a paragraph.
func countMarks(line string) int {
	n := 0
	for i := range len(line) {
		switch line[i] {
		case '*', '_', '[', ']', '`', '<', '~':
			n++
		}
	}
	return n
}
