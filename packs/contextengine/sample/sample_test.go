package sample_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"mcpworks/packs/contextengine/sample"

	"github.com/google/go-cmp/cmp"
)

// files reads every file below dir, by its relative path with slashes.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		tree[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// written returns the sample as Write leaves it.
func written(t *testing.T) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	if err := sample.Write(dir); err != nil {
		t.Fatal(err)
	}
	return files(t, dir)
}

func TestWriteWritesAllDocuments(t *testing.T) {
	if diff := cmp.Diff(files(t, "docs"), written(t)); diff != "" {
		t.Errorf("written documents (-want +got):\n%s", diff)
	}
}

func TestWriteKeepsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "index.md")
	if err := os.WriteFile(mine, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := sample.Write(dir); !errors.Is(err, fs.ErrExist) {
		t.Errorf("writing over a document: %v", err)
	}
	if content, err := os.ReadFile(mine); err != nil || string(content) != "mine" {
		t.Errorf("the document is now %q, %v", content, err)
	}
}

// The sample must build: DOC-1, DOC-5, BUILD-2 and BUILD-7.
func TestDocumentsMakeACache(t *testing.T) {
	owner := map[string]string{}
	for name, content := range written(t) {
		if !strings.HasSuffix(name, ".md") || name != strings.ToLower(name) {
			t.Errorf("%s: the name is no id", name)
		}
		if strings.TrimSpace(content) == "" || !utf8.ValidString(content) || strings.Contains(content, "\r") {
			t.Errorf("%s is empty, not UTF-8 or has foreign line ends", name)
		}
		file := fmt.Sprintf("%x", sha256.Sum256([]byte(content)))[:12]
		if other, taken := owner[file]; taken {
			t.Errorf("%s and %s share a file of the cache", name, other)
		}
		owner[file] = name
	}
	if len(owner) < 40 {
		t.Errorf("only %d documents", len(owner))
	}
}
