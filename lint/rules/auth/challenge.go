package auth

import (
	"net/http"
	"strings"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

// A challenge is an answer of status 401 to a request without credentials.
type challenge struct {
	step   *lint.Step
	named  bool              // it has WWW-Authenticate
	bearer bool              // with the scheme Bearer
	params map[string]string // of it
}

// challenges are all of them. If there are none, the rule is not about this
// server.
func challenges(v *lint.View) []challenge {
	var all []challenge
	for _, t := range v.Talks() {
		for _, s := range t.Steps {
			for _, x := range s.Exchanges() {
				if x.Status != http.StatusUnauthorized || x.Header.Get("Authorization") != "" || s.Name == step.QueryToken {
					continue
				}
				lines := x.Response.Values("WWW-Authenticate")
				params, bearer := parse(lines)
				all = append(all, challenge{s, len(lines) > 0, bearer, params})
			}
		}
	}
	if len(all) == 0 {
		v.NotApplicable("the server wants no credentials")
	}
	return all
}

// speaks says whether a revision of the set may be spoken: one is, or none is
// known.
func speaks(v *lint.View, revisions lint.Revisions) bool {
	known := false
	for _, t := range v.Record().Talks {
		if t.Phase != step.Main || lint.RevisionsOf(t.Revision) == 0 {
			continue
		}
		if known = true; revisions.Has(t.Revision) {
			return true
		}
	}
	return !known
}

// parse returns the parameters of the first challenge of the scheme Bearer.
// Challenges and their parameters are separated by the same comma (RFC 9110
// 11.6.1): a word without an equals sign begins the next challenge.
func parse(lines []string) (params map[string]string, bearer bool) {
	rest := strings.Join(lines, ", ")
	for {
		rest = strings.TrimLeft(rest, " \t,")
		end := strings.IndexAny(rest, " \t,=")
		if rest == "" || end == 0 {
			return params, bearer
		}
		if end < 0 {
			end = len(rest)
		}
		word := rest[:end]
		value, after, isParam := cutValue(rest[end:])
		switch {
		case isParam && bearer:
			if name := strings.ToLower(word); params[name] == "" {
				params[name] = value
			}
		case !isParam && bearer:
			return params, true
		case !isParam:
			params, bearer = map[string]string{}, strings.EqualFold(word, "Bearer")
		}
		rest = after
	}
}

// cutValue cuts the value of a parameter off the front: an equals sign, and a
// word or a quoted text.
func cutValue(s string) (value, rest string, ok bool) {
	after, ok := strings.CutPrefix(strings.TrimLeft(s, " \t"), "=")
	if !ok {
		return "", s, false
	}
	after = strings.TrimLeft(after, " \t")
	if !strings.HasPrefix(after, `"`) {
		end := strings.IndexAny(after, " \t,")
		if end < 0 {
			end = len(after)
		}
		return after[:end], after[end:], true
	}
	var text strings.Builder
	for i := 1; i < len(after); i++ {
		switch {
		case after[i] == '"':
			return text.String(), after[i+1:], true
		case after[i] == '\\' && i+1 < len(after):
			i++
		}
		text.WriteByte(after[i])
	}
	return "", "", true // it does not end
}
