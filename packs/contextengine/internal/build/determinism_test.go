package build_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/build"

	"github.com/google/go-cmp/cmp"
)

// BUILD-13, BUILD-14 and CACHE-6: neither the place, nor the order in which
// files were made and are found, nor the number of processors has a say in any
// byte; and the time is in one place only.
func TestSameSourcesSameBytes(t *testing.T) {
	files := tree{}
	for i := range 150 {
		name := fmt.Sprintf("dir%d/sub%d/File %d.md", i%7, i%3, i)
		files[name] = strings.Repeat(fmt.Sprintf("text %d ", i), i*7%500+1)
	}
	var first tree
	for round, processors := range []int{1, 2, 16, 1, 64} {
		place := filepath.Join(t.TempDir(), strings.Repeat("deep/", round), "docs")
		files.write(t, place) // in the order of a map, which is another each time
		got := func() tree {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			dir, _ := built(t, build.Options{Sources: place, CreatedAt: fmt.Sprintf("202%d-01-01T00:00:00Z", round)})
			return read(t, dir)
		}()
		got["manifest.json"] = strings.Replace(got["manifest.json"], fmt.Sprintf("202%d-01-01T00:00:00Z", round), createdAt, 1)
		if first == nil {
			first = got
		}
		if diff := cmp.Diff(first, got); diff != "" {
			t.Errorf("with %d processors in %s:\n%s", processors, place, diff)
		}
	}
}

func TestProgressCountsUp(t *testing.T) {
	files := tree{}
	for i := range 100 {
		files[fmt.Sprint(i, ".md")] = fmt.Sprint("document ", i)
	}
	var seen []int // calls come one at a time
	built(t, build.Options{Sources: files.dir(t), Progress: func(done, total int) {
		if total != len(files) {
			t.Errorf("%d of %d", done, total)
		}
		seen = append(seen, done)
	}})
	want := make([]int, len(files))
	for i := range want {
		want[i] = i + 1
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
}

// Sources keep their place in memory for one document only.
func TestManySourcesTakeLittleMemory(t *testing.T) {
	dir := t.TempDir()
	const count, size = 64, 1 << 20
	text := []byte(strings.Repeat("0123456789abcde\n", size/16))
	for i := range count {
		copy(text, fmt.Sprintf("%08d", i))
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".md")), text, 0o666))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	built(t, build.Options{Sources: dir})
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > uint64(2*runtime.GOMAXPROCS(0)+1)*4*size {
		t.Errorf("%d bytes for %d documents of %d bytes", used, count, size)
	}
}
