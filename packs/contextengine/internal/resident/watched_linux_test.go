package resident_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"

	"mcpworks/packs/contextengine/internal/cachetest"
	"mcpworks/packs/contextengine/internal/resident"
	"mcpworks/packs/contextengine/internal/selection"

	"github.com/google/go-cmp/cmp"
)

// isWarm says whether the store answers without reading the documents. The
// kernel knows.
func isWarm(t *testing.T, s *resident.Store, root, name string, ranking selection.Ranking) bool {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	cachetest.Must(t, err)
	defer syscall.Close(fd)
	documents := filepath.Join(root, name, "documents")
	for _, path := range []string{documents, filepath.Dir(documents)} {
		_, err = syscall.InotifyAddWatch(fd, path, syscall.IN_OPEN)
		cachetest.Must(t, err)
	}
	check := outcome(s.Resolve(t.Context(), root, name, selection.Query{Text: "deploy", Ranking: ranking}))
	if !strings.HasPrefix(check, "{") {
		t.Errorf("the answer is %s", check)
	}
	var events [1 << 16]byte
	n, err := syscall.Read(fd, events[:])
	if err != nil && !errors.Is(err, syscall.EAGAIN) {
		t.Fatal(err)
	}
	return n <= 0
}

// warm has indexes made for both rankings.
func warm(t *testing.T, s *resident.Store, root, name string) {
	t.Helper()
	s.Settle() // one that is being made may be of what was there before
	for _, ranking := range []selection.Ranking{selection.TermFrequency, selection.BM25} {
		check(t, s, root, name, selection.Query{Text: "deploy", Budget: 100, Ranking: ranking})
		s.Settle()
	}
	for _, ranking := range []selection.Ranking{"", selection.TermFrequency, selection.BM25} {
		if !isWarm(t, s, root, name, ranking) {
			t.Fatalf("no index was made for %q", ranking)
		}
	}
}

// A place is where a change happens.
type place struct{ root, dir, outside string }

func (p place) file(content string) string { return filepath.Join(p.dir, cachetest.File(content)) }

var kept = some(6, "kept")

