package gate

import (
	"context"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/issue"
)

// AddGate puts another gate first for the time of a test.
func AddGate(t *testing.T, name string, limit time.Duration, check func(ctx context.Context)) {
	before := gates
	gates = append([]Gate{{Name: name, Severity: [3]issue.Severity{blocker, blocker, blocker}, Timeout: [2]time.Duration{limit, limit},
		check: func(ctx context.Context, _ *View, r *report) {
			r.add(0, "GATE_TEST", "", "found before", "found before")
			check(ctx)
		}}}, gates...)
	t.Cleanup(func() { gates = before })
}
