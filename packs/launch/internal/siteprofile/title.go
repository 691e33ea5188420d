package siteprofile

import (
	"regexp"
	"slices"
	"strings"
)

// plainTitle is a heading that is a name, and no sentence, link or picture.
var plainTitle = regexp.MustCompile(`^[\pL\pN][\pL\pN .+#-]{0,39}$`)

// Title is how a README writes the name of a product: its first heading, if that
// is the name but for case and punctuation, or begins with it and has at most
// three words. Else it is empty.
func (e Evidence) Title(slug string) string {
	title := strings.TrimSpace(firstHeading(e.Readme))
	if !plainTitle.MatchString(title) {
		return ""
	}
	words, wanted := tokens(title), tokens(slug)
	same := strings.Join(words, "") == strings.Join(wanted, "")
	begins := len(words) <= 3 && len(words) > len(wanted) && slices.Equal(words[:len(wanted)], wanted)
	if !same && !begins {
		return ""
	}
	return title
}
