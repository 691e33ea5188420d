package main

import "context"

// The promises, kept with -check: how large a ratio may be.
const (
	maxBuild  = 2    // a full build over sha256sum of the sources
	maxCold   = 1.5  // the first query of a server over one scan
	maxWarm   = 0.25 // any further query over reading all documents
	maxMemory = 1.5  // resident memory over the size of the text
	maxGrowth = 2    // a query in the large corpus over one with as many matches in the small one
)

// onOne are the comparisons on one collection. Its sources are changed.
func (b *bench) onOne(c collection) []comparison {
	on := func(measure func(context.Context, collection) (pair, error)) func(context.Context) (pair, error) {
		return func(ctx context.Context) (pair, error) { return measure(ctx, c) }
	}
	return []comparison{
		{"full build", "sha256sum of the sources", maxBuild, on(b.fullBuild)},
		{"cold first query", "one scan", maxCold, on(b.cold)},
		{"warm query, p50", "all documents read", maxWarm, on(b.warm)},
		{"memory after warm queries", "text", maxMemory, on(b.memory)},
		{"verify", "one scan", 0, on(b.verify)},
		{"build with 1 % changed", "full build", 0, on(b.incremental)},
	}
}
