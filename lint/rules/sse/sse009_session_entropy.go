package sse

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"mcpworks/lint"
)

var sessionEntropy = lint.Rule{
	ID: "SSE-009", Slug: "session-entropy",
	Title:    "the session in the endpoint cannot be guessed",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.Legacy, Transports: lint.SSE, Level: lint.Probe,
	What: "Opens four streams and compares the part of the endpoint that differs between them. It has to be there, to have at least 16 characters, not to share more than half of them at the beginning, and not to count.",
	Why:  "Who knows the session can post messages in the name of its user: nothing else says whose they are.",
	Bad:  "/messages?session=1, /messages?session=2, /messages?session=3",
	Good: "/messages?session=0b9f2c1e-54a7-4f0d-9d6b-3f1f7a2f8c55",
	Fix:  "Make the session of at least 128 random bits, like a random UUID.",
	Check: func(v *lint.View) {
		all := streams(v)
		var endpoints []*url.URL
		for _, s := range all {
			if endpoint := s.resolved(); endpoint != nil {
				endpoints = append(endpoints, endpoint)
			}
		}
		if len(all) == 0 {
			return
		}
		if len(endpoints) < 4 {
			v.NotVerified("only %d streams could be opened", len(endpoints))
			return
		}
		v.Saw()
		if problem := guessable(sessions(endpoints)); problem != "" {
			v.Failf(all[0].step, lint.Subject{}, "%s", problem)
		}
	},
}

// sessions are the parts of the endpoints that differ between them: the values
// of the query, or the pieces of the path, that are longest of those that differ.
func sessions(endpoints []*url.URL) []string {
	var best []string
	for _, part := range parts(endpoints[0]) {
		values := make([]string, len(endpoints))
		for i, endpoint := range endpoints {
			for _, other := range parts(endpoint) {
				if other.name == part.name {
					values[i] = other.value
				}
			}
		}
		differ := slices.ContainsFunc(values, func(value string) bool { return value != values[0] })
		if differ && (best == nil || len(values[0]) > len(best[0])) {
			best = values
		}
	}
	return best
}

type part struct{ name, value string }

func parts(u *url.URL) []part {
	var all []part
	for i, piece := range strings.Split(u.Path, "/") {
		all = append(all, part{"/" + strconv.Itoa(i), piece})
	}
	for name, values := range u.Query() {
		all = append(all, part{"?" + name, strings.Join(values, ",")})
	}
	slices.SortFunc(all, func(a, b part) int { return strings.Compare(a.name, b.name) })
	return all
}

// guessable says what is wrong with the sessions of several streams; it is empty
// if nothing is.
func guessable(ids []string) string {
	if ids == nil {
		return "the endpoint is the same for every stream, and names no session"
	}
	shortest, shared := ids[0], ids[0]
	for _, id := range ids {
		if len(id) < len(shortest) {
			shortest = id
		}
		for !strings.HasPrefix(id, shared) {
			shared = shared[:len(shared)-1]
		}
	}
	switch {
	case counts(ids, len(shared)):
		return "the sessions in the endpoint count up"
	case len(shortest) < 16:
		return "the sessions in the endpoint have less than 16 characters"
	case 2*len(shared) > len(shortest):
		return "the sessions in the endpoint share more than half of their characters"
	}
	return ""
}

// counts says whether what follows the shared beginning is numbers close to each
// other.
func counts(ids []string, shared int) bool {
	for shared > 0 && ids[0][shared-1] >= '0' && ids[0][shared-1] <= '9' {
		shared-- // 9 and 10 share nothing, 10 and 11 do
	}
	var numbers []uint64
	for _, id := range ids {
		n, err := strconv.ParseUint(id[shared:], 10, 64)
		if err != nil {
			return false
		}
		numbers = append(numbers, n)
	}
	return slices.Max(numbers)-slices.Min(numbers) < 1000
}