// changes are all that can become of a cache between two queries.
var changes = map[string]func(t *testing.T, p place){
	"nothing":                      func(*testing.T, place) {},
	"content rewritten in place":   func(t *testing.T, p place) { rewrite(t, p.file(kept["doc003.md"]), "guide", "GUIDE") },
	"content rewritten, larger":    func(t *testing.T, p place) { rewrite(t, p.file(kept["doc003.md"]), "guide", "guides") },
	"content rewritten, as it was": func(t *testing.T, p place) { rewrite(t, p.file(kept["doc003.md"]), "x", "x") },
	"one byte overwritten":         func(t *testing.T, p place) { overwrite(t, p.file(kept["doc004.md"])) },
	"metadata added":               func(t *testing.T, p place) { rewrite(t, p.file(kept["doc003.md"]), "{}}", `{"a":1}}`) },
	"document truncated":           func(t *testing.T, p place) { cachetest.Must(t, os.Truncate(p.file(kept["doc003.md"]), 10)) },
	"document grown":               func(t *testing.T, p place) { appendTo(t, p.file(kept["doc003.md"]), "x") },
	"white space added":            func(t *testing.T, p place) { appendTo(t, p.file(kept["doc003.md"]), "\n") },
	"document deleted":             func(t *testing.T, p place) { cachetest.Must(t, os.Remove(p.file(kept["doc000.md"]))) },
	"document moved away":          func(t *testing.T, p place) { move(t, p.file(kept["doc000.md"]), filepath.Join(p.root, "x")) },
	"document replaced by the same": func(t *testing.T, p place) {
		replace(t, p.file(kept["doc005.md"]), cachetest.Document("doc005.md", kept["doc005.md"]))
	},
	"document replaced by another": func(t *testing.T, p place) {
		replace(t, p.file(kept["doc005.md"]), cachetest.Document("doc005.md", "other"))
	},
	"document replaced by a link": func(t *testing.T, p place) {
		link(t, filepath.Join(p.outside, cachetest.File(kept["doc005.md"])), p.file(kept["doc005.md"]))
	},
	"document linked inside":         func(t *testing.T, p place) { linkInside(t, p, cachetest.File(kept["doc005.md"])) },
	"document replaced by a pipe":    func(t *testing.T, p place) { makePipe(t, p.file(kept["doc005.md"])) },
	"document replaced by directory": func(t *testing.T, p place) { makeDirectory(t, p.file(kept["doc005.md"])) },
	"document closed":                func(t *testing.T, p place) { cachetest.Must(t, os.Chmod(p.file(kept["doc005.md"]), 0)) },
	"documents closed":               func(t *testing.T, p place) { cachetest.Must(t, os.Chmod(filepath.Join(p.dir, "documents"), 0)) },
	"manifest closed":                func(t *testing.T, p place) { cachetest.Must(t, os.Chmod(filepath.Join(p.dir, "manifest.json"), 0)) },
	"cache unreachable":              func(t *testing.T, p place) { cachetest.Must(t, os.Chmod(p.root, 0)) },
	"cache not to be listed":         func(t *testing.T, p place) { cachetest.Must(t, os.Chmod(p.dir, 0o100)) },
	"documents not to be listed":     func(t *testing.T, p place) { cachetest.Must(t, os.Chmod(filepath.Join(p.dir, "documents"), 0o100)) },
	"root not to be listed":          func(t *testing.T, p place) { cachetest.Must(t, os.Chmod(p.root, 0o100)) },
	"stray document":                 func(t *testing.T, p place) { replace(t, filepath.Join(p.dir, "documents", "stray.json"), []byte("x")) },
	"index deleted":                  func(t *testing.T, p place) { cachetest.Must(t, os.Remove(filepath.Join(p.dir, "index.json"))) },
	"manifest deleted":               func(t *testing.T, p place) { cachetest.Must(t, os.Remove(filepath.Join(p.dir, "manifest.json"))) },
	"manifest damaged":               func(t *testing.T, p place) { rewrite(t, filepath.Join(p.dir, "manifest.json"), `"1"`, `"2"`) },
	"manifest of another time":       func(t *testing.T, p place) { rewrite(t, filepath.Join(p.dir, "manifest.json"), "1970", "1971") },
	"manifest emptied":               func(t *testing.T, p place) { cachetest.Must(t, os.Truncate(filepath.Join(p.dir, "manifest.json"), 0)) },
	"manifest linked outside": func(t *testing.T, p place) {
		link(t, filepath.Join(p.outside, "manifest.json"), filepath.Join(p.dir, "manifest.json"))
	},
	"other documents in place":    func(t *testing.T, p place) { some(4, "fresh").Write(t, p.dir) },
	"no documents in place":       func(t *testing.T, p place) { cachetest.Docs{}.Write(t, p.dir) },
	"documents directory deleted": func(t *testing.T, p place) { cachetest.Must(t, os.RemoveAll(filepath.Join(p.dir, "documents"))) },
	"documents directory swapped": func(t *testing.T, p place) {
		move(t, filepath.Join(p.dir, "documents"), filepath.Join(p.root, "old"))
		some(6, "other").Write(t, filepath.Join(p.root, "other"))
		move(t, filepath.Join(p.root, "other", "documents"), filepath.Join(p.dir, "documents"))
	},
	"documents directory copied": func(t *testing.T, p place) {
		documents := filepath.Join(p.dir, "documents")
		move(t, documents, filepath.Join(p.root, "old"))
		cachetest.Must(t, os.CopyFS(documents, os.DirFS(filepath.Join(p.root, "old"))))
	},
	"documents linked outside": func(t *testing.T, p place) {
		cachetest.Must(t, os.RemoveAll(filepath.Join(p.dir, "documents")))
		link(t, filepath.Join(p.outside, "documents"), filepath.Join(p.dir, "documents"))
	},
	"documents replaced by a pipe": func(t *testing.T, p place) {
		cachetest.Must(t, os.RemoveAll(filepath.Join(p.dir, "documents")))
		cachetest.Must(t, syscall.Mkfifo(filepath.Join(p.dir, "documents"), 0o644))
	},
	"documents replaced by a file": func(t *testing.T, p place) {
		cachetest.Must(t, os.RemoveAll(filepath.Join(p.dir, "documents")))
		cachetest.Must(t, os.WriteFile(filepath.Join(p.dir, "documents"), nil, 0o644))
	},
	"documents linked to itself": func(t *testing.T, p place) {
		cachetest.Must(t, os.RemoveAll(filepath.Join(p.dir, "documents")))
		link(t, "documents", filepath.Join(p.dir, "documents"))
	},
	"cache linked to itself": func(t *testing.T, p place) {
		cachetest.Must(t, os.RemoveAll(p.dir))
		link(t, "c", p.dir)
	},
	"cache replaced by a pipe": func(t *testing.T, p place) {
		cachetest.Must(t, os.RemoveAll(p.dir))
		cachetest.Must(t, syscall.Mkfifo(p.dir, 0o644))
	},
	"cache exchanged": func(t *testing.T, p place) {
		some(3, "other").Write(t, filepath.Join(p.root, "other"))
		exchange(t, filepath.Join(p.root, "other"), p.dir)
	},
	"cache exchanged for a broken one": func(t *testing.T, p place) {
		cachetest.Must(t, os.Mkdir(filepath.Join(p.root, "other"), 0o755))
		exchange(t, filepath.Join(p.root, "other"), p.dir)
	},
	"cache moved away": func(t *testing.T, p place) { move(t, p.dir, filepath.Join(p.root, "old")) },
	"cache moved and linked": func(t *testing.T, p place) {
		move(t, p.dir, filepath.Join(p.root, "old"))
		link(t, "old", p.dir)
	},
	"cache linked outside": func(t *testing.T, p place) {
		move(t, p.dir, filepath.Join(p.root, "old"))
		link(t, p.outside, p.dir)
	},
	"cache moved, then changed, then back": func(t *testing.T, p place) {
		move(t, p.dir, filepath.Join(p.root, "old"))
		rewrite(t, filepath.Join(p.root, "old", cachetest.File(kept["doc003.md"])), "guide", "GUIDE")
		move(t, filepath.Join(p.root, "old"), p.dir)
	},
	"cache deleted": func(t *testing.T, p place) { cachetest.Must(t, os.RemoveAll(p.dir)) },
	"cache made anew": func(t *testing.T, p place) {
		cachetest.Must(t, os.RemoveAll(p.dir))
		kept.Write(t, p.dir)
	},
	"cache made anew, otherwise": func(t *testing.T, p place) {
		cachetest.Must(t, os.RemoveAll(p.dir))
		some(7, "new").Write(t, p.dir)
	},
	"root moved away": func(t *testing.T, p place) { move(t, p.root, p.root+"-old") },
	"root exchanged": func(t *testing.T, p place) {
		some(4, "there").Write(t, filepath.Join(p.root+"-new", "c"))
		exchange(t, p.root+"-new", p.root)
	},
}

