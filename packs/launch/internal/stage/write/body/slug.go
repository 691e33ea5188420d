package body

import (
	"strings"
	"unicode"
)

// longSlug is how long the slug of a page may be.
const longSlug = 60

// Slug makes the name of a page of the first words of a text.
func Slug(text string, most int) string {
	words := strings.FieldsFunc(strings.ToLower(Plain(text)), func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	slug := strings.Join(words[:min(len(words), most)], "-")
	for len(slug) > longSlug {
		at := strings.LastIndex(slug, "-")
		if at < 0 {
			return slug[:longSlug]
		}
		slug = slug[:at]
	}
	return slug
}
