package main

import (
	"errors"
	"slices"
	"testing"

	"mcpworks/bench/internal/compare"
)

func TestTargets(t *testing.T) {
	for _, test := range []struct {
		name, mode string
		want       target
		flags      []string
		err        error
	}{
		{"mcpworks", stateless, target{program: "mcpworks", modern: true}, nil, nil},
		{"mcpworks", session, target{program: "mcpworks", modern: true}, nil, nil},
		{"mcpworks-legacy", stateless, target{program: "mcpworks", legacy: true}, []string{"--stateless"}, nil},
		{"mcpworks-legacy", session, target{program: "mcpworks", legacy: true}, nil, compare.ErrNotApplicable},
		{"gosdk", session, target{program: "gosdk"}, nil, nil},
		{"gosdk-modern-json", stateless, target{program: "gosdk", modern: true, json: true}, []string{"--stateless", "--json"}, nil},
		{"mcpgo-modern", session, target{program: "mcpgo", modern: true}, nil, compare.ErrNotApplicable},
		{"floor", session, target{program: "floor"}, nil, compare.ErrNotApplicable},
	} {
		got := parseTarget(test.name)
		flags, err := got.flags(test.mode)
		if got != test.want || !slices.Equal(flags, test.flags) || !errors.Is(err, test.err) {
			t.Errorf("%s, %s: %+v, flags %q, %v", test.name, test.mode, got, flags, err)
		}
	}
}
