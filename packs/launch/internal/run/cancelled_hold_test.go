package run_test

import (
	"context"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/run"
)

// S-29, 5.6: a call that ends while it gets hold of a run leaves nothing behind
// that keeps others out.
func TestCancelledHold(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{LockWait: time.Millisecond})
	id := create(t, store)
	for patience := 50 * time.Microsecond; patience < 20*time.Millisecond; patience += 200 * time.Microsecond {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		held, err := store.Hold(ctx, id, run.Holder{Connection: "c", Request: "r", Operation: "impatient"}, run.Place{})
		if err == nil {
			release(t, held)
		}
		cancel()
		held, err = store.TryHold(t.Context(), id, run.Holder{Connection: "d", Request: "s", Operation: "next"}, run.Place{})
		if err != nil {
			t.Fatalf("after a wait of %v: %v", patience, err)
		}
		release(t, held)
	}
}
