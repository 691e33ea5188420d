package cmdline_test

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"mcpworks/internal/cmdline"
)

// B13: every script knows every verb, every spelling of its options, and the
// values of each option for that verb.
func TestScriptsAreWhole(t *testing.T) {
	for _, shell := range cmdline.Shells {
		text := cmdline.Script(grammar, verbs, shell)
		for i, v := range verbs {
			part := sectionOf(shell, text, i)
			for _, o := range grammar.Options(v) {
				names := spellings(o)
				if shell == "fish" {
					names = fishSpellings(names)
				}
				for _, name := range names {
					if !hasWord(part, name) {
						t.Errorf("%s lacks %s of %s:\n%s", shell, name, v.Name, part)
					}
				}
				for _, value := range slices.Concat(o.Choices, o.Suggested) {
					if !hasWord(part, value) {
						t.Errorf("%s lacks the value %s of %s of %s:\n%s", shell, value, o.Name, v.Name, part)
					}
				}
			}
			for _, word := range v.Words {
				if !hasWord(part, word) {
					t.Errorf("%s lacks the word %s of %s", shell, word, v.Name)
				}
			}
		}
	}
	if cmdline.Script(grammar, verbs, "tcsh") != "" {
		t.Error("there is a script for a shell that is not in the list")
	}
}

// sectionOf is the part of a script that is about one verb.
func sectionOf(shell, text string, i int) string {
	if shell == "fish" {
		var part string
		for line := range strings.Lines(text) {
			if strings.Contains(line, "__fish_seen_subcommand_from "+verbs[i].Name+"'") {
				part += line
			}
		}
		return part
	}
	begin := map[string]string{"bash": "\n    %s)\n", "zsh": "\n    %s)\n", "powershell": "\n            '%s' {\n"}[shell]
	_, part, _ := strings.Cut(text, fmt.Sprintf(begin, verbs[i].Name))
	if i+1 < len(verbs) {
		part, _, _ = strings.Cut(part, fmt.Sprintf(begin, verbs[i+1].Name))
	}
	return part
}

func spellings(o cmdline.Option) []string {
	names := []string{o.Name}
	for short, long := range map[string]string{"-h": "--help", "-V": "--version", "-f": "--format", "-vv": "--all"} {
		if long == o.Name {
			names = append(names, short)
		}
	}
	return names
}

// fishSpellings are the options of complete for short, long and old names.
func fishSpellings(names []string) (options []string) {
	for _, name := range names {
		switch plain := strings.TrimLeft(name, "-"); {
		case strings.HasPrefix(name, "--"):
			options = append(options, "-l "+plain)
		case len(plain) == 1:
			options = append(options, "-s "+plain)
		default:
			options = append(options, "-o "+plain)
		}
	}
	return options
}

// hasWord says whether a word stands in a text with no letter or dash beside it.
func hasWord(text, word string) bool {
	isPart := func(c byte) bool {
		return c == '-' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	}
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		begin, end := from+at, from+at+len(word)
		if (begin == 0 || !isPart(text[begin-1])) && (end == len(text) || !isPart(text[end])) {
			return true
		}
		from = begin + 1
	}
}

// What bash offers is what the tables have, verb by verb.
func TestBashOffersWhatThereIs(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	input := cmdline.Script(grammar, verbs, "bash") + `
try() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=(); _tool; echo "${COMPREPLY[@]}"; }
`
	var want []string
	for _, v := range verbs {
		var all []string
		for _, o := range grammar.Options(v) {
			all = append(all, spellings(o)...)
			values := o.Choices
			if values == nil {
				values = o.Suggested
			}
			if values == nil {
				continue
			}
			for _, name := range spellings(o) {
				input += fmt.Sprintf("try tool %s %s ''\n", v.Name, name)
				want = append(want, strings.Join(values, " "))
			}
		}
		input += fmt.Sprintf("try tool %s -\n", v.Name)
		want = append(want, strings.Join(all, " "))
	}
	cmd := exec.CommandContext(t.Context(), bash, "--norc", "-s")
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if got := strings.TrimSuffix(string(out), "\n"); err != nil || got != strings.Join(want, "\n") {
		t.Errorf("%v: bash offers\n%s\nwant\n%s", err, got, strings.Join(want, "\n"))
	}
}
