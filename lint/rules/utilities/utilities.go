// Package utilities has the rules about what goes with all features: logging,
// completion, progress, cancellation, _meta, and what servers ask of clients.
// They are UTIL-001 and so on. Each has a file of its own; this one lists them.
package utilities

import "mcpworks/lint"

// Rules are all of them, by their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		&setLevel, &setLevelBad, &levelRespected, &completionShape, &completionUnknown,
		&progressToken, &progressGrows, &progressEnds, &cancelQuiet, &cancelProgress, &cancelHarmless,
		&metaKeys, &traceContext, &elicitationForm, &samplingForm, &tasks,
	}
}
