package launch

import (
	"context"

	"mcpworks/packs/launch/internal/pipeline"
)

// report tells the caller how far the call is, if he wants to know.
func (c *call) report(ctx context.Context, done, total float64, message string) {
	if c.progress != nil {
		c.progress(ctx, done, total, message)
	}
}

// followed is a context under which the caller is told of every gate that has
// judged (3.3). Once says that the gates judge no more than once, so that their
// number is known.
func (c *call) followed(ctx context.Context, once bool) context.Context {
	judged := 0
	return pipeline.Watched(ctx, func(step pipeline.Step) {
		if step.Gate == "" || step.Status == "" {
			return
		}
		judged++
		total := 0
		if once {
			total = step.Total
		}
		c.report(ctx, float64(judged), float64(total), step.Gate+": "+step.Status)
	})
}
