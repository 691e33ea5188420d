package launch

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
)

// 14.4: an operation whose caller has gone is over before the data directory is
// let go of: nothing of it, no git and no write, comes later.
func TestCloseWaitsForOperations(t *testing.T) {
	l, err := New(t.Context(), Config{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, gone := context.WithCancel(t.Context())
	release, over := make(chan struct{}), make(chan struct{})
	slow := entry{operation: &operation{do: func(ctx context.Context, _ *Launcher, _ *call) (any, error) {
		gone()
		<-ctx.Done()
		<-release
		close(over)
		return nil, nil
	}}}
	c := &call{tool: "get_run_status", arguments: json.RawMessage("{}")}
	if _, err := l.perform(ctx, slow, c); !errors.Is(err, context.Canceled) {
		t.Fatalf("the call ends with %v", err)
	}
	close(release)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-over:
	default:
		t.Error("the operation goes on after the end")
	}
}
