package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcpworks/internal/cmdline"
)

// B13: every script has every verb, option and value, and nothing that a shell
// would have to see quoted.
func TestCompletionsAreWhole(t *testing.T) {
	plain := regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*$`)
	for _, shell := range cmdline.Shells {
		script := cmdline.Script(grammar, verbs(), shell)
		for _, v := range verbs() {
			words := append(slices.Clone(v.Words), v.Name)
			for _, o := range grammar.Options(v.Verb) {
				words = slices.Concat(words, []string{strings.TrimPrefix(o.Name, "--")}, o.Choices, o.Suggested)
			}
			for _, word := range words {
				if !plain.MatchString(word) || !strings.Contains(script, word) {
					t.Errorf("the script for %s lacks %q of %s, or it needs quotes", shell, word, v.Name)
				}
			}
		}
	}
}