// What a store answers after a change is what a scan finds then, whether the
// next query reads documents or not; and so it is when all is well again.
func TestChanges(t *testing.T) {
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testChange(t, change)
		})
	}
}

// The same for one who can be denied a file.
func TestChangesOfPermissions(t *testing.T) {
	if !cachetest.AsUser(t) {
		return
	}
	for _, name := range []string{
		"nothing", "document closed", "documents closed", "manifest closed", "cache unreachable", "cache not to be listed",
		"documents not to be listed", "root not to be listed", "document deleted",
	} {
		t.Run(name, func(t *testing.T) { testChange(t, changes[name]) })
	}
}

func testChange(t *testing.T, change func(*testing.T, place)) {
	s := newStore(t, plenty)
	above := t.TempDir()
	p := place{filepath.Join(above, "root"), filepath.Join(above, "root", "c"), filepath.Join(above, "outside")}
	kept.Write(t, p.dir)
	kept.Write(t, p.outside)
	for _, next := range []selection.Query{queries[0], queries[3]} {
		warm(t, s, p.root, "c")
		change(t, p)
		check(t, s, p.root, "c", next)
		s.Settle()
		check(t, s, p.root, "c", next)
		check(t, s, p.root, "c", queries[5])
		openUp(p)
		for _, path := range []string{p.root, p.root + "-old", p.root + "-new"} {
			cachetest.Must(t, os.RemoveAll(path))
		}
		kept.Write(t, p.dir)
		check(t, s, p.root, "c", queries[4])
	}
}

