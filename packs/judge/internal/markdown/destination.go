package markdown

import (
	"strings"
	"unicode"
)

// selfContained are the schemes of addresses that lead nowhere: they run a script or carry their own content.
var selfContained = []string{"javascript:", "vbscript:", "data:"}

var breaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// destination returns an address as the destination of a Markdown link or image, and whether it leads anywhere.
//
// Browsers ignore white space and control characters around an address and line breaks inside it, so none of these
// can hide the scheme.
func destination(address string) (string, bool) {
	address = strings.TrimFunc(address, isIgnored)
	address = breaks.Replace(address)
	bare := strings.ToLower(strings.Map(visible, address))
	if bare == "" {
		return "", false
	}
	for _, scheme := range selfContained {
		if strings.HasPrefix(bare, scheme) {
			return "", false
		}
	}
	return quoteDestination(address), true
}

func isIgnored(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

func visible(r rune) rune {
	if isIgnored(r) {
		return -1
	}
	return r
}

// quoteDestination writes an address so that CommonMark reads it back as it is, with the few characters encoded that
// could end it or begin something else.
func quoteDestination(address string) string {
	var out strings.Builder
	spaced := false
	for i, r := range address {
		switch {
		case r == '<':
			out.WriteString("%3C")
		case r == '>':
			out.WriteString("%3E")
		case r == '`':
			out.WriteString("%60")
		case r == '\\', r == '&' && isReference(address[i:], ' '):
			out.WriteByte('\\')
			out.WriteRune(r)
		case unicode.IsControl(r):
			// Browsers encode them at best, and no reader of Markdown wants them.
		case unicode.IsSpace(r):
			out.WriteByte(' ')
			spaced = true
		default:
			out.WriteRune(r)
		}
	}
	if spaced || !balanced(address) {
		return "<" + out.String() + ">"
	}
	return out.String()
}

// balanced reports whether every bracket has its partner, and not too many are open at once for CommonMark.
func balanced(address string) bool {
	const deepest = 32
	depth := 0
	for _, r := range address {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth < 0 || depth > deepest {
			return false
		}
	}
	return depth == 0
}
