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
		if v.Name == "version" || v.Name == "help" {
			continue
		}
		for _, o := range grammar.Options(v.Verb) {
			if !regexp.MustCompile(`(?m)^ +(-., )?` + o.Name + `\b`).MatchString(v.Help) {
				t.Errorf("the help of %s does not explain %s", v.Name, o.Name)
			}
			for _, choice := range o.Choices {
				if !strings.Contains(v.Help, choice) {
					t.Errorf("the help of %s does not name the value %s of %s", v.Name, choice, o.Name)
				}
			}
		}
		if !strings.Contains(overview, "\n  "+v.Name+" ") {
			t.Errorf("the overview lacks %s", v.Name)
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
