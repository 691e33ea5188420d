package gate

import (
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/stage/facts"
)

// maxCited is how large a file of the product may be to be cited, in bytes (6.1).
const maxCited = 5 << 20

// citedWords reads cited lines again. They are kept: many claims can stand
// in one line. Lines that do not exist have no words.
func (v *View) citedWords(at artifact.Citation) facts.Cited {
	at.SourceType = ""
	words, known := v.cited[at]
	if !known {
		words = facts.CitedWords(v.citedLines(at))
		v.cited[at] = words
	}
	return words
}

func (v *View) citedLines(at artifact.Citation) string {
	lines, known := v.repoLines[at.Path]
	if !known {
		if content, err := readUpTo(v.Repo, at.Path, maxCited); err == nil {
			lines = strings.Split(string(content), "\n")
		}
		v.repoLines[at.Path] = lines
	}
	if at.StartLine < 1 || at.EndLine < at.StartLine || at.EndLine > len(lines) {
		return ""
	}
	return strings.Join(lines[at.StartLine-1:at.EndLine], "\n")
}
