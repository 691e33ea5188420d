package doctor

import (
	"regexp"
	"strings"
	"unicode"
)

// sequences are what terminals act on: colours, titles, the cursor.
var sequences = regexp.MustCompile("\x1b\\[[0-9;:?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)|\x1b[@-Z\\\\^_]")

// plainText takes out of a text what a terminal would act on and what nobody
// sees; lines stay.
func plainText(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', unicode.IsGraphic(r):
			return r
		case r == '\t':
			return ' '
		}
		return -1
	}, sequences.ReplaceAllString(text, ""))
}

// plainLine is plainText on one line.
func plainLine(text string) string {
	return strings.TrimRight(strings.ReplaceAll(plainText(text), "\n", " "), " ")
}
