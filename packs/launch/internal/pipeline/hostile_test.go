package pipeline_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/fixtures"
)

// R-10, 18.20: of a hostile repository no secret and no active content gets into
// anything that a run leaves behind, and nothing of it was executed.
func TestHostile(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.start(settings("hostile", product(t, "hostile"), nil))
	expectReady(t, b, b.work(id))
	pages := 0
	err := filepath.WalkDir(b.folder, func(file string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(b.folder, file)
		switch {
		case err != nil:
			return err
		case entry.Name() == "executed":
			t.Errorf("%s: something was executed", name)
		case entry.IsDir() && (entry.Name() == "repo" || name == filepath.Join("cache", "git")): // what the repository itself says
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		text, err := os.ReadFile(file)
		for _, secret := range fixtures.Secrets() {
			if strings.Contains(string(text), secret) {
				t.Errorf("%s holds a secret", name)
			}
		}
		if strings.Contains(filepath.ToSlash(name), "/work/site/") {
			pages++
			if lower := strings.ToLower(string(text)); strings.Contains(lower, "<script") || strings.Contains(lower, "onerror=") {
				t.Errorf("%s has active content", name)
			}
		}
		return err
	})
	if err != nil || pages == 0 {
		t.Errorf("%d pages, %v", pages, err)
	}
}
