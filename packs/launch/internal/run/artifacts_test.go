package run_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"

	"pgregory.net/rapid"
)

// 3.3, S-32: names that are none.
func TestNames(t *testing.T) {
	for _, bad := range []string{
		"", ".", "..", "../x", "a/../b", "/etc/passwd", "a//b", "a/", ".hidden", "reports/.x", `a\b`, "a\x00b", "%2e%2e", "~x", "$x", "a b", "ä",
		strings.Repeat("a", 201), strings.Repeat("a/", 12) + "a", "-x",
	} {
		if err := run.CheckName(bad); !errors.Is(err, run.ErrName) {
			t.Errorf("%q passed", bad)
		}
	}
	for _, bad := range []string{"work/site/x", "cache/llm/x.json", "evidence/x.json", "artifacts/x.json", "index.db/x"} {
		if _, err := run.PathOf(bad); !errors.Is(err, run.ErrName) {
			t.Errorf("%q has a place", bad)
		}
	}
}

// S-32: whatever passes stays in the folders of artifacts.
func TestNamesStayInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.SampledFrom([]rune("ab./\\_-%~$ \x00ä"))).Draw(t, "name")
		file, err := run.PathOf(name)
		if err != nil {
			return
		}
		if !filepath.IsLocal(file) || filepath.Clean(file) != file || strings.Contains(file, "/.") {
			t.Fatalf("%q is kept at %q", name, file)
		}
	})
}

// 5.5, S-38: what is served and what is not.
func TestServedFiles(t *testing.T) {
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{})
	held := hold(t, store, create(t, store))
	if _, err := held.WriteArtifact(t.Context(), "page_plan.json", "page_plan/1.0", "W4", []byte("{}\n")); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{
		"reports/diff_report.md", "logs/gate_links.log", "drafts/docs/a/b.md", "work/site/secret", "cache/llm/x.json", "evidence/llm_calls/x.json",
		"artifacts/not_indexed.json", "reports/.hidden",
	} {
		name := filepath.Join(folder, "runs", held.ID(), file)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"reports/file_link": "../work/site/secret", "drafts/dir_link": "../work/site", "reports/outside": "/etc/passwd"} {
		if err := os.Symlink(target, filepath.Join(folder, "runs", held.ID(), link)); err != nil {
			t.Fatal(err)
		}
	}
	for name, contentType := range map[string]string{
		"page_plan.json": "application/json", snapshot.FileName: "application/json", eventlog.FileName: "application/x-ndjson",
		run.ConfigName: "application/yaml", "reports/diff_report.md": "text/markdown", "logs/gate_links.log": "text/plain", "drafts/docs/a/b.md": "text/markdown",
	} {
		chunk, err := store.Read(t.Context(), held.ID(), name, 0, 1<<20)
		if err != nil || chunk.ContentType != contentType || !chunk.Complete || !chunk.Text || chunk.SHA256 != hashOf(chunk.Data) {
			t.Errorf("%s: %+v, %v", name, chunk, err)
		}
	}
	for _, name := range []string{
		"work/site/secret", "cache/llm/x.json", "evidence/llm_calls/x.json", "not_indexed.json", "artifacts/page_plan.json", "reports", "reports/none.md",
		"reports/file_link", "drafts/dir_link/secret", "reports/outside", "telemetry_outbox.jsonl",
	} {
		chunk, err := store.Read(t.Context(), held.ID(), name, 0, 1<<20)
		if missing := (*run.MissingError)(nil); !errors.As(err, &missing) || missing.Expired || len(missing.Available) != 4 {
			t.Errorf("%s: %q, %v", name, chunk.Data, err)
		}
	}
	for _, name := range []string{".lock", "reports/.hidden", "../" + held.ID() + "/snapshot.json"} {
		if _, err := store.Read(t.Context(), held.ID(), name, 0, 1); !errors.Is(err, run.ErrName) {
			t.Errorf("%s: %v", name, err)
		}
	}
	walk(t, held, state.Done)
	if err := os.Remove(filepath.Join(folder, "runs", held.ID(), "artifacts/page_plan.json")); err != nil {
		t.Fatal(err)
	}
	_, err := store.Read(t.Context(), held.ID(), "page_plan.json", 0, 1)
	if missing := (*run.MissingError)(nil); !errors.As(err, &missing) || !missing.Expired {
		t.Errorf("after retention: %v", err)
	}
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// S-43: chunks put together are the file, text is never split within a
// character, and what is no text says so.
func TestChunks(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{})
	held := hold(t, store, create(t, store))
	for name, text := range map[string]string{
		"reports/text.md": strings.Repeat("añ€😀", 3000), "reports/binary.bin": strings.Repeat("\xff\x80\x00", 3000), "reports/empty.md": "",
	} {
		written, err := held.WriteArtifact(t.Context(), name, "", "W7", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{4, 1024, 1025, 1026, 1 << 20} {
			var whole bytes.Buffer
			for offset, complete := int64(0), false; !complete; {
				chunk, err := store.Read(t.Context(), held.ID(), name, offset, size)
				if err != nil || chunk.SHA256 != written.SHA256 || chunk.Text == strings.HasSuffix(name, ".bin") {
					t.Fatalf("%s at %d: %+v, %v", name, offset, chunk, err)
				}
				whole.Write(chunk.Data)
				offset, complete = chunk.Next(), chunk.Complete
			}
			if whole.String() != text {
				t.Errorf("%s in chunks of %d differs", name, size)
			}
		}
	}
}

// S-43: a large artifact is written and read without being held in memory.
func TestLargeArtifact(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{})
	held := hold(t, store, create(t, store))
	const size = 64 << 20
	written, err := held.WriteArtifactFrom(t.Context(), "reports/large.md", "", "W7", io.LimitReader(endless{}, size))
	if err != nil || written.Size != size {
		t.Fatalf("%+v, %v", written, err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	hash := sha256.New()
	for offset := int64(0); offset < size; {
		chunk, err := store.Read(t.Context(), held.ID(), "reports/large.md", offset, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		hash.Write(chunk.Data)
		offset = chunk.Next()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if got := hex.EncodeToString(hash.Sum(nil)); got != written.SHA256 {
		t.Errorf("sha256 %s, want %s", got, written.SHA256)
	}
	if after.HeapAlloc > before.HeapAlloc+16<<20 {
		t.Errorf("the heap grew from %d to %d", before.HeapAlloc, after.HeapAlloc)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a' + byte(i%26)
	}
	return len(p), nil
}
