package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcpworks/internal/nearest"
)

// The options, as they are written. Each means the same for every verb that
// takes it.
const (
	optArg            = "--arg"
	optArgs           = "--args"
	optArgsFile       = "--args-file"
	optBaseline       = "--baseline"
	optBearerEnv      = "--bearer-env"
	optCAFile         = "--ca-file"
	optCategory       = "--category"
	optCount          = "--count"
	optCwd            = "--cwd"
	optEnv            = "--env"
	optExitZero       = "--exit-zero"
	optExpectError    = "--expect-error"
	optExpectMatch    = "--expect-match"
	optExplain        = "--explain"
	optFailOn         = "--fail-on"
	optFeatures       = "--features"
	optFormat         = "--format"
	optFromRecord     = "--from-record"
	optHeader         = "--header"
	optHelp           = "--help"
	optInherit        = "--inherit-env"
	optInsecure       = "--insecure"
	optJobs           = "--jobs"
	optLevel          = "--level"
	optMaxTime        = "--max-time"
	optMessages       = "--messages"
	optMeta           = "--meta"
	optMinSeverity    = "--min-severity"
	optNoInit         = "--no-init"
	optOpenWorld      = "--allow-open-world"
	optOutput         = "--output"
	optPreset         = "--preset"
	optPrompt         = "--prompt"
	optPrompts        = "--prompts"
	optProtocol       = "--protocol"
	optQuiet          = "--quiet"
	optRecord         = "--record"
	optReport         = "--report"
	optResource       = "--resource"
	optResources      = "--resources"
	optRevision       = "--revision"
	optRules          = "--rules"
	optSchemaCheck    = "--schema-check"
	optServerLogs     = "--server-logs"
	optSeverity       = "--severity"
	optSkip           = "--skip"
	optStartup        = "--startup-timeout"
	optStrictBaseline = "--strict-baseline"
	optStrictCoverage = "--strict-coverage"
	optTargets        = "--targets"
	optTemplate       = "--template"
	optTimeout        = "--timeout"
	optTool           = "--tool"
	optTools          = "--tools"
	optTranscript     = "--transcript"
	optTransport      = "--transport"
	optUpdateBaseline = "--update-baseline"
	optVerbose        = "--verbose"
	optVersion        = "--version"
	optWatchStderr    = "--watch-stderr"
)

// everywhere are the options that every verb takes.
var everywhere = []option{{name: optHelp}, {name: optVersion}}

// talking are the options of every verb that has a target.
var talking = []option{
	{name: optTransport, kind: text, choices: []string{transportAuto, transportStdio, transportHTTP, transportSSE}},
	{name: optProtocol, kind: text},
	{name: optTimeout, kind: duration},
	{name: optStartup, kind: duration},
	{name: optMaxTime, kind: duration},
	{name: optEnv, kind: path, many: true},
	{name: optInherit},
	{name: optCwd, kind: path},
	{name: optHeader, kind: path, many: true},
	{name: optBearerEnv, kind: path},
	{name: optInsecure},
	{name: optCAFile, kind: path},
	{name: optFormat, kind: text, choices: []string{formatText, formatJSON}},
	{name: optOutput, kind: path},
	{name: optQuiet},
	{name: optVerbose},
	{name: optMessages},
	{name: optServerLogs},
	{name: optTranscript, kind: path},
}

// shorthands are the only options with a single dash.
var shorthands = map[string]string{
	"-e": optEnv, "-f": optFormat, "-h": optHelp, "-H": optHeader, "-j": optJobs, "-o": optOutput, "-q": optQuiet, "-t": optTimeout,
	"-v": optVerbose, "-vv": optMessages, "-V": optVersion,
}

// The values of --format.
const (
	formatText     = "text"
	formatJSON     = "json"
	formatMarkdown = "markdown"
)

// An option is something that can be said to a verb.
type option struct {
	name    string
	kind    kind
	many    bool     // it can be said several times
	choices []string // the values it may have; nil for any
}

// A kind says what value an option takes.
type kind int

const (
	toggle   kind = iota // none: it is there or it is not
	text                 // any, also the empty one
	path                 // any but the empty one, which comes from a variable that was not set
	duration             // 30s, 1m30s, or a number of seconds; above 0
	count                // a whole number above 0
)

// arguments is what was said to a verb.
type arguments struct {
	values   map[string][]string // by the name of the option
	operands []string
	target   []string // the first word says where the server is, the others are for it
}

func (a arguments) has(name string) bool { return len(a.values[name]) > 0 }

// value returns the value of an option; it is empty if the option is not there.
func (a arguments) value(name string) string {
	if !a.has(name) {
		return ""
	}
	return a.values[name][0]
}

// duration returns the value of an option that was checked, or the fallback.
func (a arguments) duration(name string, fallback time.Duration) time.Duration {
	if !a.has(name) {
		return fallback
	}
	d, _ := parseDuration(a.value(name))
	return d
}