// openUp undoes what changes of permissions did.
func openUp(p place) {
	for _, path := range []string{p.root, p.dir, filepath.Join(p.dir, "documents")} {
		_ = os.Chmod(path, 0o755) // it may be gone
	}
}

// rewrite writes a file again, in place, with one word replaced.
func rewrite(t *testing.T, path, from, to string) {
	t.Helper()
	text, err := os.ReadFile(path)
	cachetest.Must(t, err)
	cachetest.Must(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(text), from, to)), 0o644))
}

func overwrite(t *testing.T, path string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	cachetest.Must(t, err)
	_, err = file.WriteAt([]byte("X"), 150)
	cachetest.Must(t, errors.Join(err, file.Close()))
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	cachetest.Must(t, err)
	_, err = file.WriteString(text)
	cachetest.Must(t, errors.Join(err, file.Close()))
}

// replace puts another file in the place of one, by renaming.
func replace(t *testing.T, path string, text []byte) {
	t.Helper()
	fresh := filepath.Join(t.TempDir(), "fresh") // whose directory nobody watches
	cachetest.Must(t, os.WriteFile(fresh, text, 0o644))
	move(t, fresh, path)
}

func move(t *testing.T, from, to string) {
	t.Helper()
	cachetest.Must(t, os.Rename(from, to))
}

func link(t *testing.T, target, path string) {
	t.Helper()
	cachetest.Must(t, os.RemoveAll(path))
	cachetest.Must(t, os.Symlink(target, path))
}

func linkInside(t *testing.T, p place, name string) {
	t.Helper()
	move(t, filepath.Join(p.dir, name), filepath.Join(p.dir, "real"))
	link(t, "../real", filepath.Join(p.dir, name))
}

func makePipe(t *testing.T, path string) {
	t.Helper()
	cachetest.Must(t, os.Remove(path))
	cachetest.Must(t, syscall.Mkfifo(path, 0o644))
}

func makeDirectory(t *testing.T, path string) {
	t.Helper()
	cachetest.Must(t, os.Remove(path))
	cachetest.Must(t, os.Mkdir(path, 0o755))
}

// exchange gives each of two directories the path of the other, in one step.
func exchange(t cachetest.TB, a, b string) {
	t.Helper()
	numbers := map[string]uintptr{"amd64": 316, "arm64": 276, "riscv64": 276, "386": 353, "arm": 382, "ppc64le": 357, "s390x": 347}
	number, known := numbers[runtime.GOARCH]
	if !known {
		t.Fatalf("renameat2 has no number here for %s", runtime.GOARCH)
	}
	from, err := syscall.BytePtrFromString(a)
	cachetest.Must(t, err)
	to, err := syscall.BytePtrFromString(b)
	cachetest.Must(t, err)
	const atCurrent, exchangeFlag = -100, 2
	current := atCurrent
	_, _, errno := syscall.Syscall6(number, uintptr(current), uintptr(unsafe.Pointer(from)), uintptr(current), uintptr(unsafe.Pointer(to)), exchangeFlag, 0)
	if errno != 0 {
		t.Fatalf("exchange %s and %s: %v", a, b, errno)
	}
}

