// Package cmdline reads command lines that begin with a verb, strictly: what a
// verb takes stands in tables, and whatever is not there is refused with a hint.
// The same tables make scripts that let shells complete such lines.
package cmdline

import (
	"fmt"
	"slices"
)

// A Grammar is what the command lines of a program have in common. It needs no
// rows for --help and --version: every verb takes them, and they stand for the
// verbs help and version.
type Grammar struct {
	Program    string
	Example    string            // a command line, for those who begin with an option
	Everywhere []Option          // what every verb takes
	Targeted   []Option          // what every verb with a target takes
	NoTarget   string            // the complaint about a target that is missing
	Shorthands map[string]string // the only options with a single dash
}

// A Verb is one thing that a program does.
type Verb struct {
	Name     string
	Help     string
	Options  []Option // besides those of the grammar; of the same name they stand in for those
	Operands []string // its arguments that are no options; one in brackets may be left out
	Words    []string // what shells offer for the operands
	Target   bool     // words for somebody else follow the operands, options or not
	Alone    bool     // it can do without them
}

// A Command is a verb with all that its program needs to do it: a type that
// embeds Verb.
type Command interface{ Syntax() Verb }

// Syntax implements Command.
func (v Verb) Syntax() Verb { return v }

// An Option is something that can be said to a verb.
type Option struct {
	Name      string
	Kind      Kind
	Required  bool
	Many      bool     // it can be said several times
	Secret    bool     // its value is not repeated in complaints
	Choices   []string // the values it may have; nil for any
	Suggested []string // what shells offer where there are no choices
}

// A Kind says what value an option takes.
type Kind int

// The kinds of option.
const (
	Toggle   Kind = iota // none: it is there or it is not
	Text                 // any, also the empty one
	Path                 // any but the empty one, which comes from a variable that was not set
	Duration             // 30s, 1m30s, or a number of seconds; above 0
	Count                // a whole number above 0
)

// A Mistake is a command line that cannot be used.
type Mistake struct{ Message, Hint string }

func (m *Mistake) Error() string { return m.Message }

// Mistaken returns a Mistake.
func Mistaken(message, hint string) error { return &Mistake{message, hint} }

// Mistaken returns a Mistake in the use of a verb, whose help is the hint.
func (g Grammar) Mistaken(verb, format string, args ...any) error {
	return Mistaken(fmt.Sprintf(format, args...), g.Program+" "+verb+" --help shows how it is used")
}

const helpOption, versionOption = "--help", "--version"

// Options are all that a verb takes, its own first.
func (g Grammar) Options(v Verb) []Option {
	all := slices.Clone(v.Options)
	shared := slices.Concat(g.Everywhere, []Option{{Name: helpOption}, {Name: versionOption}})
	if v.Target {
		shared = slices.Concat(g.Targeted, shared)
	}
	for _, o := range shared {
		if !slices.ContainsFunc(v.Options, func(own Option) bool { return own.Name == o.Name }) {
			all = append(all, o)
		}
	}
	return all
}

// Option finds an option of a verb by its name or its shorthand.
func (g Grammar) Option(v Verb, name string) (Option, bool) {
	name = g.long(name)
	all := g.Options(v)
	if i := slices.IndexFunc(all, func(o Option) bool { return o.Name == name }); i >= 0 {
		return all[i], true
	}
	return Option{}, false
}

func (g Grammar) long(name string) string {
	if long, ok := g.Shorthands[name]; ok {
		return long
	}
	return name
}
