package resources

import (
	"regexp"
	"strings"
)

var (
	schemeForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
	// What may follow the scheme: unreserved and reserved characters, and
	// escapes. Brackets are only for addresses in an authority.
	uriCharacters = regexp.MustCompile(`^[A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]*$`)
	brokenEscape  = regexp.MustCompile(`%(?:[^0-9A-Fa-f]|.[^0-9A-Fa-f]|.?$)`)
	authorityForm = regexp.MustCompile(`^(?:[^@\[\]]*@)?(?:\[[0-9A-Fa-fvV:.]+\]|[^:@\[\]]*)(?::[0-9]*)?$`)
)

// uriFlaw says what RFC 3986 has against a URI; empty if it has nothing.
func uriFlaw(uri string) string {
	scheme := schemeForm.FindString(uri)
	if scheme == "" {
		return "the URI has no scheme"
	}
	rest := uri[len(scheme):]
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		authority := after
		if end := strings.IndexAny(after, "/?#"); end >= 0 {
			authority = after[:end]
		}
		if !authorityForm.MatchString(authority) {
			return "the authority of the URI is malformed"
		}
		rest = strings.NewReplacer("[", "", "]", "").Replace(authority) + after[len(authority):]
	}
	switch {
	case !uriCharacters.MatchString(rest) || strings.Count(rest, "#") > 1:
		return "the URI has characters that must be percent-encoded"
	case brokenEscape.MatchString(rest):
		return "the URI has a percent sign that begins no escape"
	}
	return ""
}
