package main

import (
	"fmt"
	"slices"
	"strings"

	"mcpworks/internal/nearest"
)

// The options, as they are written. Each means the same for every verb that
// takes it.
const (
	optBase        = "--base"
	optBudget      = "--budget"
	optCache       = "--cache"
	optCacheRoot   = "--cache-root"
	optForce       = "--force"
	optFormat      = "--format"
	optHelp        = "--help"
	optIncremental = "--incremental"
	optQuery       = "--query"
	optRanking     = "--ranking"
	optRoot        = "--root"
	optSources     = "--sources"
	optTimeout     = "--timeout"
	optV0          = "--v0"
	optVerbose     = "--verbose"
	optVersion     = "--version"
)

// everywhere are the options that every verb takes.
var everywhere = []option{{name: optVerbose}, {name: optHelp}, {name: optVersion}}

// shorthands are the only options with a single dash.
var shorthands = map[string]string{"-h": optHelp, "-V": optVersion}

// An option is something that can be said to a verb, at most once.
type option struct {
	name     string
	kind     kind
	required bool
	choices  []string // the values it may have; nil for any
}

// A kind says what value an option takes.
type kind int

const (
	toggle kind = iota // none: it is there or it is not
	text               // any, also the empty one
	path               // any but the empty one, which comes from a variable that was not set
)

// arguments is what was said to a verb.
type arguments struct {
	values   map[string]string // by the name of the option
	operands []string
}

func (a arguments) has(name string) bool { _, ok := a.values[name]; return ok }

// value returns the value of an option; it is empty if the option is not there.
func (a arguments) value(name string) string { return a.values[name] }

// parse reads the command line strictly: a verb, then options as --name value
// or --name=value, each at most once. The first --help or --version counts
// whatever follows or is missing.
func parse(verbs []verb, args []string) (verb, arguments, error) {
	if len(args) == 0 {
		return verb{}, arguments{}, usage("no command was given", "context help shows what it can do")
	}
	v, err := find(verbs, args[0])
	if err != nil {
		return v, arguments{}, err
	}
	given, err := v.parse(args[1:])
	switch {
	case err != nil:
	case given.has(optHelp):
		return helpVerb(), arguments{operands: []string{v.name}}, nil
	case given.has(optVersion):
		return versionVerb(), arguments{}, nil
	}
	return v, given, err
}

// find returns the verb of a name. The options that ask for help and version
// can stand in the place of a verb.
func find(verbs []verb, name string) (verb, error) {
	if long, ok := shorthands[name]; ok {
		name = long
	}
	if name == optHelp || name == optVersion {
		name = name[len("--"):]
	}
	var names []string
	for _, v := range verbs {
		if v.name == name {
			return v, nil
		}
		names = append(names, v.name)
	}
	if strings.HasPrefix(name, "-") {
		return verb{}, usage(fmt.Sprintf("%q comes before any command", name), "the command is the first word: context build --verbose ...")
	}
	hint := "the commands are " + strings.Join(names, ", ")
	if near, ok := nearest.Name(name, names); ok {
		hint = "did you mean context " + near + "?"
	}
	return verb{}, usage(fmt.Sprintf("there is no command %q", name), hint)
}

func (v verb) parse(args []string) (arguments, error) {
	given := arguments{values: map[string]string{}}
	for len(args) > 0 {
		switch argument := args[0]; {
		case argument == "--":
			given.operands = append(given.operands, args[1:]...)
			args = nil
		case argument == "-" || !strings.HasPrefix(argument, "-"):
			given.operands = append(given.operands, argument)
			args = args[1:]
		default:
			taken, err := v.take(given, args)
			if err != nil {
				return given, err
			}
			if given.has(optHelp) || given.has(optVersion) {
				return given, nil
			}
			args = args[taken:]
		}
	}
	return given, v.check(given)
}

// take stores the option that args begin with and returns how many of them it
// is.
func (v verb) take(given arguments, args []string) (int, error) {
	name, value, inline := strings.Cut(args[0], "=")
	o, ok := v.option(name)
	switch {
	case !ok:
		return 0, v.unknown(name)
	case given.has(o.name):
		return 0, v.usage("the option %s was given twice", o.name)
	case o.kind == toggle && inline:
		return 0, v.usage("the option %s takes no value", o.name)
	case o.kind == toggle || inline:
		given.values[o.name] = value
		return 1, nil
	case len(args) == 1:
		return 0, v.usage("the option %s needs a value", o.name)
	}
	value = args[1]
	following, _, _ := strings.Cut(value, "=")
	if _, isOption := v.option(following); isOption {
		return 0, usage(
			fmt.Sprintf("the option %s needs a value, and %s is an option", o.name, following),
			fmt.Sprintf("if that is the value, write %s=%s", o.name, value),
		)
	}
	given.values[o.name] = value
	return 2, nil
}

func (v verb) option(name string) (option, bool) {
	if long, ok := shorthands[name]; ok {
		name = long
	}
	for _, o := range v.all() {
		if o.name == name {
			return o, true
		}
	}
	return option{}, false
}

func (v verb) all() []option { return slices.Concat(v.options, everywhere) }

// check wants everything to be there that must be, and nothing else.
func (v verb) check(given arguments) error {
	if most := len(v.operands); len(given.operands) > most {
		return v.usage("%s has no place for the argument %q", v.name, given.operands[most])
	}
	for i, name := range v.operands {
		if i >= len(given.operands) && !strings.HasPrefix(name, "[") {
			return v.usage("the argument %s is missing", name)
		}
	}
	if slices.Contains(given.operands, "") {
		return v.usage("an argument is empty")
	}
	for _, o := range v.options {
		value, ok := given.values[o.name]
		switch {
		case !ok && o.required:
			return v.usage("the option %s is missing", o.name)
		case !ok:
		case o.kind == path && value == "":
			return v.usage("the value of %s is empty", o.name)
		case o.choices != nil && !slices.Contains(o.choices, value):
			return v.usage("the value of %s must be %s, not %q", o.name, strings.Join(o.choices, " or "), value)
		}
	}
	return nil
}

func (v verb) usage(format string, args ...any) error {
	return usage(fmt.Sprintf(format, args...), "context "+v.name+" --help shows how it is used")
}

// unknown complains about an option that the verb does not take.
func (v verb) unknown(name string) error {
	var names []string
	for _, o := range v.all() {
		names = append(names, o.name)
	}
	message := fmt.Sprintf("%s has no option %q", v.name, name)
	if near, ok := nearest.Name(name, names); ok {
		return usage(message, "did you mean "+near+"?")
	}
	return v.usage("%s", message)
}
