package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/rules"
)

const rulesHelp = `Lists the rules that validate checks. Nothing is sent anywhere.

Usage: mcplint rules [OPTIONS]

Examples:
  mcplint rules
  mcplint rules --category tools,schemas --severity error
  mcplint rules --revision 2025-06-18 --format json

A line has the id, how bad a finding is, whether the specification demands it (MUST, SHOULD) or it is good practice
(quality), what has to be sent to find out, the name, and what must hold. mcplint explain tells more about a rule.

Options:
      --category NAMES       Only these categories, as in RPC or lifecycle; several have commas between them
      --severity SEVERITY    Only error, warning, info or off
      --revision DATE        Only what holds in this protocol version
      --level LEVEL          Only what is checked at this level of validate: static, passive, probe, call or stress
  -f, --format FORMAT        text (default), json or markdown
  -o, --output FILE          Write the result to FILE
  -h, --help                 Print this help
  -V, --version              Print the version

Exit codes:
  0  The rules are on standard output
  2  Bad command line, or they could not be written
`

// The values of options, as they are written.
var (
	severities = []string{lint.Error.String(), lint.Warning.String(), lint.Info.String(), lint.Off.String()}
	levels     = []string{lint.Static.String(), lint.Passive.String(), lint.Probe.String(), lint.Call.String(), lint.Stress.String()}
	readable   = []string{formatText, formatJSON, formatMarkdown}
)

func rulesVerb() verb {
	v := verb{Verb: cmdline.Verb{Name: "rules", Help: rulesHelp, Options: []cmdline.Option{
		{Name: optCategory, Kind: cmdline.Path, Many: true},
		{Name: optSeverity, Kind: cmdline.Text, Choices: severities},
		{Name: optRevision, Kind: cmdline.Path},
		{Name: optLevel, Kind: cmdline.Text, Choices: levels},
		{Name: optFormat, Kind: cmdline.Text, Choices: readable},
		{Name: optOutput, Kind: cmdline.Path},
	},
	}}
	v.run = v.listRules
	return v
}

func (v verb) listRules(_ context.Context, c *call) ([]byte, error) {
	chosen, err := v.chosenRules(c)
	if err != nil {
		return nil, err
	}
	switch c.Value(optFormat) {
	case formatJSON:
		list := []byte("[")
		for i, rule := range chosen {
			if i > 0 {
				list = append(list, ',')
			}
			o := beginRule(list, rule)
			list = o.End()
		}
		o := rawjson.Begin(nil)
		o.Raw("rules", append(list, ']'))
		return pretty(o.End()), nil
	case formatMarkdown:
		return append([]byte("# Rules of mcplint\n"), rules.Index(chosen, nil)...), nil
	}
	var lines strings.Builder
	for _, rule := range chosen {
		fmt.Fprintf(&lines, "%-8s  %-7v  %-7v  %-7v  %s: %s\n", rule.ID, rule.Severity, rule.Strength, rule.Level, rule.Name(), rule.Title)
	}
	return []byte(lines.String()), nil
}

// chosenRules are those that the options of rules leave.
func (v verb) chosenRules(c *call) ([]*lint.Rule, error) {
	categories, err := categoriesOf(c, optCategory)
	if err != nil {
		return nil, err
	}
	revision := c.Value(optRevision)
	if revision != "" && lint.RevisionsOf(revision) == 0 {
		return nil, v.usage("the value of %s must be one of %s, not %q", optRevision, strings.Join(lint.All.Versions(), ", "), revision)
	}
	most := lint.Stress
	if c.Has(optLevel) {
		_ = most.UnmarshalText([]byte(c.Value(optLevel))) // it was checked when it was read
	}
	return slices.DeleteFunc(rules.All(), func(rule *lint.Rule) bool {
		return len(categories) > 0 && !slices.Contains(categories, rule.Category()) ||
			c.Has(optSeverity) && rule.Severity.String() != c.Value(optSeverity) ||
			revision != "" && !rule.Revisions.Has(revision) ||
			rule.Level > most
	}), nil
}

// words are the values of options that take several, with commas between them.
func (c *call) words(names ...string) (words []string) {
	for _, name := range names {
		for _, value := range c.Values[name] {
			for word := range strings.SplitSeq(value, ",") {
				words = append(words, strings.TrimSpace(word))
			}
		}
	}
	return words
}

// categoriesOf are the ids of the categories that options name.
func categoriesOf(c *call, names ...string) (ids []string, err error) {
	for _, word := range c.words(names...) {
		category, err := rules.FindCategory(word)
		if err != nil {
			return nil, unknownName(err)
		}
		ids = append(ids, category.ID)
	}
	return ids, nil
}

// rulesOf are the rules that options name.
func rulesOf(c *call, name string) (found []*lint.Rule, err error) {
	for _, word := range c.words(name) {
		rule, err := rules.Find(word)
		if err != nil {
			return nil, unknownName(err)
		}
		found = append(found, rule)
	}
	return found, nil
}

func unknownName(err error) error {
	hint := "mcplint rules lists what there is"
	var unknown *rules.UnknownError
	if errors.As(err, &unknown) && unknown.Hint != "" {
		hint = unknown.Hint
	}
	return cmdline.Mistaken(err.Error(), hint)
}

// beginRule begins the JSON of a rule (D2.68).
func beginRule(dst []byte, rule *lint.Rule) rawjson.ObjectWriter {
	o := rawjson.Begin(dst)
	o.String("id", rule.ID)
	o.String("slug", rule.Slug)
	o.String("name", rule.Name())
	o.String("category", rule.Category())
	o.String("title", rule.Title)
	o.String("severity", rule.Severity.String())
	o.String("level", rule.Strength.String()) // as in findings
	o.String("safetyLevel", rule.Level.String())
	o.Strings("revisions", rule.Revisions.Versions())
	o.Strings("transports", rule.Transports.Names())
	o.NonEmpty("capability", rule.Needs)
	if rule.SDKWide {
		o.Bool("sdkWide", true)
	}
	if names := rules.Foreign(rule); names != nil {
		o.Strings("aliases", names)
	}
	o.Raw("references", references(rule))
	return o
}

func references(rule *lint.Rule) []byte {
	list := []byte("[")
	for i, clause := range rule.Rests {
		if i > 0 {
			list = append(list, ',')
		}
		o := rawjson.Begin(list)
		o.Strings("revisions", clause.Revisions.Versions())
		o.String("page", clause.Page)
		if urls := clause.URLs(); urls != nil {
			o.Strings("urls", urls)
		} else if address := rules.Address(clause); address != "" {
			o.Strings("urls", []string{address})
		}
		o.String("demand", clause.Demand)
		list = o.End()
	}
	return append(list, ']')
}
