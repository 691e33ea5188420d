// Package nesting finds lines of Markdown that are nested deeper than any page
// needs. A parser takes very long for them.
package nesting

import (
	"regexp"
	"strings"
)

var (
	opened = regexp.MustCompile(`^(?:[ \t]*(?:>|[-*+][ \t]|[0-9]{1,9}[.)][ \t])){32}`)
	rule   = regexp.MustCompile(`^[ \t]*(?:(?:-[ \t]*)+|(?:\*[ \t]*)+)$`)
)

// IsDeep says whether a line opens 32 quotes and lists or more. A rule across the
// page opens none.
func IsDeep(line string) bool { return opened.MatchString(line) && !rule.MatchString(line) }

// Without is a text with another line in place of those that are too deep.
func Without(text, instead string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if IsDeep(line) {
			lines[i] = instead
		}
	}
	return strings.Join(lines, "\n")
}