func parseDuration(s string) (time.Duration, bool) {
	d, err := time.ParseDuration(s)
	if seconds, bad := strconv.ParseUint(s, 10, 31); bad == nil {
		d, err = time.Duration(seconds)*time.Second, nil
	}
	return d, err == nil && d > 0
}

// pairs returns the values of an option of the form NAME=VALUE, in order.
func (v verb) pairs(given arguments, name string) (pairs [][2]string, err error) {
	for _, value := range given.values[name] {
		key, value, ok := strings.Cut(value, "=")
		if !ok || key == "" {
			return nil, v.usage("the value of %s must be NAME=VALUE", name)
		}
		if slices.ContainsFunc(pairs, func(pair [2]string) bool { return pair[0] == key }) {
			return nil, v.usage("%s %s was given twice", name, key)
		}
		pairs = append(pairs, [2]string{key, value})
	}
	return pairs, nil
}

// parse reads the command line strictly: a verb, then options as --name value
// or --name=value. The first --help or --version counts whatever follows or is
// missing, up to the target.
func parse(verbs []verb, args []string) (verb, arguments, error) {
	if len(args) == 0 {
		return verb{}, arguments{}, usage("no command was given", "mcplint help shows what it can do")
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
	if name == "-h" || name == "-V" {
		name = shorthands[name]
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
		return verb{}, usage(fmt.Sprintf("%q comes before any command", name), "the command is the first word: mcplint tools --format json TARGET")
	}
	hint := "the commands are " + strings.Join(names, ", ")
	if near, ok := nearest.Name(name, names); ok {
		hint = "did you mean mcplint " + near + "?"
	}
	return verb{}, usage(fmt.Sprintf("there is no command %q", name), hint)
}

// parse takes options and operands in any order, up to the target: all that
// follows it is for the server (B1.1).
func (v verb) parse(args []string) (arguments, error) {
	given := arguments{values: map[string][]string{}}
	plain := false // no more options
	for len(args) > 0 {
		switch argument := args[0]; {
		case argument == "--" && !plain:
			plain = true
			args = args[1:]
		case plain || argument == "-" || !strings.HasPrefix(argument, "-"):
			if v.target && len(given.operands) == len(v.operands) {
				given.target = args
				return given, v.check(given)
			}
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
	case given.has(o.name) && !o.many:
		return 0, v.usage("the option %s was given twice", o.name)
	case o.kind == toggle && inline:
		return 0, v.usage("the option %s takes no value", o.name)
	case o.kind == toggle || inline:
		given.values[o.name] = append(given.values[o.name], value)
		return 1, nil
	case len(args) == 1:
		return 0, v.usage("the option %s needs a value", o.name)
	}
	value = args[1]
	following, _, _ := strings.Cut(value, "=")
	if _, isOption := v.option(following); isOption {
		return 0, usage(
			fmt.Sprintf("the option %s needs a value, and %s is an option", o.name, following),
			fmt.Sprintf("if that is the value, write %s=%s", o.name, following),
		)
	}
	given.values[o.name] = append(given.values[o.name], value)
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

// all are its own options and those that it shares; its own stand in for others
// of the same name.
func (v verb) all() []option {
	all := slices.Clone(v.options)
	shared := everywhere
	if v.target {
		shared = slices.Concat(talking, everywhere)
	}
	for _, o := range shared {
		if !slices.ContainsFunc(v.options, func(own option) bool { return own.name == o.name }) {
			all = append(all, o)
		}
	}
	return all
}

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
	if v.target && (len(given.target) == 0 && !v.alone || len(given.target) > 0 && given.target[0] == "") {
		return v.usage("the target is missing: a URL, or a command that starts a server")
	}
	for _, o := range v.all() {
		for _, value := range given.values[o.name] {
			if err := v.checkValue(o, value); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v verb) checkValue(o option, value string) error {
	switch {
	case o.kind == path && value == "":
		return v.usage("the value of %s is empty", o.name)
	case o.choices != nil && !slices.Contains(o.choices, value):
		return v.usage("the value of %s must be %s, not %q", o.name, strings.Join(o.choices, " or "), value)
	case o.kind == duration:
		if _, ok := parseDuration(value); !ok {
			return v.usage("the value of %s must be a time above 0 like 30s or 2m, not %q", o.name, value)
		}
	case o.kind == count:
		if n, err := strconv.Atoi(value); err != nil || n < 1 {
			return v.usage("the value of %s must be a whole number above 0, not %q", o.name, value)
		}
	}
	return nil
}

func (v verb) usage(format string, args ...any) error {
	return usage(fmt.Sprintf(format, args...), "mcplint "+v.name+" --help shows how it is used")
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

// swallowed are the words behind the target that look like options of ours
// (B1.2).
func (v verb) swallowed(target []string) (names []string) {
	for _, word := range target[1:] {
		name, _, _ := strings.Cut(word, "=")
		if _, ours := v.option(name); ours && strings.HasPrefix(name, "--") && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
