package main

import (
	"slices"
	"strings"

	"mcpworks/internal/cmdline"
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
	optColor          = "--color"
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
	optInherit        = "--inherit-env"
	optInsecure       = "--insecure"
	optJobs           = "--jobs"
	optLevel          = "--level"
	optMaxTime        = "--max-time"
	optMessages       = "--messages"
	optMeta           = "--meta"
	optMinSeverity    = "--min-severity"
	optNoColor        = "--no-color"
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
	optTokens         = "--tokens"
	optTool           = "--tool"
	optTools          = "--tools"
	optTranscript     = "--transcript"
	optTransport      = "--transport"
	optUpdateBaseline = "--update-baseline"
	optVerbose        = "--verbose"
	optWatchStderr    = "--watch-stderr"
)

// talking are the options of every verb that has a target.
var talking = []cmdline.Option{
	{Name: optTransport, Kind: cmdline.Text, Choices: []string{transportAuto, transportStdio, transportHTTP, transportSSE}},
	{Name: optProtocol, Kind: cmdline.Text, Suggested: protocols},
	{Name: optTimeout, Kind: cmdline.Duration},
	{Name: optStartup, Kind: cmdline.Duration},
	{Name: optMaxTime, Kind: cmdline.Duration},
	{Name: optEnv, Kind: cmdline.Path, Many: true, Secret: true},
	{Name: optInherit},
	{Name: optCwd, Kind: cmdline.Path},
	{Name: optHeader, Kind: cmdline.Path, Many: true, Secret: true},
	{Name: optBearerEnv, Kind: cmdline.Path},
	{Name: optInsecure},
	{Name: optCAFile, Kind: cmdline.Path},
	{Name: optFormat, Kind: cmdline.Text, Choices: []string{formatText, formatJSON}},
	{Name: optOutput, Kind: cmdline.Path},
	{Name: optQuiet},
	{Name: optVerbose},
	{Name: optMessages},
	{Name: optServerLogs},
	{Name: optTranscript, Kind: cmdline.Path},
}

var grammar = cmdline.Grammar{
	Program:  "mcplint",
	Example:  "mcplint tools --format json TARGET",
	Targeted: talking,
	NoTarget: noTarget,
	Shorthands: map[string]string{
		"-e": optEnv, "-f": optFormat, "-h": "--help", "-H": optHeader, "-j": optJobs, "-o": optOutput, "-q": optQuiet, "-t": optTimeout,
		"-v": optVerbose, "-vv": optMessages, "-V": "--version",
	},
}

const noTarget = "the target is missing: a URL, or a command that starts a server"

func (v verb) usage(format string, args ...any) error {
	return grammar.Mistaken(v.Name, format, args...)
}

// protocols are values of --protocol; it also takes the date of any version.
var protocols = []string{"auto", "legacy", "modern"}

// The values of --format.
const (
	formatText     = "text"
	formatJSON     = "json"
	formatMarkdown = "markdown"
)

// pairs returns the values of an option of the form NAME=VALUE, in order.
func (v verb) pairs(given cmdline.Arguments, name string) (pairs [][2]string, err error) {
	for _, value := range given.Values[name] {
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
