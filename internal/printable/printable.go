// Package printable makes the text of strangers safe to show.
//
// Terminals act on more than they show: escape sequences, carriage returns, text
// that runs backwards, characters nobody sees. All of that is written as
// escapes.
package printable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// isVisible says whether a character shows what it is. The joiner that many
// emoji are made with passes, too.
func isVisible(r rune) bool { return unicode.IsGraphic(r) || r == '\u200d' }

// Line makes any text safe to stand on a line.
func Line(s string) string { return escape(s, "") }

// Block makes any text safe to show; lines and tabs stay.
func Block(s string) string { return escape(strings.ReplaceAll(s, "\r\n", "\n"), "\n\t") }

func escape(s, keep string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case isVisible(r) || strings.ContainsRune(keep, r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		s = s[size:]
	}
	return b.String()
}

// JSON escapes what is only allowed within strings, so that JSON text stays the
// same JSON.
func JSON(text []byte) []byte {
	safe := make([]byte, 0, len(text))
	for _, r := range string(text) {
		switch {
		case isVisible(r), r == '\n':
			safe = utf8.AppendRune(safe, r)
		case r < 0x10000:
			safe = fmt.Appendf(safe, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			safe = fmt.Appendf(safe, `\u%04x\u%04x`, high, low)
		}
	}
	return safe
}
