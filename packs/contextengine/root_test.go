package contextengine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcpworks/packs/contextengine"

	"golang.org/x/tools/txtar"
)

// buildAt is when the caches of tests are built.
var buildAt = time.Unix(0, 0)

// build makes a cache of documents, given as name and content.
func build(t testing.TB, output string, documents map[string]string) {
	t.Helper()
	sources := t.TempDir()
	for name, content := range documents {
		write(t, filepath.Join(sources, name), content)
	}
	_, err := contextengine.Build(t.Context(), contextengine.BuildOptions{Sources: sources, Cache: output, CreatedAt: buildAt})
	if err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// handbook is the cache that most tests ask.
var handbook = map[string]string{
	"deployment.md": "Deployment deployment deployment guide.",
	"security.md":   "Security hardening guide.",
	"empty.md":      "",
}

// newRoot returns a cache root that holds the handbook.
func newRoot(t testing.TB) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "root")
	build(t, filepath.Join(root, "handbook"), handbook)
	return root
}

// rootOf makes the cache root that an archive describes.
func rootOf(t testing.TB, archive *txtar.Archive) string {
	t.Helper()
	top := t.TempDir()
	root := filepath.Join(top, "root")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	outside := root + "-x" // SEC-3: not inside, though its name begins like it
	build(t, outside, map[string]string{"secret.md": "outside"})
	sources := map[string]map[string]string{}
	for _, file := range archive.Files {
		if rest, ok := strings.CutPrefix(file.Name, "sources/"); ok {
			name, path, _ := strings.Cut(rest, "/")
			if sources[name] == nil {
				sources[name] = map[string]string{}
			}
			sources[name][path] = strings.TrimSuffix(string(file.Data), "\n")
		}
	}
	for name, documents := range sources {
		build(t, filepath.Join(root, name), documents)
	}
	for _, file := range archive.Files {
		kind, path, _ := strings.Cut(file.Name, "/")
		path = filepath.Join(root, path)
		data := strings.ReplaceAll(strings.TrimSuffix(string(file.Data), "\n"), "$OUTSIDE", outside)
		switch kind {
		case "root":
			write(t, path, data)
		case "folder":
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
		case "link":
			_ = os.MkdirAll(filepath.Dir(path), 0o755)
			_ = os.Remove(path)
			if err := os.Symlink(data, path); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}
