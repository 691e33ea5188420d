package main

import (
	"regexp"
	"strings"
	"testing"
)

// What a verb takes is what its help explains.
func TestHelpNamesEveryOption(t *testing.T) {
	for _, v := range verbs() {
		if !strings.Contains(overview, "\n  "+v.Name+" ") {
			t.Errorf("the overview lacks %s", v.Name)
		}
		if v.Name == "help" || v.Name == "completions" {
			continue
		}
		for _, o := range grammar.Options(v.Verb) {
			if !regexp.MustCompile(`(?m)^ +(-[A-Za-z]+, )?` + o.Name + `\b`).MatchString(v.Help) {
				t.Errorf("the help of %s does not explain %s", v.Name, o.Name)
			}
			for _, choice := range o.Choices {
				if !strings.Contains(v.Help, choice) {
					t.Errorf("the help of %s does not name the value %s of %s", v.Name, choice, o.Name)
				}
			}
		}
	}
}

// Help is read on terminals.
func TestHelpIsNarrow(t *testing.T) {
	texts := []string{overview}
	for _, v := range verbs() {
		texts = append(texts, v.Help)
	}
	for _, help := range texts {
		for line := range strings.Lines(help) {
			if len(line) > 121 || strings.TrimRight(line, " \n") != strings.TrimSuffix(line, "\n") {
				t.Errorf("line is too long or ends with blanks: %q", line)
			}
		}
	}
}
