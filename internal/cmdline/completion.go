package cmdline

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Shells are those that there is a script for.
var Shells = []string{"bash", "zsh", "fish", "powershell"}

// Script is what lets a shell complete the command lines of a program; it is
// empty for a shell that is not among Shells.
func Script[C Command](g Grammar, commands []C, shell string) string {
	s := script{Grammar: g}
	for _, command := range commands {
		s.verbs = append(s.verbs, command.Syntax())
	}
	write := map[string]func(){"bash": s.bash, "zsh": s.zsh, "fish": s.fish, "powershell": s.powershell}[shell]
	if write == nil {
		return ""
	}
	write()
	return s.text.String()
}

// A script is one in the making. Nothing in it needs to be quoted: names and
// values are letters, digits, dashes and the like.
type script struct {
	Grammar
	verbs []Verb
	text  strings.Builder
}

func (s *script) add(format string, args ...any) { fmt.Fprintf(&s.text, format+"\n", args...) }

func (s *script) names() (names []string) {
	for _, v := range s.verbs {
		names = append(names, v.Name)
	}
	return names
}

// words are those that can follow a verb, besides options and targets.
func (s *script) words(v Verb) []string {
	if v.Name == helpOption[len("--"):] {
		return s.names()
	}
	return v.Words
}

// spellings are all ways to write an option, the name first.
func (s *script) spellings(o Option) []string {
	all := []string{o.Name}
	for _, short := range slices.Sorted(maps.Keys(s.Shorthands)) {
		if s.Shorthands[short] == o.Name {
			all = append(all, short)
		}
	}
	return all
}

// spelled are all ways to write the options of a verb.
func (s *script) spelled(v Verb) (all []string) {
	for _, o := range s.Options(v) {
		all = append(all, s.spellings(o)...)
	}
	return all
}

// valued are the options of a verb whose values can be offered.
func (s *script) valued(v Verb) []Option {
	return slices.DeleteFunc(s.Options(v), func(o Option) bool { return o.offered() == nil })
}

func (o Option) offered() []string {
	if o.Choices != nil {
		return o.Choices
	}
	return o.Suggested
}

func joined(words []string) string { return strings.Join(words, " ") }
