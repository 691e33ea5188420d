package operate

import (
	"context"

	"mcpworks/packs/launch/internal/pipeline"
)

// A Step is the beginning or the end of a stage or a gate.
type Step = pipeline.Step

// Watched returns a context under which Validate, FixNext and OpenPR tell of the
// steps of their work. Watch is called by the goroutine that does the work, one
// step after the other, before the operation returns; it must be quick.
func Watched(ctx context.Context, watch func(Step)) context.Context {
	return pipeline.Watched(ctx, watch)
}
