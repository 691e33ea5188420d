package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"mcpworks/internal/cmdline"
	"mcpworks/lint"
	"mcpworks/lint/report"
)

const validateHelp = `Checks whether a server keeps to the protocol, and reports every rule that it breaks.

Usage: mcplint validate [OPTIONS] TARGET [ARGUMENTS]
       mcplint validate [OPTIONS] --targets FILE
       mcplint validate [OPTIONS] --from-record FILE

Examples:
  mcplint validate npx -y @modelcontextprotocol/server-everything
  mcplint validate --format json --fail-on warning https://example.com/mcp
  mcplint validate --report sarif=mcplint.sarif --report junit=mcplint.xml ./server.py
  mcplint validate --level call --tool search ./server.py

The server is started, or reached, several times, in every protocol era that it speaks. No tool is called below the
level call, and there only tools that say of themselves that they only read, and those named with --tool.

What is sent and asked:
      --level LEVEL          passive: opening, lists, ping. probe (default): also messages that cannot run a tool, right
                             and wrong. call: also tools with readOnlyHint that do not have openWorldHint
      --tool NAME            At level call this one may be called, whatever it says of itself; repeatable
      --allow-open-world     At level call tools with openWorldHint may be called, too
      --rules NAMES          Only these rules, by id or name; several have commas between them
      --category NAMES       Only these categories, like RPC or lifecycle; with --rules, both
      --features NAMES       The same as --category
      --skip NAMES           Not these rules
      --preset PRESET        recommended (default); minimal: errors that break a MUST; strict: warnings are errors,
                             infos are warnings; all: also rules that are off otherwise, as infos
      --targets FILE         Check several servers: FILE has a command line or a URL on each line, # begins a comment
  -j, --jobs N               How many of them at once (default 2)
      --record FILE          Write down everything that was said, as lines of JSON; secrets are left out
      --from-record FILE     Judge what was written down, without any server

What is reported, and what fails:
      --report FORMAT=FILE   Write another report to FILE; repeatable
      --explain              Add to each finding why the rule is there and what to do
      --min-severity S       Report nothing below error, warning or info (default)
      --fail-on S            What makes the exit code 1: error (default), warning, info, or never
      --baseline FILE        Findings that FILE knows do not fail
      --update-baseline      Write what is found to that file, which may be new
      --strict-baseline      Fail also if FILE knows findings that are not there any more
      --strict-coverage      End with exit code 3 if a rule could not be verified
      --exit-zero            End with exit code 0, unless it is 2
` + colorHelp

const validateCodes = `
Exit codes, where several apply the first of 2, 1, 5, 4, 3, 0:
  0    Nothing at or above --fail-on was found
  1    Findings at or above --fail-on, or --strict-baseline
  2    Bad command line, or a file that cannot be used
  3    Some of several targets could not be checked, one of both eras is missing, there was too little time, or a rule
       could not be verified with --strict-coverage
  4    The server could not be started or reached, or did not answer
  5    The server wants credentials
  130  Interrupted; what is known is reported
`

// validateTargetHelp is the help on targets, as far as it is different here.
func validateTargetHelp() string {
	options, _, _ := strings.Cut(targetHelp, "\nExit codes:")
	return strings.NewReplacer(
		"text (default) or json", strings.Replace(strings.Join(report.Formats, ", "), "text", "text (default)", 1),
		"auto (default), legacy, modern, or the date of a protocol version", "auto (default): every era the server speaks; legacy, modern, both, or a date",
		"Record everything that is said, as lines of JSON; secrets are left out", "Is called --record here",
		"Say what is being done, on standard error", "Report evidence, times and all that is folded otherwise",
		"Show all messages, on standard error", "The same, and show all messages on standard error",
		"Show the server's standard error, and what it logs", "Show the server's standard error",
	).Replace(options)
}

// The values of --fail-on, --preset and --protocol that stand for something else
// than themselves.
const (
	failNever = "never"

	presetMinimal     = "minimal"
	presetRecommended = "recommended"
	presetStrict      = "strict"
	presetAll         = "all"

	protocolBoth = "both"
)

