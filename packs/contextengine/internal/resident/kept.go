package resident

import (
	"context"
	"errors"
	"os"
	"sync/atomic"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/selection"
)

// errUnfit is a cache that cannot be kept.
var errUnfit = errors.New("the cache cannot be kept in memory")

// kept is an open cache with its indexes. But for stale, it does not change once
// it is kept.
type kept struct {
	cache   *cache.Cache
	watcher *watcher
	indexes map[selection.Ranking]*selection.Index
	size    int64        // in bytes, about
	users   atomic.Int64 // the store is one, while it keeps it
	stale   bool         // it was seen to have changed; guarded by the watcher
}

// open opens a cache that is watched from before its first byte is read. The
// caller is its one user.
func open(w *watcher, path, root, name string) (*kept, error) {
	k := &kept{watcher: w, indexes: map[selection.Ranking]*selection.Index{}}
	var err error
	k.cache, err = cache.OpenWatched(root, name, func(directory *os.Root) error { return w.add(k, directory) })
	if err != nil {
		w.remove(k)
		return nil, err
	}
	k.users.Store(1)
	k.size = k.cache.Manifest().Size()
	if plain, err := k.cache.IsPlain(); err != nil || !plain || k.cache.Path() != path {
		k.release()
		return nil, errUnfit
	}
	return k, nil
}

// addIndex makes the index for a ranking.
func (k *kept) addIndex(ctx context.Context, ranking selection.Ranking, memory int64) (err error) {
	defer cache.Recovered(&err)
	index, err := selection.BuildIndex(ctx, k.cache, ranking, memory)
	if err != nil {
		if errors.Is(err, selection.ErrTooLarge) {
			err = errUnfit
		}
		return err
	}
	k.indexes[ranking] = index
	k.size += index.Size()
	return nil
}

// adopt takes over the indexes of another that was opened on the same cache,
// which has not changed since, as far as there is room.
func (k *kept) adopt(other *kept, most int64) {
	for ranking, index := range other.indexes {
		if k.indexes[ranking] == nil && k.size+index.Size() <= most {
			k.indexes[ranking] = index
			k.size += index.Size()
		}
	}
}

// isCurrent says whether the cache is still what it was when it was opened.
func (k *kept) isCurrent() bool { return k.cache.IsCurrent() && k.watcher.isUnchanged(k) }

// release ends one use; the last closes the cache.
func (k *kept) release() {
	if k.users.Add(-1) == 0 {
		k.watcher.remove(k)
		k.cache.Close()
	}
}
