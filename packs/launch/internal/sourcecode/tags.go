package sourcecode

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tagWords are the words that make a tag, with its other forms (6.3).
var tagWords = map[string]*regexp.Regexp{
	"quickstart": regexp.MustCompile(`quick ?start|getting started|first steps`), "example": regexp.MustCompile(`\bexamples?\b|\bsamples?\b|\bdemo`),
	"tutorial": regexp.MustCompile(`tutorial`), "install": regexp.MustCompile(`install`), "convert": regexp.MustCompile(`conver[ts]`),
	"merge": regexp.MustCompile(`\bmerg`), "extract": regexp.MustCompile(`extract`), "parse": regexp.MustCompile(`\bpars(?:e|ing)`),
	"render": regexp.MustCompile(`render`), "load": regexp.MustCompile(`\bload`), "save": regexp.MustCompile(`\bsav(?:e|ing)`),
	"api": regexp.MustCompile(`\bapi\b`), "readme": regexp.MustCompile(`\breadme\b`),
}

var notLetters = regexp.MustCompile(`[^\pL\pN]+`)

// Tags are what a snippet is about, by its path, the heading above it and its
// name; sorted, and never empty.
func Tags(texts ...string) []string {
	text := notLetters.ReplaceAllString(strings.ToLower(strings.Join(texts, " ")), " ")
	var tags []string
	for tag, expr := range tagWords {
		if expr.MatchString(text) {
			tags = append(tags, tag)
		}
	}
	if len(tags) == 0 {
		return []string{"example"}
	}
	slices.Sort(tags)
	return tags
}

// Slug is text as a tag or a part of an address: lower-case words and hyphens.
func Slug(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return strings.Join(words, "-")
}

// Capital is text with a capital letter at its beginning.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
