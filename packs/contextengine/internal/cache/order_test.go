package cache_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
)

// coresGrow is a context that is asked while work goes on, and lets the number
// of cores grow meanwhile, as the Go runtime does by itself when the limits of a
// container change.
type coresGrow struct{ context.Context }

func (c coresGrow) Err() error {
	runtime.GOMAXPROCS(8)
	return c.Context.Err()
}

// VERIFY-1: every document is verified, whatever becomes of the cores.
func TestVerifyWhileCoresChange(t *testing.T) {
	docs := cachetest.Docs{}
	for i := range 64 {
		docs[fmt.Sprintf("%02d", i)] = fmt.Sprint("content ", i)
	}
	dir := t.TempDir()
	docs.Write(t, dir)
	for _, content := range docs {
		put(cachetest.File(content), "damaged")(t, dir)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	problems, _, err := cache.Verify(coresGrow{t.Context()}, dir)
	if err != nil || len(problems) != 64 {
		t.Errorf("%d problems, %v; want 64", len(problems), err)
	}
}

// Documents are checked in the order of the manifest (section 6), also where
// that is not the order of the ids.
func TestTheManifestsOrderDecides(t *testing.T) {
	dir := t.TempDir()
	two.Write(t, dir)
	put("manifest.json", object(with(manifest, "documents", list(object(second), object(first)))))(t, dir)
	remove(fileB)(t, dir)
	put(fileA, "damaged")(t, dir)
	_, err := openAll(t, dir)
	if want := cachetest.File(two["b.md"]); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want that of %s, which the manifest names first", err, want)
	}
}
