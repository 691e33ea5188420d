package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/internal/secret"
)

// What an option names is read up to a limit, and not beyond it.
func TestReadFileIsBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "long")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, maxFile); err != nil {
		t.Fatal(err)
	}
	if text, err := readFile(optBaseline, file); err != nil || len(text) != maxFile {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if err := os.Truncate(file, maxFile+1); err != nil {
		t.Fatal(err)
	}
	var f *failure
	if _, err := readFile(optBaseline, file); !errors.As(err, &f) || f.exit != exitUsage || !strings.HasSuffix(f.Error(), "long: it is longer than 16 MiB") {
		t.Errorf("the error is %v", err)
	}
}

// zeros never end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestInputsWithoutEnd(t *testing.T) {
	if _, err := readInput(optArgsFile, "-", zeros{}); err == nil || !strings.HasSuffix(err.Error(), "-: it is longer than 16 MiB") {
		t.Errorf("the error is %v", err)
	}
	n, err := io.Copy(io.Discard, &endless{in: zeros{}, left: 1 << 20})
	if n != 1<<20 || err == nil {
		t.Errorf("%d bytes were read, with %v", n, err)
	}
}

// D2.34: JSON stays JSON, whatever the secret is.
func TestRedactedJSON(t *testing.T) {
	h := &hidden{}
	h.add(secret.New("123456"))
	if got := string(h.redact([]byte(`{"n":1234567,"s":"it is 123456, \"123456\""}`))); got != `{"n":1234567,"s":"it is [redacted], \"[redacted]\""}` {
		t.Errorf("it becomes %s", got)
	}
	if got := string(h.redact([]byte("it is 123456"))); got != "it is [redacted]" {
		t.Errorf("it becomes %s", got)
	}
}
