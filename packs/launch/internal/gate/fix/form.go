package fix

import (
	"regexp"
	"strings"

	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gate/page"
)

// form changes how a page is written, and nothing that it says. It puts all
// faults of the issue's kind on the page right.
func form(w *work) error {
	kind, _, _ := strings.Cut(w.issue.Message, ":")
	switch kind {
	case gate.LintIncrement:
		level := 1
		return w.relevel(func(n int, title page.Title) int {
			level = min(title.Level, level+1)
			return level
		})
	case gate.LintSingleH1:
		seen := false
		return w.relevel(func(n int, title page.Title) int {
			first := title.Level == 1 && !seen
			seen = seen || title.Level == 1
			if title.Level == 1 && !first {
				return 2
			}
			return title.Level
		})
	case gate.LintFence:
		return w.closeFence()
	case gate.LintTrailing, gate.LintTabs, gate.LintList:
		for n, line := range w.page.Lines {
			if line.New && !line.InCode() && line.Kind != page.Front {
				w.lines[n] = tidied(kind, line)
			}
		}
		return nil
	}
	return ErrUnfixable // every patch of a page ends its lines as it should
}

func tidied(kind string, line page.Line) string {
	switch kind {
	case gate.LintTrailing:
		return strings.TrimRight(line.Text, " \t")
	case gate.LintTabs:
		var text strings.Builder
		for at := range len(line.Text) {
			if line.Bare[at] == '\t' {
				text.WriteByte(' ')
			} else {
				text.WriteByte(line.Text[at])
			}
		}
		return text.String()
	}
	if gate.OtherBullet.MatchString(line.Bare) {
		return gate.OtherBullet.ReplaceAllString(line.Text, "$1-$2")
	}
	return line.Text
}

var hashes = regexp.MustCompile(`^( {0,3})#{1,6}(\s|$)`)

// relevel gives headings other levels. Those that are underlined keep theirs.
func (w *work) relevel(level func(n int, title page.Title) int) error {
	for n, title := range w.page.Titles {
		wanted := level(n, title)
		if line := w.lines[title.Line-1]; hashes.MatchString(line) {
			w.lines[title.Line-1] = hashes.ReplaceAllString(line, "$1"+strings.Repeat("#", wanted)+"$2")
		}
	}
	return nil
}

var opening = regexp.MustCompile("^[ \t>]*(`{3,}|~{3,})")

// closeFence ends the code that has no end: behind code of the catalogue if that
// is what it begins with, else at the end of the page.
func (w *work) closeFence() error {
	for _, fence := range w.page.Fences {
		if fence.Closed || fence.Start < 1 {
			continue
		}
		mark := opening.FindStringSubmatch(w.lines[fence.Start-1])
		if mark == nil {
			return ErrUnfixable
		}
		for end := fence.Start + 1; end < len(w.lines); end++ {
			if len(w.view.Catalogued(strings.Join(w.lines[fence.Start:end], "\n"))) > 0 {
				w.lines = append(w.lines[:end:end], append([]string{mark[1]}, w.lines[end:]...)...)
				return nil
			}
		}
		w.lines = append(w.lines, mark[1])
		return nil
	}
	return ErrUnfixable
}