func validateVerb() verb {
	reported := severities[:3] // off reports nothing
	v := verb{Verb: cmdline.Verb{
		Name: "validate", Help: validateHelp + validateTargetHelp() + validateCodes, Target: true, Alone: true,
		Options: append([]cmdline.Option{
			{Name: optLevel, Kind: cmdline.Text, Choices: []string{lint.Passive.String(), lint.Probe.String(), lint.Call.String()}},
			{Name: optTool, Kind: cmdline.Path, Many: true}, {Name: optOpenWorld},
			{Name: optRules, Kind: cmdline.Path, Many: true}, {Name: optCategory, Kind: cmdline.Path, Many: true}, {Name: optFeatures, Kind: cmdline.Path, Many: true},
			{Name: optSkip, Kind: cmdline.Path, Many: true},
			{Name: optPreset, Kind: cmdline.Text, Choices: []string{presetMinimal, presetRecommended, presetStrict, presetAll}},
			{Name: optTargets, Kind: cmdline.Path}, {Name: optJobs, Kind: cmdline.Count},
			{Name: optRecord, Kind: cmdline.Path}, {Name: optFromRecord, Kind: cmdline.Path},
			{Name: optProtocol, Kind: cmdline.Text, Suggested: append(slices.Clone(protocols), protocolBoth)},
			{Name: optFormat, Kind: cmdline.Text, Choices: report.Formats}, {Name: optReport, Kind: cmdline.Path, Many: true}, {Name: optExplain},
			{Name: optMinSeverity, Kind: cmdline.Text, Choices: reported},
			{Name: optFailOn, Kind: cmdline.Text, Choices: append(slices.Clone(reported), failNever)},
			{Name: optBaseline, Kind: cmdline.Path}, {Name: optUpdateBaseline}, {Name: optStrictBaseline}, {Name: optStrictCoverage}, {Name: optExitZero},
		}, coloring...),
	}}
	v.run = v.validate
	return v
}

// validate gathers records, judges them and reports. All that can be wrong with
// the command line is told before anything is started.
func (v verb) validate(ctx context.Context, c *call) ([]byte, error) {
	if err := v.checkCombination(c); err != nil {
		return nil, err
	}
	files, err := v.reportFiles(c)
	if err != nil {
		return nil, err
	}
	choice, err := newChoice(c)
	if err != nil {
		return nil, err
	}
	known, err := readBaseline(c)
	if err != nil {
		return nil, err
	}
	gather := v.probeAll
	if c.Has(optFromRecord) {
		gather = v.readRecord
	}
	checks, err := gather(ctx, c)
	if err != nil {
		return nil, err
	}
	var runs []report.Run
	for _, check := range checks {
		runs = append(runs, choice.judge(check))
	}
	if err := known.settle(c, runs); err != nil {
		return nil, err
	}
	code, why := verdict(ctx, c, checks, runs)
	result, err := c.reported(files, runs, code)
	if err != nil {
		return nil, err
	}
	return result, why
}

// checkCombination refuses options that do not go together.
func (v verb) checkCombination(c *call) error {
	sources := 0
	for _, given := range []bool{len(c.Target) > 0, c.Has(optTargets), c.Has(optFromRecord)} {
		if given {
			sources++
		}
	}
	if err := v.checkColor(c); err != nil {
		return err
	}
	level := c.Value(optLevel)
	switch {
	case c.Has(optTranscript):
		return cmdline.Mistaken(optTranscript+" is not for validate", optRecord+" FILE writes down everything that was said")
	case sources == 0:
		return v.usage(noTarget)
	case sources > 1:
		return v.usage("there can be only one of a target, %s and %s", optTargets, optFromRecord)
	case c.Has(optJobs) && !c.Has(optTargets):
		return v.usage("%s is for %s", optJobs, optTargets)
	case c.Has(optRecord) && len(c.Target) == 0:
		return v.usage("%s is for a single target", optRecord)
	case (c.Has(optTool) || c.Has(optOpenWorld)) && level != lint.Call.String():
		return v.usage("%s and %s are for --level call", optTool, optOpenWorld)
	case (c.Has(optUpdateBaseline) || c.Has(optStrictBaseline)) && !c.Has(optBaseline):
		return v.usage("%s and %s need --baseline FILE", optUpdateBaseline, optStrictBaseline)
	}
	if c.Has(optFromRecord) {
		return v.checkOffline(c)
	}
	return nil
}

