package page

import (
	"strings"

	"mcpworks/packs/launch/internal/patch/nesting"
)

// maxParagraph bounds lines without an empty one between them, in bytes: the
// work of the parser grows faster than they do.
const maxParagraph = 32 << 10

// checkEffort refuses a body that would keep the parser busy. Code in a fence
// costs it nothing. Only fences at the beginning of a line are known here: they
// are fences wherever they stand.
func checkEffort(body string) error {
	fence, paragraph := "", 0
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		switch run := fenceRun(line); {
		case fence != "":
			if strings.HasPrefix(run, fence) && strings.TrimRight(line[len(run):], " \t") == "" {
				fence = ""
			}
			continue
		case run != "" && (run[0] == '~' || !strings.Contains(line[len(run):], "`")):
			fence, paragraph = run, 0
			continue
		}
		if paragraph += len(line) + 1; line == "" {
			paragraph = 0
		}
		switch {
		case paragraph > maxParagraph:
			return ErrParagraph
		case nesting.IsDeep(line):
			return ErrNested
		}
	}
	return nil
}

// fenceRun is what a line begins with that can open or close a fence.
func fenceRun(line string) string {
	for _, mark := range []string{"`", "~"} {
		if run := line[:len(line)-len(strings.TrimLeft(line, mark))]; len(run) >= 3 {
			return run
		}
	}
	return ""
}
