package main

import (
	"regexp"
	"strings"
	"testing"
)

// What a verb takes is what its help explains.
func TestHelpNamesEveryOption(t *testing.T) {
	for _, v := range verbs() {
		if !strings.Contains(overview, "\n  "+v.name+" ") {
			t.Errorf("the overview lacks %s", v.name)
		}
		if v.name == "help" || v.name == "completions" {
			continue
		}
		for _, o := range v.all() {
			if !regexp.MustCompile(`(?m)^ +(-[A-Za-z]+, )?` + o.name + `\b`).MatchString(v.help) {
				t.Errorf("the help of %s does not explain %s", v.name, o.name)
			}
			for _, choice := range o.choices {
				if !strings.Contains(v.help, choice) {
					t.Errorf("the help of %s does not name the value %s of %s", v.name, choice, o.name)
				}
			}
		}
	}
}

// Help is read on terminals.
func TestHelpIsNarrow(t *testing.T) {
	texts := []string{overview}
	for _, v := range verbs() {
		texts = append(texts, v.help)
	}
	for _, help := range texts {
		for line := range strings.Lines(help) {
			if len(line) > 121 || strings.TrimRight(line, " \n") != strings.TrimSuffix(line, "\n") {
				t.Errorf("line is too long or ends with blanks: %q", line)
			}
		}
	}
}
