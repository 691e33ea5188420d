package body

import (
	"regexp"
	"strings"
	"unicode"
)

// Marker is how a line names the claim that it states (C-14).
func Marker(claimID string) string { return "<!-- claim_id: " + claimID + " -->" }

var (
	comment     = regexp.MustCompile(`(?s)<!--.*?(?:-->|\z)`)
	tag         = regexp.MustCompile(`</?[A-Za-z][^<>]*>`)
	image       = regexp.MustCompile(`!\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)`)
	link        = regexp.MustCompile(`\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)`)
	codeSpan    = regexp.MustCompile("`[^`]+`")
	entity      = regexp.MustCompile(`&(#?[A-Za-z0-9]+;)`)
	activeWord  = regexp.MustCompile(`(?i)(javascript|vbscript|data)(\s*:)|(on[a-z]+\s*)(=)`)
	listLike    = regexp.MustCompile(`^(\d{1,9})([.)])(\s|$)`)
	underscores = regexp.MustCompile(`_{2,}`)
	repeatSpace = regexp.MustCompile(`\s+`)
)

// Plain is text of a stranger without markup: links and code reduced to their
// text, images, HTML, tokens and control characters dropped. It is fit for a
// title or the front matter.
func Plain(text string) string {
	text = stripped(text)
	text = strings.NewReplacer("`", "", "*", "", "<", "", ">", "", "|", "/", "{", "(", "}", ")").Replace(text)
	text = underscores.ReplaceAllString(text, " ")
	return strings.TrimSpace(repeatSpace.ReplaceAllString(text, " "))
}

// stripped is text on one line without images, HTML, and links.
func stripped(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
	text = comment.ReplaceAllString(text, "")
	text = image.ReplaceAllString(text, "")
	text = link.ReplaceAllString(text, "$1")
	// What is in backticks is shown, and is no markup.
	text = outside(codeSpan, text, func(s string) string { return tag.ReplaceAllString(s, "") }, func(s string) string { return s })
	return strings.TrimSpace(repeatSpace.ReplaceAllString(text, " "))
}

// Inline is text of a stranger as a piece of Markdown that shows just that text:
// it cannot become a link, HTML, a token, a shortcode or a block. Code in
// backticks stays code.
func Inline(text string) string {
	text = outside(codeSpan, stripped(text), words, inCode)
	text = strings.NewReplacer("{{", `{\{`, "{%", `{\%`).Replace(text) // where two parts meet
	if found := listLike.FindStringSubmatch(text); found != nil {
		return found[1] + `\` + text[len(found[1]):]
	}
	if text != "" && strings.ContainsRune("#-+=:>~", rune(text[0])) {
		text = `\` + text
	}
	return text
}

// outside applies one function to what a pattern matches and another to the
// text between.
func outside(pattern *regexp.Regexp, text string, between, matched func(string) string) string {
	var out strings.Builder
	at := 0
	for _, span := range pattern.FindAllStringIndex(text, -1) {
		out.WriteString(between(text[at:span[0]]))
		out.WriteString(matched(text[span[0]:span[1]]))
		at = span[1]
	}
	out.WriteString(between(text[at:]))
	return out.String()
}

// inCode is a span of code that is code everywhere, and is shown as it is unless
// a generator of sites would read it before Markdown does.
func inCode(span string) string {
	code := strings.Trim(span, "` ")
	if code == "" {
		return ""
	}
	if strings.Contains(code, "{{") || strings.Contains(code, "{%") || strings.Contains(code, "|") || tokenLike.MatchString(code) || strings.Contains(code, "<") || mail.MatchString(code) {
		return words(code)
	}
	return "`" + code + "`"
}

// mail is an address that some converters link even within code.
var mail = regexp.MustCompile(`\S@\S`)

var tokenLike = regexp.MustCompile(`__[A-Z]`)

// words escapes text that has no markup.
func words(text string) string { return activeWord.ReplaceAllString(escape(text), `$1$3\$2$4`) }

// escape makes every character one that is only shown; addresses are not linked.
func escape(text string) string {
	runes := []rune(entity.ReplaceAllString(text, "&amp;$1"))
	at := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return ' '
		}
		return runes[i]
	}
	var out strings.Builder
	for i, r := range runes {
		before, after := at(i-1), at(i+1)
		switch {
		case r == '<':
			out.WriteString("&lt;")
			continue
		case r == '`': // escaped, it could still be taken for code by a careless reader
			out.WriteString("&#96;")
			continue
		case strings.ContainsRune("\\*[]|~", r),
			r == '_' && !(inWord(before) && inWord(after)),
			before == '{' && strings.ContainsRune("{%#", r), before == '}' && r == '}', before == '%' && r == '}',
			before == '$' && r == '$', before == '-' && r == '>',
			r == '@', r == ':' && after == '/', r == '.' && i >= 3 && strings.EqualFold(string(runes[i-3:i]), "www"):
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// inWord says that a character cannot be at the edge of emphasis.
func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
