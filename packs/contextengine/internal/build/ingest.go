package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/document"
)

const (
	// maxSource is the largest file that becomes a document. It is kept in
	// memory while it does, and takes up to six times as much as JSON.
	maxSource = cache.MaxDocument / 6
	// small is what a worker has room for at all times. Larger files are
	// ingested one at a time, and their memory is given back.
	small = 4 << 20
)

// An ingestion turns all sources into document files, on all processors. There
// are two workers for each: while one waits for its turn to make a file, the
// other reads.
type ingestion struct {
	from     *folder
	sources  []source // get their versions
	base     *base
	to       *folder
	progress func(done, total int)

	next   atomic.Int64 // index of the source to take
	reused atomic.Int64
	failed failure
	// clashed is the first source whose file was there already. It has the
	// content of another one, which is known once all are read.
	clashed failure
	large   sync.Mutex // held by who ingests a large file
	mu      sync.Mutex // for done, and for calls of progress
	done    int
}

// run ends early with the error of the first source that fails, in the order of
// ids, or with that of ctx.
func (in *ingestion) run(ctx context.Context) error {
	var workers sync.WaitGroup
	for range min(2*runtime.GOMAXPROCS(0), len(in.sources)) {
		workers.Go(func() { in.work(ctx) })
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	if in.failed.err != nil {
		return in.failed.err
	}
	if err := findClash(in.sources); err != nil {
		return err
	}
	return in.clashed.err
}

// work takes sources in their order, so that those before a failing one are
// always finished.
func (in *ingestion) work(ctx context.Context) {
	var w worker
	for {
		i := int(in.next.Add(1)) - 1
		if i >= len(in.sources) || in.failed.before(i) || ctx.Err() != nil {
			return
		}
		if err := in.ingest(&w, i); err != nil {
			in.failed.record(i, err)
			return
		}
		in.tell()
	}
}

func (in *ingestion) tell() {
	if in.progress == nil {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.done++
	in.progress(in.done, len(in.sources))
}

// A worker's memory is used for one source after the other.
type worker struct{ content, text, old []byte }

func (in *ingestion) ingest(w *worker, i int) (err error) {
	defer cache.Recovered(&err)
	s := &in.sources[i]
	file, err := in.from.open(s.path, true)
	if err != nil {
		return ioError("read a source: %w", err)
	}
	defer file.close()
	if file.size > small {
		in.large.Lock()
		defer in.large.Unlock()
		defer func() { *w = worker{} }()
	}
	if w.content, err = file.read(w.content, maxSource); err != nil {
		return ioError("read the source %q: %w", s.path, err)
	}
	if !utf8.Valid(w.content) {
		return fmt.Errorf("the source %q is not UTF-8 text, from byte %d on: save it as UTF-8, or move it away", s.path, validLength(w.content))
	}
	s.Version = document.VersionOf(w.content)
	d := document.Document{ID: s.ID, Version: s.Version, Source: s.path}
	d.Content = unsafe.String(unsafe.SliceData(w.content), len(w.content)) // not written to while d is in use
	w.text = d.AppendJSON(w.text[:0])
	if len(w.text) > cache.MaxDocument {
		return ioError("the source %q is too large for a document file: split it, or move it away", s.path)
	}
	return in.keep(w, i)
}

// validLength returns how many bytes come before the first that is not UTF-8.
func validLength(text []byte) int {
	for i := 0; ; {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
}

// keep makes the document file of a source.
func (in *ingestion) keep(w *worker, i int) error {
	s := &in.sources[i]
	if in.base.has(&s.Entry) && in.reuse(w, s.Version.FileName()) {
		in.reused.Add(1)
		return nil
	}
	err := in.to.create(s.Version.FileName(), w.text)
	if errors.Is(err, fs.ErrExist) {
		in.clashed.record(i, ioError("write a document: %w", err))
		return nil
	}
	if err != nil {
		return ioError("write the document of %q: %w", s.path, err)
	}
	return nil
}

// findClash reports two documents that would be in one file: their versions
// begin alike, which as a rule means that their contents are the same (BUILD-7).
func findClash(sources []source) error {
	type prefix [6]byte
	first := make(map[prefix]int, len(sources))
	a, b, others := -1, -1, 0
	for i := range sources {
		p := prefix(sources[i].Version[:])
		earlier, clash := first[p]
		switch {
		case !clash:
			first[p] = i
		case a < 0 || earlier < a:
			a, b = earlier, i
			others++
		default:
			others++
		}
	}
	if a < 0 {
		return nil
	}
	var more string
	if others > 1 {
		more = fmt.Sprintf(" (%d more sources have this problem)", others-1)
	}
	what := "have the same content"
	if sources[a].Version != sources[b].Version {
		what = "have contents whose hashes begin alike"
	}
	return fmt.Errorf("the documents %q and %q %s, and would share a file in the cache: change or remove one of them%s",
		sources[a].ID, sources[b].ID, what, more)
}

// A failure is the first error in the order of the work.
type failure struct {
	mu  sync.Mutex
	at  int
	err error
}

func (f *failure) record(at int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil || at < f.at {
		f.at, f.err = at, err
	}
}

// before says whether there was a failure before the given place.
func (f *failure) before(at int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err != nil && f.at < at
}
