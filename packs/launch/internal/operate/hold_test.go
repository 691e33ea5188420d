package operate_test

import (
	"errors"
	"testing"

	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/run/snapshot"
)

// 5.6: whoever gets a run that was queued while he waited leaves it alone, and
// lets go of it.
func TestQueuedMeanwhile(t *testing.T) {
	y := newYard(t)
	l := y.open()
	defer y.close(l)
	id := y.begin(l, nil)
	for range 2 {
		err := l.HoldAtRest(t.Context(), id)
		busy := (*operate.BusyError)(nil)
		if !errors.As(err, &busy) || busy.Activity != snapshot.Queued {
			t.Errorf("%v", err)
		}
	}
}
