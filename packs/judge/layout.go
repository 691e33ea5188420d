package judge

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"mcpworks/packs/judge/internal/markdown"
	"mcpworks/packs/judge/internal/ojapi"
)

// notAvailable stands for what is null, missing or blank (section 7).
const notAvailable = "N/A"

// showProblem is the layout of 7.1.
func showProblem(p *ojapi.Problem) string {
	title, content := p.Title, p.Content
	if isBlank(title) {
		title = p.TitleCN
	}
	if isBlank(content) {
		content = p.ContentCN
	}
	rate := notAvailable
	if p.ACRate != nil {
		rate = fmt.Sprintf("%.1f%%", *p.ACRate)
	}
	return fmt.Sprintf("# %s\n\n- Source: %s | ID: %s | Difficulty: %s\n- Tags: %s\n- Link: %s\n- AC Rate: %s\n\n---\n\n%s",
		orNA(title), orNA(p.Source), orNA(p.ID), orNA(p.Difficulty), orNA(showTags(p.Tags)), orNA(p.Link), rate,
		markdown.Statement(p.Source, content))
}

func showTags(tags []string) string {
	var shown []string
	for _, tag := range tags {
		if !isBlank(tag) {
			shown = append(shown, oneLine(tag))
		}
	}
	return strings.Join(shown, ", ")
}

// showSimilar is the layout of 7.2.
func showSimilar(s *ojapi.Similar) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Similar Problems\n\nQuery: %s\n\n", orNA(s.RewrittenQuery))
	b.WriteString("| # | Source | ID | Title | Difficulty | Similarity | Link |\n")
	b.WriteString("|---|--------|----|-------|------------|------------|------|\n")
	for i, m := range s.Results {
		row(&b, strconv.Itoa(i+1), m.Source, m.ID, m.Title, m.Difficulty, fmt.Sprintf("%.1f%%", m.Similarity*100), m.Link)
	}
	return b.String()
}

// showStatus is the layout of 7.3.
func showStatus(s *ojapi.Status) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# OJ Platform Status (v%s)\n\n", oneLine(s.Version))
	b.WriteString("| Platform | Problems | Missing Content | Not Embedded |\n")
	b.WriteString("|----------|----------|-----------------|--------------|\n")
	for _, p := range s.Platforms {
		row(&b, p.Source, showCount(p.Total), showCount(p.MissingContent), showCount(p.NotEmbedded))
	}
	return b.String()
}

// row writes one row of a table; no cell can end it or add a column.
func row(b *strings.Builder, cells ...string) {
	b.WriteString("|")
	for _, cell := range cells {
		b.WriteString(" " + escapePipes(orNA(cell)) + " |")
	}
	b.WriteString("\n")
}

var pipe = regexp.MustCompile(`\\*\|`)

// escapePipes writes | as \|. Backslashes right before it are doubled, or one
// of them would take the new one for itself and set the pipe free.
func escapePipes(cell string) string {
	return pipe.ReplaceAllStringFunc(cell, func(found string) string {
		slashes := found[:len(found)-1]
		return slashes + slashes + `\|`
	})
}

// showCount groups digits by threes, whatever the locale (invariant 51).
func showCount(n *uint64) string {
	if n == nil {
		return notAvailable
	}
	digits := strconv.FormatUint(*n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// orNA is a value on one line, or what stands for its absence.
func orNA(s string) string {
	if isBlank(s) {
		return notAvailable
	}
	return oneLine(s)
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

var lineBreaks = regexp.MustCompile(`[\r\n\v\f\x{85}\x{2028}\x{2029}]+`)

// oneLine turns line breaks into one space.
func oneLine(s string) string { return lineBreaks.ReplaceAllString(s, " ") }
