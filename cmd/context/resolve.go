package main

import (
	"context"
	"fmt"
	"strconv"
	"unicode/utf8"

	"mcpworks/internal/cmdline"
	"mcpworks/packs/contextengine"
)

const resolveHelp = `Prints the documents of a cache that fit a query and a budget, best first.

Usage: context resolve --cache CACHE --query TEXT --budget TOKENS [--format json|pretty] [--ranking NAME]

Examples:
  context resolve --cache docs.cache --query "how to deploy" --budget 4000
  context resolve --cache docs.cache --query deployment --budget 500 --format pretty
  context resolve --cache docs.cache --query "" --budget 100000
  context resolve --cache docs.cache --query deployment --budget 4000 --ranking bm25-v1

Documents are ordered by score and then by id, and taken whole as long as they fit: one token is four bytes. One that
does not fit is passed over and a smaller one may still be taken. The same cache, query and budget give the same bytes.

Options:
      --cache CACHE      The cache to ask
      --query TEXT       The words to look for; empty for all documents in the order of their ids
      --budget TOKENS    How many tokens the documents may have together, from 0 to 9223372036854775807
      --format FORMAT    json (default): one line; pretty: the same with line breaks
      --ranking NAME     tf-v0 (default): the share of words that match; bm25-v1: rare words count more,
                         and words are letters and digits without punctuation
      --verbose          Log on standard error
  -h, --help             Print this help
  -V, --version          Print the version

Exit codes:
  0  The result is on standard output
  1  Bad command line
  2  The query is not UTF-8
  3  The budget is not an integer in its range
  4  The cache does not exist
  5  The cache is not valid
  6  Something could not be read or written
  7  Internal error
`

func resolveVerb() verb {
	return verb{run: resolve, Verb: cmdline.Verb{
		Name: "resolve",
		Help: resolveHelp,
		Options: []cmdline.Option{
			{Name: optCache, Kind: cmdline.Path, Required: true},
			{Name: optQuery, Kind: cmdline.Text, Required: true},
			{Name: optBudget, Kind: cmdline.Text, Required: true},
			formatOption,
			{Name: optRanking, Kind: cmdline.Text, Choices: contextengine.Rankings},
		},
	}}
}

func resolve(ctx context.Context, c *call) ([]byte, error) {
	query, err := parseQuery(c.Arguments)
	if err != nil {
		return nil, err
	}
	c.log.Debug("resolving", "cache", c.Value(optCache), "query", query.Text, "budget", query.Budget, "ranking", query.Ranking)
	result, err := contextengine.Resolve(ctx, c.Value(optCache), query)
	if err != nil {
		return nil, failed(c.Value(optCache), err, cacheHints)
	}
	return c.output(result, formatJSON), nil
}

// parseQuery reads what is asked for. As in the server the query is looked at
// before the budget, and both before the cache.
func parseQuery(given cmdline.Arguments) (contextengine.Query, error) {
	q := contextengine.Query{Text: given.Value(optQuery), Ranking: given.Value(optRanking)}
	if !utf8.ValidString(q.Text) {
		return q, &failure{exit: contextengine.InvalidQuery.ExitCode(), err: fmt.Errorf("the query %q is not valid UTF-8", q.Text)}
	}
	budget, err := strconv.ParseUint(given.Value(optBudget), 10, 63)
	if err != nil {
		return q, &failure{
			exit: contextengine.InvalidBudget.ExitCode(),
			err:  fmt.Errorf("the budget %q is not valid", given.Value(optBudget)),
			hint: "a budget is a whole number of tokens from 0 to 9223372036854775807, in digits",
		}
	}
	q.Budget = int64(budget)
	return q, nil
}
