package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"mcpworks/internal/cmdline"
	"mcpworks/packs/contextengine"
)

const buildHelp = `Makes a cache of all Markdown files (*.md) in a directory and below it.

Usage: context build --sources DIR --cache CACHE [--force] [--incremental --base OLD]

Examples:
  context build --sources docs --cache docs.cache
  context build --sources docs --cache docs.cache --force
  context build --sources docs --cache new.cache --incremental --base docs.cache

The cache appears when it is complete, or not at all. The same documents give the same cache, wherever and whenever it
is made; only the time of the build, created_at in manifest.json, differs.

Options:
      --sources DIR    The directory with the documents
      --cache CACHE    The directory to make; missing parents are made, too
      --force          Replace a cache that is there already, once the new one is complete
      --incremental    Take from --base what did not change; the result is the same as without
      --base OLD       The cache to take it from; it may be the one that --force replaces
      --verbose        Log on standard error, and say how much was reused
  -h, --help           Print this help
  -V, --version        Print the version

Environment:
  SOURCE_DATE_EPOCH    Seconds since 1970 to use as the time of the build, for caches that are equal in every byte

Standard error gets one line: Built cache: <N> documents, version <cache version>

Exit codes:
  0    The cache is there
  1    Bad command line or SOURCE_DATE_EPOCH
  4    --base names no cache
  5    Two documents have the same id, as a.md and A.md do, or --base is not a valid cache
  6    Something could not be read or written, or is already there
  7    A file or its name is not UTF-8, or two documents have the same content
  130  Stopped by SIGINT (143 by SIGTERM, 129 by SIGHUP); nothing is left behind
`

func buildVerb() verb {
	return verb{run: build, Verb: cmdline.Verb{
		Name: "build",
		Help: buildHelp,
		Options: []cmdline.Option{
			{Name: optSources, Kind: cmdline.Path, Required: true},
			{Name: optCache, Kind: cmdline.Path, Required: true},
			{Name: optForce},
			{Name: optIncremental},
			{Name: optBase, Kind: cmdline.Path},
		},
	}}
}

func build(ctx context.Context, c *call) ([]byte, error) {
	if c.Has(optIncremental) != c.Has(optBase) {
		return nil, buildVerb().usage("the options %s and %s need each other", optIncremental, optBase)
	}
	created, err := buildTime(os.LookupEnv("SOURCE_DATE_EPOCH"))
	if err != nil {
		return nil, err
	}
	options := contextengine.BuildOptions{
		Sources: c.Value(optSources), Cache: c.Value(optCache), Force: c.Has(optForce), Base: c.Value(optBase),
		CreatedAt: created,
	}
	var shown progress
	if isTerminal(c.stderr) && !c.Has(optVerbose) {
		shown = progress{out: c.stderr, started: time.Now()}
		options.Progress = shown.update
	}
	c.log.Debug("building", "sources", options.Sources, "cache", options.Cache, "base", options.Base, "created_at", created)
	report, err := contextengine.Build(ctx, options)
	shown.erase()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(c.stderr, "Built cache: %d documents, version %s\n", report.Documents, report.CacheVersion)
	if c.Has(optVerbose) && c.Has(optIncremental) {
		fmt.Fprintf(c.stderr, "Reused: %d of %d documents\n", report.Reused, report.Documents)
	}
	if report.Leftover != "" {
		fmt.Fprintf(c.stderr, "warning: the old cache could not be removed: %s\n", oneLine(report.Leftover))
	}
	return nil, nil
}

// buildTime is the time that the cache will carry: epoch, if it was set, or the
// present.
func buildTime(epoch string, set bool) (time.Time, error) {
	if !set {
		return time.Now().UTC(), nil
	}
	seconds, err := strconv.ParseUint(epoch, 10, 63)
	if err != nil || seconds > latestSecond {
		return time.Time{}, cmdline.Mistaken(
			fmt.Sprintf("the environment variable SOURCE_DATE_EPOCH is %q, which is no number of seconds since 1970", epoch),
			"unset it, or set it to the output of date +%s",
		)
	}
	return time.Unix(int64(seconds), 0).UTC(), nil
}

// latestSecond is the end of the year 9999, the last that RFC 3339 can write.
const latestSecond = 253402300799
