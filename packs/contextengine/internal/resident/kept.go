package resident

import (
	"context"
	"errors"
	"maps"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/selection"
)

// errUnfit is a cache that cannot be kept.
var errUnfit = errors.New("the cache cannot be kept in memory")

// kept is an open cache with its indexes. It does not change once it is kept.
type kept struct {
	cache   *cache.Cache
	watch   watch
	indexes map[selection.Ranking]*selection.Index
	size    int64        // in bytes, about
	users   atomic.Int64 // the store is one, while it keeps it

	mu    sync.Mutex // what the kernel tells, it tells one
	stale bool       // it was seen to have changed
}

// open opens a cache, with a watch from before its first byte is read. The
// caller is its one user.
func open(path, root, name string) (*kept, error) {
	w, err := newWatch()
	if err != nil {
		return nil, errUnfit
	}
	c, err := cache.OpenWatched(root, name, w.add)
	if err != nil {
		w.close()
		return nil, err
	}
	k := &kept{cache: c, watch: w, indexes: map[selection.Ranking]*selection.Index{}, size: c.Manifest().Size()}
	k.users.Store(1)
	if plain, err := c.IsPlain(); err != nil || !plain || c.Path() != path {
		k.release()
		return nil, errUnfit
	}
	return k, nil
}

// addIndex makes the index for a ranking.
func (k *kept) addIndex(ctx context.Context, ranking selection.Ranking, memory int64) error {
	index, err := selection.BuildIndex(ctx, k.cache, ranking, memory)
	if err != nil {
		if errors.Is(err, selection.ErrTooLarge) {
			err = errUnfit
		}
		return err
	}
	k.indexes[ranking] = index
	k.size += index.Size()
	debug.FreeOSMemory() // what making it took besides
	return nil
}

// adopt takes over the indexes of another that was opened on the same cache,
// which has not changed since.
func (k *kept) adopt(other *kept) {
	maps.Copy(k.indexes, other.indexes)
	k.size += other.size - other.cache.Manifest().Size()
}

// changed says whether the cache at the path may be another than this.
func (k *kept) changed(path string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if now, err := os.Stat(path); err != nil || !k.cache.IsAt(now) || k.watch.changed() {
		k.stale = true
	}
	return k.stale
}

// release ends one use; the last closes the cache.
func (k *kept) release() {
	if k.users.Add(-1) == 0 {
		k.watch.close()
		k.cache.Close()
	}
}
