package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// What servers say is shown on terminals, which act on more than they show:
// escape sequences, carriage returns, text that runs backwards, characters
// nobody sees. All of that is written as escapes.

// visible says whether a character shows what it is. The joiner that many
// emoji are made with passes, too.
func visible(r rune) bool { return unicode.IsGraphic(r) || r == '\u200d' }

// oneLine makes any text safe to stand on a line.
func oneLine(s string) string { return escape(s, "") }

// block makes any text safe to show; lines and tabs stay.
func block(s string) string { return escape(strings.ReplaceAll(s, "\r\n", "\n"), "\n\t") }

func escape(s, keep string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case visible(r) || strings.ContainsRune(keep, r):
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

// pretty indents JSON text and leaves everything else as it is written, except
// that characters which a terminal would act on become escapes of JSON.
func pretty(raw []byte) []byte {
	var indented bytes.Buffer
	if err := json.Indent(&indented, raw, "", "  "); err != nil {
		return append(fmt.Appendf(nil, "%q", raw), '\n') // it was checked when it came
	}
	return append(safeJSON(indented.Bytes()), '\n')
}

// safeJSON escapes what is only allowed within strings, so that the text stays
// the same JSON.
func safeJSON(text []byte) []byte {
	safe := make([]byte, 0, len(text))
	for _, r := range string(text) {
		switch {
		case visible(r), r == '\n':
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
