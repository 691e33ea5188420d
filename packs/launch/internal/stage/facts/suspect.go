package facts

import (
	"strings"

	"mcpworks/packs/launch/internal/redact"
)

// lineSet are lines of a file that are not to be trusted.
type lineSet map[int]bool

func (s lineSet) touch(start, end int) bool {
	for line := start; line <= end && len(s) > 0; line++ {
		if s[line] {
			return true
		}
	}
	return false
}

// secretLines are the lines of a file that look as if they held secrets, which
// may be longer than a sentence.
func (b *builder) secretLines(name string) lineSet {
	text := b.sources.text[name]
	lines, line, at := lineSet{}, 1, 0
	for _, found := range redact.Find(text) {
		if found.End <= at {
			continue // within the one before
		}
		if found.Start > at {
			line += strings.Count(text[at:found.Start], "\n")
			at = found.Start
		}
		lines[line] = true
		for range strings.Count(text[at:found.End], "\n") {
			line++
			lines[line] = true
		}
		at = found.End
	}
	return lines
}

// trapLines are the lines of paragraphs in which text speaks to machines.
func (b *builder) trapLines(file documentFile) lineSet {
	traps := lineSet{}
	all := b.split(file.path)
	for _, block := range file.Blocks {
		if len(block.Text) > maxClaim || traps[block.Start] || !toMachines.MatchString(block.Text) {
			continue
		}
		start, end := block.Start, block.End
		for start > 1 && strings.TrimSpace(all[start-2]) != "" {
			start--
		}
		for end < len(all) && strings.TrimSpace(all[end]) != "" {
			end++
		}
		for line := start; line <= end; line++ {
			traps[line] = true
		}
	}
	return traps
}
