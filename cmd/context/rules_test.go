package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEveryRuleIsShown wants each rule of the contract that is about the
// command to be named where a script or a test shows it.
func TestEveryRuleIsShown(t *testing.T) {
	rules := []string{
		"CLI-1", "CLI-2", "CLI-3", "CLI-4", "CLI-5", "CLI-6", "CLI-7", "CLI-8", "CLI-9", "CLI-10", "CLI-11", "CLI-12",
		"CLI-13", "CLI-14", "BUILD-16",
	}
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	comment := regexp.MustCompile(`(?m)^#.*$`)
	rule := regexp.MustCompile(`[A-Z]+-[0-9]+`)
	var shown []string
	for _, script := range scripts {
		content, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range comment.FindAllString(string(content), -1) {
			shown = append(shown, rule.FindAllString(line, -1)...)
		}
	}
	for _, id := range rules {
		if !slices.Contains(shown, id) {
			t.Errorf("no script shows %s", id)
		}
	}
}

// What a verb takes is what its help explains.
func TestHelpNamesEveryOption(t *testing.T) {
	for _, v := range verbs() {
		if v.name == "version" || v.name == "help" {
			continue
		}
		for _, o := range v.all() {
			if !regexp.MustCompile(`(?m)^ +(-., )?` + o.name + `\b`).MatchString(v.help) {
				t.Errorf("the help of %s does not explain %s", v.name, o.name)
			}
			for _, choice := range o.choices {
				if !strings.Contains(v.help, choice) {
					t.Errorf("the help of %s does not name the value %s of %s", v.name, choice, o.name)
				}
			}
		}
		if !strings.Contains(overview, "\n  "+v.name+" ") {
			t.Errorf("the overview lacks %s", v.name)
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
