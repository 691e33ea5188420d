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

// INS-7, ERR-3: the whole line for a manifest that may not be read. Whoever can be
// denied it may not see the fixtures either, so they are handed over.
func TestGoldenPermissionDenied(t *testing.T) {
	const handedOver = "CONTEXT_TEST_PERMISSION_DENIED"
	want := os.Getenv(handedOver)
	if want == "" {
		text, err := os.ReadFile(filepath.Join(fixtures(t), "server-golden", "expected", "error_permission_denied.json"))
		cachetest.Must(t, err)
		want = strings.TrimSuffix(string(text), "\n")
		t.Setenv(handedOver, want)
	}
	if !cachetest.AsUser(t) {
		return
	}
	root := t.TempDir()
	cache := filepath.Join(root, "closed")
	cachetest.Must(t, os.Mkdir(cache, 0o755))
	cachetest.Must(t, os.WriteFile(filepath.Join(cache, "manifest.json"), []byte(`{"cache_version":"v1","document_count":0}`), 0o000))
	got := converse(t, newV0(t, contextengine.Config{Root: root}),
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"context.inspect_cache","arguments":{"cache":"closed"}}}`, true)
	if got = strings.TrimSuffix(got, "\n"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
