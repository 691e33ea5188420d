//go:build unix

package cache_test

import (
	"path/filepath"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
)

// INS-3: a count that cannot be had is 0, not the largest that can.
func TestInspectBelowCountTooLarge(t *testing.T) {
	root := t.TempDir()
	put("manifest.json", `{"cache_version":"v","document_count":18446744073709551616}`)(t, root)
	got, err := cache.InspectBelow(root, "")
	if text := string(got.AppendJSON(nil)); err != nil || text != `{"cache_version":"v","document_count":0,"total_bytes":0,"valid":false}` {
		t.Errorf("%s, %v", text, err)
	}
}

// CLI-6: a document behind a link that stays inside the cache exists (LOAD-8),
// and its size counts.
func TestInspectCountsLinkedDocuments(t *testing.T) {
	for _, target := range []string{"../real.json", "DIR/real.json"} {
		dir := filepath.Join(t.TempDir(), "root", "cache")
		two.Write(t, dir)
		moveAndLink(fileA, "real.json", target)(t, dir)
		got, err := cache.Inspect(t.Context(), dir)
		if err != nil || !got.Valid || got.TotalBytes != int64(len(textA)+len(textB)) {
			t.Errorf("link to %s: %+v, %v; want %d bytes", target, got, err, len(textA)+len(textB))
		}
	}
}
