// Package resident keeps in memory what queries need of caches, for as long as
// the caches stay as they were.
//
// It answers exactly as a scan of the cache would. The first query on a cache is
// a scan; an index is made once that is answered, and serves the queries after
// it. Each of them begins with the question whether anything changed, which
// costs the same however large the cache is (watch_linux.go), and ends with
// reading the documents that were selected, whose hashes are checked again.
package resident

import (
	"context"
	"errors"
	"os"
	"sync"
	"syscall"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/selection"
)

const (
	// smallIndex is what an index may take even where there is less text.
	smallIndex = 64 << 20
	// maxKept is how many caches are kept: each holds some files open.
	maxKept = 64
)

// A Store keeps the indexes of caches. It is safe for concurrent use.
type Store struct {
	memory  int64
	ctx     context.Context // of what is done between queries
	cancel  context.CancelFunc
	watcher *watcher
	turn    chan struct{} // whoever makes an index has it

	mu     sync.Mutex
	places map[string]*place // by canonical path
	used   int64             // bytes of all indexes
	tick   uint64            // counts queries, to know who was used last
	making sync.WaitGroup    // indexes that are being made
}

// A place is a directory where a cache is. The store's mu guards it.
type place struct {
	kept   *kept  // nil if nothing is kept
	last   uint64 // when it was used
	making bool   // an index
	// unfit are directories that cannot be kept with an index for a ranking.
	unfit map[selection.Ranking]os.FileInfo
}

// New returns a store whose indexes take at most so many bytes together.
func New(memory int64) *Store {
	s := &Store{memory: memory, places: map[string]*place{}, watcher: newWatcher(), turn: make(chan struct{}, 1)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Close gives up all that is kept, and what is being made. Queries that run may
// finish; those that come are scans.
func (s *Store) Close() {
	s.cancel()
	s.dropAll()
	s.Settle()
	s.watcher.close()
}

func (s *Store) dropAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.places {
		s.drop(p)
	}
}

// Settle waits until no index is being made.
func (s *Store) Settle() { s.making.Wait() }

// Resolve answers a query on the cache of that name below the root.
func (s *Store) Resolve(ctx context.Context, root, name string, q selection.Query) (result *selection.Result, err error) {
	if q.Ranking == "" {
		q.Ranking = selection.TermFrequency
	}
	path, err := cache.Locate(root, name)
	if err != nil {
		return nil, err
	}
	if k := s.current(path, q.Ranking); k != nil {
		defer k.release()
		result, err = k.indexes[q.Ranking].Select(ctx, k.cache, q)
		if err == nil || !k.cache.Replaced() {
			return result, err
		}
	}
	result, err = s.scan(ctx, root, name, q)
	if errors.Is(err, syscall.EMFILE) { // what is kept holds files open
		s.dropAll()
		result, err = s.scan(ctx, root, name, q)
	}
	return result, err
}

// scan answers by reading the cache, and has an index made for the next query.
func (s *Store) scan(ctx context.Context, root, name string, q selection.Query) (result *selection.Result, err error) {
	err = cache.Use(func() (*cache.Cache, error) { return cache.OpenBelow(root, name) }, func(c *cache.Cache) (err error) {
		if result, err = selection.Scan(ctx, c, q); err == nil {
			s.makeIndex(c.Path(), root, name, q.Ranking)
		}
		return err
	})
	return result, err
}

// current returns what is kept of the cache at a path, if it is still that cache
// and has an index for the ranking; the caller releases it.
func (s *Store) current(path string, ranking selection.Ranking) *kept {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.places[path]
	if p == nil || p.kept == nil {
		return nil
	}
	if !p.kept.isCurrent() {
		s.drop(p)
		return nil
	}
	s.tick++
	p.last = s.tick
	if p.kept.indexes[ranking] == nil {
		return nil
	}
	p.kept.users.Add(1)
	return p.kept
}

// makeIndex has an index made, unless one is being made or it is known that
// there cannot be one.
func (s *Store) makeIndex(path, root, name string, ranking selection.Ranking) {
	directory, err := os.Stat(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || s.ctx.Err() != nil {
		return
	}
	p := s.places[path]
	if p == nil {
		p = &place{unfit: map[selection.Ranking]os.FileInfo{}}
		s.places[path] = p
	}
	if p.making || isSame(p.unfit[ranking], directory) {
		return
	}
	p.making = true
	s.making.Go(func() {
		k, err := s.load(p, path, root, name, ranking)
		s.mu.Lock()
		defer s.mu.Unlock()
		p.making = false
		switch {
		case s.ctx.Err() != nil && err == nil:
			k.release()
		case err == nil:
			s.keep(p, k)
		case errors.Is(err, errUnfit):
			p.unfit[ranking] = directory
		}
		s.tidy()
	})
}

// isSame says whether that is the same directory still, and not one that was
// given its number.
func isSame(before, now os.FileInfo) bool {
	return before != nil && os.SameFile(before, now) && before.ModTime().Equal(now.ModTime())
}

// load makes what is to be kept of a cache: one more index, and those that it has
// already if it is still the same. The caller is its one user. One index is made
// at a time: it uses all cores, and its memory is counted only when it is done.
func (s *Store) load(p *place, path, root, name string, ranking selection.Ranking) (*kept, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-s.ctx.Done():
		return nil, s.ctx.Err()
	}
	k, err := open(s.watcher, path, root, name)
	if err != nil {
		return nil, err
	}
	if err = k.addIndex(s.ctx, ranking, min(smallIndex, s.memory)); err == nil && k.size > s.memory {
		err = errUnfit
	}
	if err != nil {
		k.release()
		return nil, err
	}
	if before := s.borrow(p); before != nil {
		if before.isCurrent() {
			k.adopt(before, s.memory)
		}
		before.release()
	}
	return k, nil
}

// borrow returns what is kept at a place; the caller releases it.
func (s *Store) borrow(p *place) *kept {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.kept != nil {
		p.kept.users.Add(1)
	}
	return p.kept
}

// keep remembers k; the caller, who holds mu, is no longer its user. Others are
// given up for it.
func (s *Store) keep(p *place, k *kept) {
	s.drop(p)
	p.kept = k
	s.tick++
	p.last = s.tick
	for s.used += k.size; s.used > s.memory || s.count() > maxKept; {
		s.drop(s.leastUsed())
	}
}

func (s *Store) count() (n int) {
	for _, p := range s.places {
		if p.kept != nil {
			n++
		}
	}
	return n
}

func (s *Store) leastUsed() (least *place) {
	for _, p := range s.places {
		if p.kept != nil && (least == nil || p.last < least.last) {
			least = p
		}
	}
	return least
}

// drop gives up what is kept at a place; the caller holds mu.
func (s *Store) drop(p *place) {
	if k := p.kept; k != nil {
		p.kept = nil
		s.used -= k.size
		k.release()
	}
}

// maxUnfit is how many places are remembered for having nothing to keep.
const maxUnfit = 4096

// tidy gives up caches that have changed, and forgets places of which there is
// nothing to know; the caller holds mu.
func (s *Store) tidy() {
	for path, p := range s.places {
		if p.kept != nil && !p.kept.isCurrent() {
			s.drop(p)
		}
		if p.kept == nil && !p.making && (len(p.unfit) == 0 || len(s.places) > maxUnfit) {
			delete(s.places, path)
		}
	}
}
