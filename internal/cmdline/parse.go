package cmdline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcpworks/internal/nearest"
)

// Parse reads a command line: a verb, then options as --name value or
// --name=value, each once unless it may be said more often, and operands. The
// first --help or --version counts whatever follows or is missing, up to the
// target. All errors are Mistakes.
func Parse[C Command](g Grammar, commands []C, args []string) (command C, given Arguments, err error) {
	if len(args) == 0 {
		return command, given, Mistaken("no command was given", g.Program+" help shows what it can do")
	}
	if command, err = Find(g, commands, args[0]); err != nil {
		return command, given, err
	}
	given, err = g.parse(command.Syntax(), args[1:])
	switch {
	case err != nil:
	case given.Has(helpOption):
		given = Arguments{Operands: []string{command.Syntax().Name}}
		command, err = Find(g, commands, helpOption)
	case given.Has(versionOption):
		given = Arguments{}
		command, err = Find(g, commands, versionOption)
	}
	return command, given, err
}

// Find returns the command of a name. The options that ask for help and version
// can stand in the place of a verb.
func Find[C Command](g Grammar, commands []C, name string) (command C, err error) {
	if long := g.long(name); long == helpOption || long == versionOption {
		name = long[len("--"):]
	}
	var names []string
	for _, command := range commands {
		if command.Syntax().Name == name {
			return command, nil
		}
		names = append(names, command.Syntax().Name)
	}
	if strings.HasPrefix(name, "-") {
		return command, Mistaken(fmt.Sprintf("%q comes before any command", name), "the command is the first word: "+g.Example)
	}
	hint := "the commands are " + strings.Join(names, ", ")
	if near, ok := nearest.Name(name, names); ok {
		hint = "did you mean " + g.Program + " " + near + "?"
	}
	return command, Mistaken(fmt.Sprintf("there is no command %q", name), hint)
}

// parse takes options and operands in any order, up to the target: all that
// follows it is for somebody else.
func (g Grammar) parse(v Verb, args []string) (Arguments, error) {
	given := Arguments{Values: map[string][]string{}}
	plain := false // no more options
	for len(args) > 0 {
		switch argument := args[0]; {
		case argument == "--" && !plain:
			plain = true
			args = args[1:]
		case plain || argument == "-" || !strings.HasPrefix(argument, "-"):
			if v.Target && len(given.Operands) == len(v.Operands) {
				given.Target = args
				return given, g.check(v, given)
			}
			given.Operands = append(given.Operands, argument)
			args = args[1:]
		default:
			taken, err := g.take(v, given, args)
			if err != nil || given.Has(helpOption) || given.Has(versionOption) {
				return given, err
			}
			args = args[taken:]
		}
	}
	return given, g.check(v, given)
}

// take stores the option that args begin with and returns how many of them it
// is.
func (g Grammar) take(v Verb, given Arguments, args []string) (int, error) {
	name, value, inline := strings.Cut(args[0], "=")
	o, ok := g.Option(v, name)
	taken := 1
	switch {
	case !ok:
		return 0, g.unknown(v, name)
	case given.Has(o.Name) && !o.Many:
		return 0, g.Mistaken(v.Name, "the option %s was given twice", o.Name)
	case o.Kind == Toggle && inline:
		return 0, g.Mistaken(v.Name, "the option %s takes no value", o.Name)
	case o.Kind == Toggle || inline:
	case len(args) == 1:
		return 0, g.Mistaken(v.Name, "the option %s needs a value", o.Name)
	default:
		value, taken = args[1], 2
		following, _, _ := strings.Cut(value, "=")
		if other, isOption := g.Option(v, following); isOption {
			if other.Secret {
				value = following
			}
			return 0, Mistaken(
				fmt.Sprintf("the option %s needs a value, and %s is an option", o.Name, following),
				fmt.Sprintf("if that is the value, write %s=%s", o.Name, value),
			)
		}
	}
	given.Values[o.Name] = append(given.Values[o.Name], value)
	return taken, nil
}

// unknown complains about an option that the verb does not take.
func (g Grammar) unknown(v Verb, name string) error {
	var names []string
	for _, o := range g.Options(v) {
		names = append(names, o.Name)
	}
	message := fmt.Sprintf("%s has no option %q", v.Name, name)
	if near, ok := nearest.Name(name, names); ok {
		return Mistaken(message, "did you mean "+near+"?")
	}
	return g.Mistaken(v.Name, "%s", message)
}

// check wants everything to be there that must be, and nothing else.
func (g Grammar) check(v Verb, given Arguments) error {
	if most := len(v.Operands); len(given.Operands) > most {
		return g.Mistaken(v.Name, "%s has no place for the argument %q", v.Name, given.Operands[most])
	}
	for i, name := range v.Operands {
		if i >= len(given.Operands) && !strings.HasPrefix(name, "[") {
			return g.Mistaken(v.Name, "the argument %s is missing", name)
		}
	}
	if slices.Contains(given.Operands, "") {
		return g.Mistaken(v.Name, "an argument is empty")
	}
	if v.Target && (len(given.Target) == 0 && !v.Alone || len(given.Target) > 0 && given.Target[0] == "") {
		return g.Mistaken(v.Name, "%s", g.NoTarget)
	}
	for _, o := range g.Options(v) {
		if o.Required && !given.Has(o.Name) {
			return g.Mistaken(v.Name, "the option %s is missing", o.Name)
		}
		for _, value := range given.Values[o.Name] {
			if wrong := o.check(value); wrong != "" {
				return g.Mistaken(v.Name, "the value of %s %s", o.Name, wrong)
			}
		}
	}
	return nil
}

// check says what is wrong with a value; it is empty if nothing is.
func (o Option) check(value string) string {
	switch {
	case o.Kind == Path && value == "":
		return "is empty"
	case o.Choices != nil && !slices.Contains(o.Choices, value):
		return fmt.Sprintf("must be %s, not %q", strings.Join(o.Choices, " or "), value)
	case o.Kind == Duration:
		if _, ok := parseDuration(value); !ok {
			return fmt.Sprintf("must be a time above 0 like 30s or 2m, not %q", value)
		}
	case o.Kind == Count:
		if n, err := strconv.Atoi(value); err != nil || n < 1 {
			return fmt.Sprintf("must be a whole number above 0, not %q", value)
		}
	}
	return ""
}

// Swallowed are the long options of a verb that stand behind the target, where
// they are for somebody else.
func (g Grammar) Swallowed(v Verb, target []string) (names []string) {
	for _, word := range target[1:] {
		name, _, _ := strings.Cut(word, "=")
		if _, ours := g.Option(v, name); ours && strings.HasPrefix(name, "--") && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
