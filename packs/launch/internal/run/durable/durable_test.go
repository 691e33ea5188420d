package durable_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"mcpworks/packs/launch/internal/run/durable"
)

func TestWriteIsAllOrNothing(t *testing.T) {
	folder := t.TempDir()
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	written, err := durable.Write(root, "a/b/c.txt", []byte("one"))
	if err != nil || written.Size != 3 {
		t.Fatalf("%+v, %v", written, err)
	}
	if sum, err := durable.Sum(root, "a/b/c.txt"); err != nil || sum != written {
		t.Errorf("%+v, %v, want %+v", sum, err, written)
	}
	full := errors.New("disk full")
	torn := io.MultiReader(strings.NewReader("half of it"), iotest.ErrReader(full))
	if _, err := durable.WriteFrom(root, "a/b/c.txt", torn); !errors.Is(err, full) {
		t.Errorf("torn write: %v", err)
	}
	if _, err := durable.Write(root, "../outside.txt", nil); err == nil {
		t.Error("a file outside was written")
	}
	entries, err := os.ReadDir(filepath.Join(folder, "a", "b"))
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	if text, err := os.ReadFile(filepath.Join(folder, "a", "b", "c.txt")); err != nil || string(text) != "one" {
		t.Errorf("%q, %v", text, err)
	}
}
