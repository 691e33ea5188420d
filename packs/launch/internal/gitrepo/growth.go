package gitrepo

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"
)

var errTooLarge = errors.New("the repository is too large")

// lookEvery is how often a repository is measured while it grows.
const lookEvery = 500 * time.Millisecond

// outgrows watches until ctx ends, and says whether the objects of the
// repository have become larger than max.
func (r *Repo) outgrows(ctx context.Context, max int64) bool {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-ticker.C:
			if r.size() > max {
				return true
			}
		}
	}
}

// size adds up the files of the objects, as far as they can be seen.
func (r *Repo) size() int64 {
	var total int64
	_ = filepath.WalkDir(filepath.Join(r.dir, "objects"), func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil // files come and go while git works
		}
		if info, err := entry.Info(); err == nil {
			total += info.Size()
		}
		return nil
	})
	return total
}