// A file that was opened for writing long ago is written to.
func TestChangeThroughAnOpenFile(t *testing.T) {
	root := t.TempDir()
	kept.Write(t, filepath.Join(root, "c"))
	s := newStore(t, plenty)
	file, err := os.OpenFile(filepath.Join(root, "c", cachetest.File(kept["doc004.md"])), os.O_WRONLY, 0)
	cachetest.Must(t, err)
	defer file.Close()
	warm(t, s, root, "c")
	_, err = file.WriteAt([]byte("X"), 150)
	cachetest.Must(t, err)
	check(t, s, root, "c", queries[0])
	s.Settle()
	_, err = file.WriteAt([]byte("Y"), 150)
	cachetest.Must(t, err)
	for _, q := range queries {
		check(t, s, root, "c", q)
	}
}

// A name that is a link leads where it leads at the time.
func TestChangeOfALink(t *testing.T) {
	above := t.TempDir()
	root := filepath.Join(above, "root")
	some(5, "one").Write(t, filepath.Join(root, "one"))
	some(6, "two").Write(t, filepath.Join(root, "two"))
	some(7, "out").Write(t, filepath.Join(above, "out"))
	s := newStore(t, plenty)
	for range 2 {
		for _, target := range []string{"one", "two", "../out", "absent", filepath.Join(root, "two"), "one", "current"} {
			link(t, target, filepath.Join(root, "current"))
			for range 2 {
				for _, q := range queries {
					check(t, s, root, "current", q)
				}
				s.Settle()
			}
		}
	}
}

// hooked is a context that is asked at every document, and does something the
// first time.
type hooked struct {
	context.Context
	once *sync.Once
	do   func()
}

func (h hooked) Err() error {
	h.once.Do(h.do)
	return h.Context.Err()
}

// A cache that is replaced, and deleted, while it is read is read again: by a
// scan, and by a query that has an index.
func TestReplacedWhileRead(t *testing.T) {
	for _, isWarm := range []bool{false, true} {
		for _, q := range queries[2:5] {
			root := t.TempDir()
			dir := filepath.Join(root, "c")
			some(20, "old").Write(t, dir)
			some(20, "new").Write(t, filepath.Join(root, "next"))
			s := newStore(t, plenty)
			if isWarm {
				warm(t, s, root, "c")
			}
			ctx := hooked{t.Context(), &sync.Once{}, func() {
				exchange(t, filepath.Join(root, "next"), dir)
				cachetest.Must(t, os.RemoveAll(filepath.Join(root, "next")))
			}}
			got := outcome(s.Resolve(ctx, root, "c", q))
			if want := scan(t.Context(), root, "c", q); got != want {
				t.Errorf("warm: %v, %+v (-scan +store):\n%s", isWarm, q, cmp.Diff(want, got))
			}
		}
	}
}

// later is a context that does something when it is asked for the last time of
// many.
type later struct {
	context.Context
	left *atomic.Int64
	do   func()
}

func (l later) Err() error {
	if l.left.Add(-1) == 0 {
		l.do()
	}
	return l.Context.Err()
}

// A cache that changes while an index is added to those it has keeps none of
// them.
func TestChangedBetweenTwoIndexes(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "c")
	kept.Write(t, dir)
	s := newStore(t, plenty)
	for range 2 {
		check(t, s, root, "c", queries[2])
		s.Settle()
	}
	// After the last document was read, and before the index is made.
	ctx := later{t.Context(), &atomic.Int64{}, func() { some(4, "fresh").Write(t, dir) }}
	ctx.left.Store(int64(len(kept) + 1))
	if got := outcome(s.Resolve(ctx, root, "c", queries[1])); !strings.HasPrefix(got, "{") || ctx.left.Load() > 0 {
		t.Fatalf("%s, with %d to go", got, ctx.left.Load())
	}
	s.Settle()
	for _, q := range queries {
		check(t, s, root, "c", q)
	}
}

