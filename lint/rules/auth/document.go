package auth

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

// exchange is the last one of a step: those before it were redirected.
func exchange(s *lint.Step) *lint.Exchange {
	all := s.Exchanges()
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

// document is the JSON object that a step has fetched; nil if there was none.
func document(s *lint.Step) []byte {
	x := exchange(s)
	if x == nil || x.Status != http.StatusOK || rawjson.Check(x.Answer, rawjson.Limits{Depth: 64}) != nil || rawjson.KindOf(x.Answer) != rawjson.Object {
		return nil
	}
	return x.Answer
}

// texts are the strings of an array.
func texts(list []byte) (all []string) {
	for element := range rawjson.Elements(list) {
		if text, ok := lint.Text(element); ok {
			all = append(all, text)
		}
	}
	return all
}

// isSecure says whether a text is an https address, or an http one on this
// machine.
func isSecure(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname())
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}
