//go:build unix

package contextengine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/packs/contextengine"
	"mcpworks/packs/contextengine/internal/cachetest"
)

// INS-8: the sizes of files that cannot be summed are no error, only not valid.
// A directory that may be searched but not listed is such a case: its manifest
// can be read by name.
func TestINS8SizesThatCannotBeSummed(t *testing.T) {
	if !cachetest.AsUser(t) {
		return
	}
	root := newRoot(t)
	cache := filepath.Join(root, "handbook")
	if err := os.Chmod(cache, 0o100); err != nil { // files can be opened by name, not listed
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(cache, 0o755) })
	text, failed := frozen(t, contextengine.Config{Root: root}, "context.inspect_cache", threeCalls["context.inspect_cache"])
	if failed || !strings.HasSuffix(text, `"document_count":3,"total_bytes":0,"valid":false}`) {
		t.Errorf("inspecting says %s", text)
	}
}
