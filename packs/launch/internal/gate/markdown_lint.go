package gate

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"mcpworks/packs/launch/internal/gate/page"
)

// The rules of markdown_lint. They are the first word of an issue's message.
const (
	LintIncrement  = "heading-increment"
	LintSingleH1   = "single-h1"
	LintFence      = "fence-closed"
	LintTrailing   = "trailing-spaces"
	LintTabs       = "no-tabs"
	LintList       = "list-style"
	LintLineEnd    = "line-endings"
	LintFinalBreak = "final-newline"
)

// markdownLint looks at the form of changed pages. A page that had a fault
// before the run may keep it, but must not get more of its kind.
func markdownLint(ctx context.Context, v *View, r *report) {
	for p := range v.changedPages {
		if ctx.Err() != nil {
			return
		}
		content, err := read(v.Site, p.Path)
		if err != nil {
			continue
		}
		older := map[string]int{}
		if before, err := read(v.Base, p.Path); err == nil {
			if old, err := page.Read(before); err == nil {
				for _, found := range lint(old, before) {
					older[found.subject()]++
				}
			}
		}
		for _, found := range lint(p.Page, content) {
			if older[found.subject()] > 0 {
				older[found.subject()]--
				continue
			}
			r.add(found.line, CodeLint, p.Path, found.subject(), "%s: %s", found.rule, found.message)
		}
	}
}

// A lintFault is one finding. Its subject does not depend on lines.
type lintFault struct {
	rule    string
	text    string
	line    int
	message string
}

func (f lintFault) subject() string { return f.rule + "|" + f.text }

var (
	// OtherBullet is a list item that does not begin with a hyphen.
	OtherBullet = regexp.MustCompile(`^(\s*)[*+](\s+\S)`)
	rule        = regexp.MustCompile(`^\s*(?:\*\s*){3,}$`)
)

func lint(p *page.Page, content []byte) []lintFault {
	found := lintHeadings(p)
	add := func(rule, text string, line int, format string, args ...any) {
		found = append(found, lintFault{rule, text, line, fmt.Sprintf(format, args...)})
	}
	for _, fence := range p.Fences {
		if !fence.Closed {
			add(LintFence, "", fence.Start, "the code has no end")
		}
	}
	for _, line := range p.Lines {
		if line.InCode() || line.Kind == page.Front {
			continue
		}
		if strings.TrimRight(line.Text, " \t") != line.Text {
			add(LintTrailing, strings.TrimSpace(line.Text), line.Number, "the line ends with spaces")
		}
		if strings.Contains(strings.TrimRight(line.Bare, " \t"), "\t") {
			add(LintTabs, strings.TrimSpace(line.Text), line.Number, "the line has a tab")
		}
		if OtherBullet.MatchString(line.Bare) && !rule.MatchString(line.Text) {
			add(LintList, strings.TrimSpace(line.Text), line.Number, "the item does not begin with a hyphen")
		}
	}
	if strings.Contains(string(content), "\r") {
		add(LintLineEnd, "", 0, "lines do not end with LF alone")
	}
	if len(content) > 0 && content[len(content)-1] != '\n' {
		add(LintFinalBreak, "", len(p.Lines), "the last line has no end")
	}
	return found
}

func lintHeadings(p *page.Page) (found []lintFault) {
	level, top := 1, 0
	for _, title := range p.Titles {
		if title.Level > level+1 {
			found = append(found, lintFault{LintIncrement, title.Text, title.Line, fmt.Sprintf("a heading of level %d stands below one of level %d", title.Level, level)})
		}
		level = title.Level
		if title.Level == 1 {
			if top++; top > 1 {
				found = append(found, lintFault{LintSingleH1, title.Text, title.Line, "the page has another heading of level 1"})
			}
		}
	}
	return found
}