// Whatever is asked, and however it ends, nothing is left of a closed store.
func TestNothingIsLeft(t *testing.T) {
	root := t.TempDir()
	for i := range 5 {
		some(20, fmt.Sprint("cache", i)).Write(t, filepath.Join(root, fmt.Sprint(i)))
	}
	cachetest.Must(t, os.Mkdir(filepath.Join(root, "broken"), 0o755))
	cachetest.Must(t, os.Symlink("0", filepath.Join(root, "link")))
	linkInside(t, place{dir: filepath.Join(root, "4")}, cachetest.File(some(20, "cache4")["doc001.md"]))
	files, routines := left(t)
	for _, memory := range []int64{0, 1, 2 << 20, plenty} {
		s := resident.New(memory)
		var clients sync.WaitGroup
		for client := range 4 {
			clients.Go(func() {
				for i := range 30 {
					name := []string{"0", "1", "2", "3", "4", "broken", "link", "absent"}[(client+i)%8]
					ctx, cancel := context.WithCancel(t.Context())
					if i%7 == 0 {
						cancel()
					}
					_ = outcome(s.Resolve(ctx, root, name, queries[i%len(queries)]))
					cancel()
					if i%5 == 0 {
						_ = os.Chmod(filepath.Join(root, name), 0o755) // a change
					}
				}
			})
		}
		clients.Wait()
		// One that is closed in the middle of a query keeps nothing of it.
		ctx := hooked{t.Context(), &sync.Once{}, s.Close}
		if got := outcome(s.Resolve(ctx, root, "0", queries[4])); got != scan(t.Context(), root, "0", queries[4]) {
			t.Errorf("closed in the middle: %s", got)
		}
		s.Settle()
		nowFiles, nowRoutines := left(t)
		for range 1_000_000 { // one that has done its work may still be about to end
			if nowRoutines <= routines {
				break
			}
			runtime.Gosched()
			nowRoutines = runtime.NumGoroutine()
		}
		if nowFiles != files || nowRoutines > routines {
			t.Errorf("with %d bytes: %d files and %d goroutines were there, then %d and %d", memory, files, routines, nowFiles, nowRoutines)
		}
	}
}

func left(t *testing.T) (files, routines int) {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	cachetest.Must(t, err)
	return len(open), runtime.NumGoroutine()
}

// A cache with links in it is never answered from memory: they could lead
// elsewhere without notice.
func TestLinkedCachesAreRead(t *testing.T) {
	root := t.TempDir()
	p := place{dir: filepath.Join(root, "c")}
	kept.Write(t, p.dir)
	linkInside(t, p, cachetest.File(kept["doc002.md"]))
	s := newStore(t, plenty)
	for range 3 {
		check(t, s, root, "c", queries[2])
		s.Settle()
	}
	if isWarm(t, s, root, "c", "") {
		t.Error("it was not read")
	}
	rewrite(t, filepath.Join(p.dir, "real"), "guide", "GUIDE")
	check(t, s, root, "c", queries[0])
}

// A cache that could not be kept, and is made anew without what was in the way,
// can be kept. The new directory may have the number of the old one.
func TestKeptOnceItCanBe(t *testing.T) {
	root := t.TempDir()
	p := place{root: root, dir: filepath.Join(root, "c")}
	s := newStore(t, plenty)
	for range 5 {
		kept.Write(t, p.dir)
		linkInside(t, p, cachetest.File(kept["doc002.md"]))
		check(t, s, root, "c", queries[2])
		s.Settle()
		cachetest.Must(t, os.RemoveAll(p.dir))
		kept.Write(t, p.dir)
		warm(t, s, root, "c")
		cachetest.Must(t, os.RemoveAll(p.dir))
	}
}
