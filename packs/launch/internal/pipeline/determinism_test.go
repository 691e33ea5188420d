package pipeline_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/artifact"
)

// determined are the hashes of all files of a run that depend on nothing but its
// inputs (6.10).
func (b *bench) determined(id string) map[string]string {
	b.t.Helper()
	root := filepath.Join(b.folder, "runs", id)
	sums := map[string]string{}
	for _, folder := range []string{"artifacts", "drafts", "work/site", "reports"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(file)
			name, _ := filepath.Rel(root, file)
			if name = filepath.ToSlash(name); name != "artifacts/"+artifact.PullRequestName {
				sum := sha256.Sum256(text)
				sums[name] = hex.EncodeToString(sum[:])
			}
			return err
		})
		if err != nil {
			b.t.Fatal(err)
		}
	}
	return sums
}

// S-17, 6.10: runs with equal inputs make equal files, wherever and whenever they
// run, and on however many processors.
func TestDeterminism(t *testing.T) {
	for _, name := range []string{"acme-tool", "hostile"} {
		url := product(t, name)
		var first map[string]string
		for i, processors := range []int{1, 8} {
			before := runtime.GOMAXPROCS(processors)
			b := newBench(t, filepath.Join(t.TempDir(), strings.Repeat("deeper/", i)), fixedClock(noon.Add(time.Duration(i)*1000*time.Hour)))
			id := b.start(settings(name, url, nil))
			expectReady(t, b, b.work(id))
			runtime.GOMAXPROCS(before)
			sums := b.determined(id)
			if first == nil {
				first = sums
			}
			if len(sums) < 20 {
				t.Errorf("%s: only %d files", name, len(sums))
			}
			if diff := cmp.Diff(first, sums); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}
