package selection_test

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"mcpworks/packs/contextengine/internal/cachetest"
	"mcpworks/packs/contextengine/internal/selection"
)

// The number of cores may change at any moment: the Go runtime follows the
// limits of its container. No worker may have a number that nobody counted on.
func TestCoresChangeMeanwhile(t *testing.T) {
	docs := cachetest.Docs{}
	for i := range 150 {
		docs[fmt.Sprintf("%03d", i)] = fmt.Sprint("deploy ", i)
	}
	c := opened(t, docs)
	q := selection.Query{Text: "deploy", Budget: 20}
	want := naive(docs, q.Text, q.Budget)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var done atomic.Bool
	var flips sync.WaitGroup
	flips.Go(func() {
		for n := 0; !done.Load(); n++ {
			runtime.GOMAXPROCS(1 + n%8)
		}
	})
	for range 40 {
		result, err := selection.Scan(t.Context(), c, q)
		if err != nil || string(result.AppendJSON(nil)) != want {
			t.Errorf("Scan: %v", err)
		}
		if _, err := selection.BuildIndex(t.Context(), c, selection.BM25, 64<<20); err != nil {
			t.Errorf("BuildIndex: %v", err)
		}
	}
	done.Store(true)
	flips.Wait()
}
