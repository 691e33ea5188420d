package markdown

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// appendText appends text with a backslash before each character that CommonMark would give a meaning. The characters
// that will stand before and after the text decide about those at its ends. Inside the text of a link, brackets are
// escaped too, because one without its partner would end the link.
//
// What has a meaning only at the start of a line is left to guard.
func appendText(out []byte, text string, before, after rune, inLink bool) []byte {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		next := after
		if i+size < len(text) {
			next = firstRune(text[i+size:])
		}
		switch {
		case r == '_':
			n := len(text[i:]) - len(strings.TrimLeft(text[i:], "_"))
			if i+n < len(text) {
				next = firstRune(text[i+n:])
			} else {
				next = after
			}
			out = appendUnderscores(out, n, before, next)
			size = n
		case hasMeaning(r, before, next, inLink), r == '&' && isReference(text[i:], after):
			out = append(out, '\\')
			fallthrough
		default:
			out = append(out, text[i:i+size]...)
		}
		before = r
		i += size
	}
	return out
}

// appendUnderscores appends a run of underscores, escaped at the edge of a word.
func appendUnderscores(out []byte, n int, before, after rune) []byte {
	sign := "_"
	if opens, closes := underscore(before, after); opens || closes {
		sign = `\_`
	}
	return append(out, strings.Repeat(sign, n)...)
}

func hasMeaning(r, before, next rune, inLink bool) bool {
	switch r {
	case '\\', '*', '`':
		return true
	case '<':
		return next == '/' || next == '!' || next == '?' || next < utf8.RuneSelf && unicode.IsLetter(next)
	case '[':
		return inLink
	case ']':
		return inLink || next == '('
	case '!':
		return next == '['
	case '~':
		return before == '~' || next == '~'
	}
	return false
}

var reference = regexp.MustCompile(`^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

// isReference reports whether text, which starts with an ampersand, would be read as a character reference. Where the
// text ends before that is certain, it errs on the safe side.
func isReference(text string, after rune) bool {
	const longest = 34
	head := text[:min(len(text), longest)]
	if reference.MatchString(head) {
		return true
	}
	open := !strings.ContainsFunc(head[1:], func(r rune) bool { return r != '#' && !isAlphanumeric(r) })
	return open && len(head) == len(text) && (after == ';' || after == '#' || isAlphanumeric(after))
}

// guard returns a line of a paragraph with a backslash where it would otherwise begin a block of another kind. The
// line is finished Markdown; its own markup never begins with any of these.
func guard(line string, first bool) string {
	at := -1
	switch digits := len(line) - len(strings.TrimLeft(line, "0123456789")); {
	case line == "":
	case line[0] == '#' || line[0] == '>':
		at = 0
	case (line[0] == '+' || line[0] == '-') && (len(line) == 1 || line[1] == ' '):
		at = 0
	case isRuler(line, first):
		at = 0
	case strings.HasPrefix(line, "~~~"):
		at = 0
	case first && line[0] == '[' && definesLink(line):
		at = 0
	case digits >= 1 && digits <= 9 && isItemEnd(line[digits:]):
		at = digits
	}
	if at < 0 {
		return line
	}
	return line[:at] + `\` + line[at:]
}

// isItemEnd reports whether text, found after a number, makes it the marker of a list item.
func isItemEnd(text string) bool {
	return text != "" && (text[0] == '.' || text[0] == ')') && (len(text) == 1 || text[1] == ' ')
}

// isRuler reports whether a line is a thematic break, or underlines the line above it as a heading or as the head of
// a table.
func isRuler(line string, first bool) bool {
	line = strings.TrimRight(line, " ")
	sign := line[:1]
	if strings.Trim(line, " "+sign) == "" {
		thematic := strings.Contains("-_", sign) && strings.Count(line, sign) >= 3
		return thematic || !first && strings.Contains("-=", sign)
	}
	return !first && strings.Contains(line, "-") && strings.Trim(line, "-:| ") == ""
}

// definesLink reports whether a line that starts with a bracket is a link reference definition, which shows nothing.
func definesLink(line string) bool {
	for i := 1; i+1 < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '[': // never part of the label
			return false
		case ']':
			return line[i+1] == ':'
		}
	}
	return false
}

// closedHeading returns the text of a heading with its closing run of number signs, which would be dropped, escaped.
func closedHeading(text string) string {
	body := strings.TrimRight(text, "#")
	if len(body) == len(text) || body != "" && !strings.HasSuffix(body, " ") {
		return text
	}
	return body + `\` + text[len(body):]
}
