package main

import (
	"slices"
	"strings"
	"testing"

	"mcpworks/internal/cmdline"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Whatever the values are, the two ways to write options mean the same, in any
// order.
func TestCLI1BothWaysToWriteOptions(t *testing.T) {
	v := resolveVerb()
	names := []string{optCache, optQuery, optBudget}
	rapid.Check(t, func(t *rapid.T) {
		want := map[string][]string{}
		var args []string
		for _, name := range rapid.Permutation(names).Draw(t, "order") {
			value := rapid.StringN(1, -1, 20).Draw(t, name)
			word, _, _ := strings.Cut(value, "=")
			_, isOption := grammar.Option(v.Verb, word)
			want[name] = []string{value}
			if isOption || rapid.Bool().Draw(t, "inline") {
				args = append(args, name+"="+value)
			} else {
				args = append(args, name, value)
			}
		}
		_, given, err := cmdline.Parse(grammar, verbs(), append([]string{"resolve"}, args...))
		if err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		if diff := cmp.Diff(want, given.Values); diff != "" || len(given.Operands) > 0 {
			t.Fatalf("%q gives %q and %s", args, given.Operands, diff)
		}
	})
}

// A command line is used or refused as a mistake in usage, whatever it holds,
// and what is used holds all that the verb needs.
func TestCLI9EveryCommandLineIsUsedOrRefused(t *testing.T) {
	words := []string{"--", "-", "-h", "-x", "=", "--=", "", "x", "--cache=", "--cache=x", "--format=json", "--nonsense"}
	for _, v := range verbs() {
		words = append(words, v.Name)
		for _, o := range grammar.Options(v.Verb) {
			words = append(words, o.Name)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		args := rapid.SliceOfN(rapid.SampledFrom(words), 0, 8).Draw(t, "args")
		v, given, err := cmdline.Parse(grammar, verbs(), args)
		if err != nil {
			var stderr strings.Builder
			if code := report(err, &stderr); code != exitUsage || !strings.HasPrefix(stderr.String(), "error: ") {
				t.Fatalf("%q gives %d and %q", args, code, stderr.String())
			}
			return
		}
		for _, o := range v.Options {
			if o.Required && !given.Has(o.Name) {
				t.Fatalf("%q lacks %s", args, o.Name)
			}
			if value := given.Value(o.Name); value != "" && o.Choices != nil && !slices.Contains(o.Choices, value) {
				t.Fatalf("%q gives %s the value %q", args, o.Name, value)
			}
		}
	})
}
