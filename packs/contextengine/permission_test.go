//go:build unix

package contextengine_test

import (
	"os"
	"path/filepath"
	"testing"

	"mcpworks/packs/contextengine"
	"mcpworks/packs/contextengine/internal/cachetest"
)

const ioText = `{"error":{"code":"io_error","message":"I/O error occurred"}}` + "\n"

// Without permission to read there is an error of its own.
func TestINS7LIST6ERR6PermissionIsAnIOError(t *testing.T) {
	if !cachetest.AsUser(t) {
		return
	}
	root := newRoot(t)
	manifest := filepath.Join(root, "handbook", "manifest.json")
	if err := os.Chmod(manifest, 0); err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"context.resolve", "context.inspect_cache"} {
		if text, failed := frozen(t, contextengine.Config{Root: root}, tool, threeCalls[tool]); !failed || text != ioText {
			t.Errorf("%s says %s", tool, text)
		}
	}
	if err := os.Chmod(filepath.Dir(manifest), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(manifest), 0o755) })
	if text, failed := frozen(t, contextengine.Config{Root: root}, "context.list_caches", `{}`); !failed || text != ioText {
		t.Errorf("listing says %s", text)
	}
}
