package sample

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

const resolveRoute = "/api/v1/resolve/"

// urlForms recognise problem URLs; the groups after the first, joined, are the
// id (4.5).
var urlForms = []struct {
	source string
	form   *regexp.Regexp
}{
	{"leetcode", regexp.MustCompile(`^https?://(?:www\.)?leetcode\.(?:com|cn)/problems/([^/?#]+)`)},
	{"atcoder", regexp.MustCompile(`^https?://atcoder\.jp/contests/[^/]+/tasks/([^/?#]+)`)},
	{"codeforces", regexp.MustCompile(`^https?://(?:www\.)?codeforces\.com/(?:contest|gym)/(\d+)/problem/(\w+)`)},
	{"codeforces", regexp.MustCompile(`^https?://(?:www\.)?codeforces\.com/problemset/problem/(\d+)/(\w+)`)},
	{"luogu", regexp.MustCompile(`^https?://(?:www\.)?luogu\.com(?:\.cn)?/problem/(\w+)`)},
}

// idForms recognise bare ids, in this order (4.5).
var idForms = []struct {
	source string
	form   *regexp.Regexp
}{
	{"leetcode", regexp.MustCompile(`^(\d+)$`)},
	{"atcoder", regexp.MustCompile(`(?i)^([a-z]+\d+_[a-z0-9]+)$`)},
	{"codeforces", regexp.MustCompile(`(?i)^(?:CF)?(\d+[a-z]\d?)$`)},
	{"spoj", regexp.MustCompile(`(?i)^(SP\d+)$`)},
	{"luogu", regexp.MustCompile(`(?i)^((?:P|B|T|U|UVA)\d+)$`)},
}

// resolve answers 200 for every query; the problem is null when there is none.
func (b *backend) resolve(w http.ResponseWriter, escapedPath string) {
	query := decodeTwice(strings.TrimPrefix(escapedPath, resolveRoute))
	source, id := recognise(query)
	p := b.find(func(p *problem) bool {
		return p.Source == source && (strings.EqualFold(p.ID, id) || strings.EqualFold(p.Slug, id))
	})
	if p != nil {
		id = p.ID
	}
	writeJSON(w, struct {
		Source  string   `json:"source"`
		ID      string   `json:"id"`
		Problem *problem `json:"problem"`
	}{source, id, p})
}

func decodeTwice(s string) string {
	for range 2 {
		if decoded, err := url.PathUnescape(s); err == nil {
			s = decoded
		}
	}
	return strings.TrimSpace(s)
}

func recognise(query string) (source, id string) {
	for _, u := range urlForms {
		if groups := u.form.FindStringSubmatch(query); groups != nil {
			return u.source, strings.Join(groups[1:], "")
		}
	}
	if strings.Contains(query, "://") {
		return "unknown", query
	}
	if source, id, ok := strings.Cut(query, ":"); ok && !strings.Contains(id, ":") && isPrefix(source) {
		return strings.ToLower(source), id
	}
	for _, f := range idForms {
		if groups := f.form.FindStringSubmatch(query); groups != nil {
			return f.source, groups[1]
		}
	}
	return "leetcode", query
}

// isPrefix reports whether s may stand before a colon. The platform uva is
// known by name but holds nothing (4.2).
func isPrefix(s string) bool {
	return slices.Contains(sources, strings.ToLower(s)) || strings.EqualFold(s, "uva")
}
