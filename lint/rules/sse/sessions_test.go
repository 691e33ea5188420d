package sse

import (
	"net/url"
	"testing"

	"pgregory.net/rapid"
)

// SSE-009: random sessions pass wherever they are in the endpoint, and whatever
// the endpoints are there is a verdict.
func TestSessions(t *testing.T) {
	random := rapid.StringMatching(`[0-9a-f]{32}`)
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(random, 4, 4, func(id string) string { return id[:4] }).Draw(t, "ids")
		form := rapid.SampledFrom([]string{"/messages?v=1&session=", "/messages/", "/s/x?session_id="}).Draw(t, "form")
		var endpoints, anything []*url.URL
		for _, id := range ids {
			u, err := url.Parse("http://example.com" + form + id)
			if err != nil {
				t.Fatal(err)
			}
			endpoints = append(endpoints, u)
			anything = append(anything, &url.URL{Path: rapid.String().Draw(t, "path"), RawQuery: rapid.String().Draw(t, "query")})
		}
		if problem := guessable(sessions(endpoints)); problem != "" {
			t.Errorf("%q: %s", ids, problem)
		}
		guessable(sessions(anything))
	})
}
