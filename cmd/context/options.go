package main

import "mcpworks/internal/cmdline"

// The options, as they are written. Each means the same for every verb that
// takes it.
const (
	optBase        = "--base"
	optBudget      = "--budget"
	optCache       = "--cache"
	optCacheRoot   = "--cache-root"
	optForce       = "--force"
	optFormat      = "--format"
	optIncremental = "--incremental"
	optQuery       = "--query"
	optRanking     = "--ranking"
	optRoot        = "--root"
	optSources     = "--sources"
	optTimeout     = "--timeout"
	optV0          = "--v0"
	optVerbose     = "--verbose"
)

var grammar = cmdline.Grammar{
	Program:    "context",
	Example:    "context build --verbose ...",
	Everywhere: []cmdline.Option{{Name: optVerbose}},
	Shorthands: map[string]string{"-h": "--help", "-V": "--version"},
}

func (v verb) usage(format string, args ...any) error {
	return grammar.Mistaken(v.Name, format, args...)
}
