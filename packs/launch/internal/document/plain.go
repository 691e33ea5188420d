package document

import (
	"regexp"
	"strings"
)

// plain reads text by paragraphs. A short line of its own is a heading.
func plain(source string) Document {
	var document Document
	lines := strings.Split(source, "\n")
	for at := 0; at < len(lines); {
		end := paragraphEnd(lines, at)
		if end == at {
			at++
			continue
		}
		if end == at+1 && isTitle(lines[at]) {
			level := 2
			if len(document.Headings) == 0 {
				level = 1
			}
			document.addHeading(strings.Trim(lines[at], " \t=#*-"), level, at+1)
		} else {
			paragraph(&document, lines[at:end], at+1)
		}
		at = end
	}
	return document
}

// paragraphEnd is the index after the last line of the paragraph at a line.
func paragraphEnd(lines []string, at int) int {
	for at < len(lines) && strings.TrimSpace(lines[at]) != "" {
		at++
	}
	return at
}

func isTitle(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) <= 60 && len(strings.Fields(line)) <= 6 && !strings.ContainsAny(line[len(line)-1:], ".!?,;:") && bullet.FindString(line) == ""
}

var bullet = regexp.MustCompile(`^\s*(?:[-*+\x{2022}]|(\d{1,9}|#)[.)])\s+`)

// paragraph adds lines, of which some may be items of a list.
func paragraph(document *Document, lines []string, first int) {
	var text prose
	kind := Sentence
	flush := func() {
		if len(text.marks) > 0 {
			text.blocks(document, kind)
		}
		text, kind = prose{}, Sentence
	}
	for i, line := range lines {
		if at := bullet.FindStringSubmatchIndex(line); at != nil {
			flush()
			kind = Item
			if at[2] >= 0 {
				kind = Step
			}
			line = line[at[1]:]
		}
		text.write(strings.TrimSpace(line)+"\n", first+i)
	}
	flush()
}
