package oauth

import (
	"net/http"
	"strings"
)

// A challenge is what a server says that a request lacks.
type challenge struct {
	metadata     string   // where the server's metadata are; empty if it does not say
	scopes       []string // that are needed; nil if it does not say
	insufficient bool     // the token is good, but not for this
}

// challengeOf returns the challenge of a response, nil if another token would
// not help.
func challengeOf(resp *http.Response) *challenge {
	lines := resp.Header.Values("WWW-Authenticate")
	params, found := bearer(lines)
	c := &challenge{metadata: params["resource_metadata"], scopes: strings.Fields(params["scope"])}
	switch {
	case resp.StatusCode == http.StatusUnauthorized && (found || len(lines) == 0):
		return c
	case resp.StatusCode == http.StatusForbidden && params["error"] == "insufficient_scope":
		c.insufficient = true
		return c
	}
	return nil
}

// bearer returns the parameters of the first challenge of the scheme Bearer, in
// headers as RFC 9110 has them: challenges and their parameters are separated by
// the same comma. The rest of a header that breaks the grammar is left out.
func bearer(lines []string) (params map[string]string, found bool) {
	for _, line := range lines {
		scheme := ""
		for {
			line = strings.TrimLeft(line, " \t,")
			name, rest := cutToken(line)
			if name == "" {
				break
			}
			value, after, isParam := cutValue(rest)
			switch {
			case !isParam && found:
				return params, true // the next challenge
			case !isParam:
				scheme, line = name, rest
				if found = strings.EqualFold(scheme, "Bearer"); found {
					params = map[string]string{}
				}
				continue
			case found:
				if name = strings.ToLower(name); params[name] == "" {
					params[name] = value
				}
			}
			line = after
		}
		if found {
			return params, true
		}
	}
	return nil, false
}

// cutToken cuts a token off the front.
func cutToken(s string) (token, rest string) {
	i := 0
	for i < len(s) && isTokenByte(s[i]) {
		i++
	}
	return s[:i], s[i:]
}

func isTokenByte(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || strings.IndexByte("!#$%&'*+-.^_`|~", b) >= 0
}

// cutValue cuts what follows the name of a parameter off the front: an equals
// sign, and a token or a quoted text.
func cutValue(s string) (value, rest string, ok bool) {
	s, ok = strings.CutPrefix(strings.TrimLeft(s, " \t"), "=")
	if !ok {
		return "", s, false
	}
	s = strings.TrimLeft(s, " \t")
	if !strings.HasPrefix(s, `"`) {
		value, rest = cutToken(s)
		return value, rest, true
	}
	var text strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return text.String(), s[i+1:], true
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		text.WriteByte(s[i])
	}
	return "", "", true // it does not end
}
