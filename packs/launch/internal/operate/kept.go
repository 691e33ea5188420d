package operate

import (
	"container/list"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
)

// What is kept of the files that were read (14.6).
const (
	keepFor  = time.Minute
	keepEach = 1 << 20
	keepAll  = 64 << 20
)

// kept are small files that were read a moment ago. A file is read again when
// the log of its run has grown, by whatever process: so nothing is served that
// is older than the index.
type kept struct {
	clock func() time.Time

	mu    sync.Mutex
	bytes int
	files map[[2]string]*list.Element // by run and name
	order *list.List                  // of keptFile, the one used last in front
}

type keptFile struct {
	key     [2]string
	version int64
	until   time.Time
	chunk   run.Chunk
}

func newKept(clock func() time.Time) kept {
	return kept{clock: clock, files: map[[2]string]*list.Element{}, order: list.New()}
}

func (k *kept) get(runID, name string, version int64, size int) (run.Chunk, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	element, ok := k.files[[2]string{runID, name}]
	if !ok {
		return run.Chunk{}, false
	}
	file := element.Value.(*keptFile)
	if file.version != version || !k.clock().Before(file.until) {
		k.drop(element)
		return run.Chunk{}, false
	}
	if int64(size) < file.chunk.Size {
		return run.Chunk{}, false
	}
	k.order.MoveToFront(element)
	return file.chunk, true
}

func (k *kept) put(runID, name string, version int64, chunk run.Chunk) {
	if len(chunk.Data) > keepEach || chunk.Offset != 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	key := [2]string{runID, name}
	if old, ok := k.files[key]; ok {
		k.drop(old)
	}
	k.files[key] = k.order.PushFront(&keptFile{key, version, k.clock().Add(keepFor), chunk})
	for k.bytes += len(chunk.Data); k.bytes > keepAll; {
		k.drop(k.order.Back())
	}
}

func (k *kept) drop(element *list.Element) {
	file := k.order.Remove(element).(*keptFile)
	delete(k.files, file.key)
	k.bytes -= len(file.chunk.Data)
}

// forget drops what is kept of a run.
func (k *kept) forget(runID string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for key, element := range k.files {
		if key[0] == runID {
			k.drop(element)
		}
	}
}

var runIDForm = regexp.MustCompile(`^[a-zA-Z0-9_-]{8,64}$`)

// versionOf is the length of the log of a run, which grows with every change.
// Nothing is read for it.
func (l *Launcher) versionOf(runID string) (int64, error) {
	if !runIDForm.MatchString(runID) {
		return 0, run.ErrID
	}
	info, err := os.Lstat(filepath.Join(l.options.DataDir, "runs", runID, eventlog.FileName))
	if err != nil {
		return 0, run.ErrNotFound
	}
	return info.Size(), nil
}