// checkOffline refuses options that say how to talk.
func (v verb) checkOffline(c *call) error {
	for _, o := range slices.Concat(talking, []cmdline.Option{{Name: optLevel}, {Name: optTool}}) {
		reporting := slices.Contains([]string{optFormat, optOutput, optQuiet, optVerbose, optMessages, optServerLogs}, o.Name)
		if c.Has(o.Name) && !reporting {
			return v.usage("%s is for a target, and there is none with %s", o.Name, optFromRecord)
		}
	}
	return nil
}

// reportFiles are the further reports: pairs of format and file.
func (v verb) reportFiles(c *call) (files [][2]string, err error) {
	written := []string{c.Value(optOutput)}
	for _, value := range c.Values[optReport] {
		format, file, ok := strings.Cut(value, "=")
		switch {
		case !ok || file == "":
			return nil, v.usage("the value of %s must be FORMAT=FILE", optReport)
		case !slices.Contains(report.Formats, format):
			return nil, v.usage("the format of %s must be %s, not %q", optReport, strings.Join(report.Formats, " or "), format)
		case slices.Contains(written, file):
			return nil, v.usage("two reports go to %s", file)
		}
		written = append(written, file)
		files = append(files, [2]string{format, file})
	}
	return files, nil
}

// reported writes the further reports and returns the one for standard output.
func (c *call) reported(files [][2]string, runs []report.Run, code int) ([]byte, error) {
	format := c.Value(optFormat)
	if format == "" {
		format = formatText
	}
	for _, file := range files {
		text, err := c.rendered(file[0], runs, code)
		if err == nil {
			err = os.WriteFile(file[1], text, 0o666)
		}
		if err != nil {
			return nil, unwritten(err)
		}
	}
	if summary := os.Getenv("GITHUB_STEP_SUMMARY"); summary != "" && format == "github" {
		if err := c.summarize(summary, runs, code); err != nil {
			return nil, unwritten(err)
		}
	}
	text, err := c.rendered(format, runs, code)
	if format == formatText {
		text = c.colored(text)
	}
	return text, err
}

// rendered is a report. It has no times unless a person reads it or asks for
// them, so that equal answers give equal bytes (B15).
func (c *call) rendered(format string, runs []report.Run, code int) ([]byte, error) {
	verbose := c.Has(optVerbose) || c.Has(optMessages)
	opts := report.Options{
		Verbose: verbose, Explain: c.Has(optExplain), ExitCode: code,
		Times: !c.Has(optFromRecord) && (format == formatText || verbose),
	}
	var text bytes.Buffer
	if format != formatText {
		err := report.Write(&text, format, runs, opts)
		return c.hidden.redact(text.Bytes()), err
	}
	for i, run := range runs {
		if i > 0 {
			text.WriteByte('\n')
		}
		if !answered(run.Report.Record) { // there is nothing to count
			fmt.Fprintf(&text, "%s\nnot checked: %s\n", oneLine(run.Report.Record.Target.Shown), oneLine(run.Failure))
			continue
		}
		if err := report.Write(&text, format, runs[i:i+1], opts); err != nil {
			return nil, err
		}
	}
	return c.hidden.redact(text.Bytes()), nil
}

// summarize adds the report to the page of a job of GitHub.
func (c *call) summarize(file string, runs []report.Run, code int) error {
	text, err := c.rendered(formatMarkdown, runs, code)
	if err != nil {
		return err
	}
	page, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = page.Write(text)
	return errors.Join(err, page.Close())
}

// readRecord takes what was said from a file.
func (v verb) readRecord(_ context.Context, c *call) ([]check, error) {
	name := c.Value(optFromRecord)
	file, err := openFile(optFromRecord, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	record, err := lint.ReadRecord(&endless{file, maxRecord})
	switch inner := errors.Unwrap(err); {
	case inner != nil:
		where := strings.TrimSuffix(strings.TrimSuffix(err.Error(), inner.Error()), ": ")
		return nil, badFile(optFromRecord, name, fmt.Errorf("%s: %w", where, plainJSON(inner)))
	case err != nil:
		return nil, badFile(optFromRecord, name, err)
	case len(record.Talks) == 0:
		return nil, badFile(optFromRecord, name, errors.New("the record is empty: nothing was said"))
	}
	one := check{record: record, offline: true}
	one.conclude()
	trace(c, record)
	return []check{one}, nil
}
