package review

import (
	"regexp"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/patch/frontmatter"
)

// A page is a draft, taken apart.
type page struct {
	draft  artifact.Draft
	plan   artifact.Page
	text   string
	values map[string]any // of the front matter; nil if it cannot be read
	lines  []line
	fences []fence
}

// A line is one outside of front matter and code.
type line struct {
	number int
	text   string
}

// A fence is a block of code.
type fence struct {
	line     int
	language string
	code     string
}

func parse(draft artifact.Draft, plan artifact.Page, text string) page {
	p := page{draft: draft, plan: plan, text: text}
	p.values, _ = frontmatter.Values(text)
	var open string
	each(text, func(number int, content string, kind kind) {
		switch kind {
		case opening:
			open = content
			p.fences = append(p.fences, fence{line: number, language: strings.TrimSpace(strings.Trim(open, "`"))})
		case code:
			p.fences[len(p.fences)-1].code += content + "\n"
		case prose:
			p.lines = append(p.lines, line{number, content})
		}
	})
	return p
}

// A kind says what a line of a page is.
type kind int

const (
	matter kind = iota
	opening
	code
	closing
	prose
)

// each walks over the lines of a page.
func each(text string, visit func(number int, line string, kind kind)) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	inMatter, fence := len(lines) > 0 && lines[0] == "---", ""
	for i, content := range lines {
		mark := content[:len(content)-len(strings.TrimLeft(content, "`"))]
		switch {
		case inMatter:
			visit(i+1, content, matter)
			inMatter = i == 0 || content != "---"
		case fence != "" && len(mark) >= len(fence) && strings.TrimSpace(content[len(mark):]) == "":
			visit(i+1, content, closing)
			fence = ""
		case fence != "":
			visit(i+1, content, code)
		case len(mark) >= 3:
			visit(i+1, content, opening)
			fence = mark
		default:
			visit(i+1, content, prose)
		}
	}
}

// rewrite changes the lines outside of front matter and code.
func rewrite(text string, change func(string) string) string {
	var lines []string
	each(text, func(_ int, line string, kind kind) {
		if kind == prose {
			line = change(line)
		}
		lines = append(lines, line)
	})
	return strings.Join(lines, "\n") + "\n"
}

var (
	marker   = regexp.MustCompile(`<!--\s*claim_id:\s*([a-f0-9]{64})\s*-->`)
	heading  = regexp.MustCompile(`^(#{1,6})\s+(.*)$`)
	listItem = regexp.MustCompile(`^\s*(?:[-*+]|\d{1,9}[.)])\s+`)
	linkOnly = regexp.MustCompile(`^\s*(?:[-*+]\s+)?\[[^\]]*\]\([^)]*\)(?:\s+-\s.*)?$`)
	codeSpan = regexp.MustCompile("`[^`]+`")
)

// said is what a reader reads on a line.
func said(text string) string {
	return strings.TrimSpace(listItem.ReplaceAllString(marker.ReplaceAllString(text, ""), ""))
}

func trimCode(code string) string { return strings.TrimRight(code, "\n ") }
