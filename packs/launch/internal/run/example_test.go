package run_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"time"

	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// A run is made, held, changed and found.
func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	store, err := run.Open(ctx, folder, run.Options{})
	if err != nil {
		panic(err)
	}
	defer store.Close()

	id, _, err := store.Create(ctx, run.Request{
		Created: snapshot.Created{Operation: "start", ProductSlug: "acme"},
		Config:  []byte("product_slug: acme\n"),
		Enqueue: func(ctx context.Context, tx *sql.Tx, runID string, seq int64, notBefore time.Time) error { return nil },
	})
	if err != nil {
		panic(err)
	}
	held, err := store.Hold(ctx, id, run.Holder{Connection: "1", Request: "7", Operation: "launch_validate"}, run.Place{})
	if err != nil {
		panic(err)
	}
	err = held.Advance(ctx, snapshot.Change{New: state.Done})
	fmt.Println(err)
	err = held.Advance(ctx, snapshot.Change{New: state.ClonedInputs})
	fmt.Println(err, held.Release(ctx))

	page, _, err := store.List(ctx, index.Filter{ProductSlug: "acme"}, 0, "")
	fmt.Println(page[0].State, page[0].Activity, err)
	// Output:
	// a run cannot go from CREATED to DONE
	// <nil> <nil>
	// CLONED_INPUTS queued <nil>
}
