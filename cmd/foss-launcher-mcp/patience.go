package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"mcpworks/internal/printable"
	"mcpworks/packs/launch"
)

// maxWaits is how often the lease of a process that is gone is waited for: each
// time another one may have died.
const maxWaits = 3

// patiently asks again when a process that was killed still has its lease of the
// run, and says whose end it waits for and how long.
func (c *call) patiently(ctx context.Context, ask func() (json.RawMessage, error)) (json.RawMessage, error) {
	for waits := 0; ; waits++ {
		answer, err := ask()
		locked, ok := errors.AsType[*launch.Error](err)
		if !ok || locked.Code != launch.RunLocked || locked.Details["holder_gone"] != true || waits == maxWaits {
			return answer, err
		}
		seconds := int(locked.RetryAfter.Round(time.Second).Seconds())
		fmt.Fprintf(c.stderr, "the process that held the run for %s is gone; its lease ends in %d s\n", printable.Line(fmt.Sprint(locked.Details["holder_tool"])), seconds)
		select {
		case <-time.After(locked.RetryAfter):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
