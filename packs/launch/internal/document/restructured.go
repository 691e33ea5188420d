package document

import (
	"regexp"
	"strings"
)

var (
	underline    = regexp.MustCompile("^([=\\-~^\"'`#*+.:_])+\\s*$")
	directive    = regexp.MustCompile(`^\.\.\s`)
	codeBlock    = regexp.MustCompile(`^\.\.\s+(?:code-block|code|sourcecode)::\s*(\S*)\s*$`)
	fieldList    = regexp.MustCompile(`^\s*:[^:\s][^:]*:(?:\s|$)`)
	doubleTick   = regexp.MustCompile("``([^`]+)``")
	roleText     = regexp.MustCompile(":[a-zA-Z:+.-]+:`~?([^`<]+?)(?:\\s*<[^>`]*>)?`")
	linkText     = regexp.MustCompile("`([^`<]+?)\\s*<[^>`]*>`__?")
	emphasis     = regexp.MustCompile(`\*{1,2}([^*\s][^*]*)\*{1,2}`)
	substitution = regexp.MustCompile(`\|[^|\s][^|]*\|`)
)

// restructured reads reStructuredText: titles, paragraphs, lists and code.
// Directives other than code are left out with what belongs to them.
func restructured(source string) Document {
	var document Document
	lines := strings.Split(source, "\n")
	levels := map[byte]int{} // by the character below the title, in order
	for at := 0; at < len(lines); {
		line := lines[at]
		switch {
		case strings.TrimSpace(line) == "":
			at++
		case isTitled(lines, at):
			mark := lines[at+1][0]
			if levels[mark] == 0 {
				levels[mark] = len(levels) + 1
			}
			document.addHeading(rstInline(line), levels[mark], at+1)
			at += 2
		case underline.MatchString(line): // a line above a title, or between parts
			at++
		case directive.MatchString(line):
			at = rstDirective(&document, lines, at)
		case fieldList.MatchString(line):
			at = paragraphEnd(lines, at)
		case line[0] == ' ' || line[0] == '\t': // quoted, or belongs to something left out
			at = paragraphEnd(lines, at)
		default:
			at = rstParagraph(&document, lines, at)
		}
	}
	return document
}

func isTitled(lines []string, at int) bool {
	return at+1 < len(lines) && !underline.MatchString(lines[at]) && underline.MatchString(lines[at+1]) &&
		len(strings.TrimSpace(lines[at+1])) >= min(len(strings.TrimSpace(lines[at])), 3)
}

// rstDirective reads a directive and returns the line after it.
func rstDirective(document *Document, lines []string, at int) int {
	code := codeBlock.FindStringSubmatch(lines[at])
	from, to := indented(lines, at+1)
	if code != nil {
		for from < to && fieldList.MatchString(lines[from]) { // options
			from++
		}
		addIndented(document, strings.ToLower(code[1]), lines, from, to)
	}
	return to
}

// rstParagraph reads a paragraph, and the code after it if it ends in "::".
func rstParagraph(document *Document, lines []string, at int) int {
	end := paragraphEnd(lines, at)
	text := make([]string, end-at)
	for i := range text {
		text[i] = rstInline(lines[at+i])
	}
	literal := strings.HasSuffix(strings.TrimSpace(lines[end-1]), "::")
	if literal {
		text[len(text)-1] = strings.TrimSuffix(strings.TrimSpace(text[len(text)-1]), ":")
	}
	paragraph(document, text, at+1)
	if !literal {
		return end
	}
	from, to := indented(lines, end)
	addIndented(document, "", lines, from, to)
	return to
}

// indented returns the indented lines from a line on, without blank ones around.
func indented(lines []string, at int) (from, to int) {
	to = at
	for i := at; i < len(lines); i++ {
		blank := strings.TrimSpace(lines[i]) == ""
		if !blank && lines[i][0] != ' ' && lines[i][0] != '\t' {
			break
		}
		if !blank {
			to = i + 1
		}
	}
	for from = at; from < to && strings.TrimSpace(lines[from]) == ""; {
		from++
	}
	return from, to
}

func addIndented(document *Document, language string, lines []string, from, to int) {
	for from < to && strings.TrimSpace(lines[from]) == "" {
		from++
	}
	if from >= to {
		return
	}
	margin := len(lines[from]) - len(strings.TrimLeft(lines[from], " \t"))
	var code strings.Builder
	for _, line := range lines[from:to] {
		code.WriteString(line[min(margin, len(line)-len(strings.TrimLeft(line, " \t"))):] + "\n")
	}
	document.addFence(Fence{Language: language, Code: code.String(), Start: from + 1, End: to})
}

func rstInline(line string) string {
	line = roleText.ReplaceAllString(line, "\x01$1\x01")
	line = doubleTick.ReplaceAllString(line, "\x01$1\x01")
	line = linkText.ReplaceAllString(line, "$1")
	line = substitution.ReplaceAllString(emphasis.ReplaceAllString(line, "$1"), "")
	return strings.ReplaceAll(strings.ReplaceAll(line, "`", ""), "\x01", "`")
}
