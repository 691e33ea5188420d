package build

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"mcpworks/internal/bounded"
	"mcpworks/packs/contextengine/internal/cache"
)

// A scratch is the directory beside the output in which a cache is made
// (BUILD-11). It is locked for as long as its build lives, so that the next
// build to the same output can tell what a killed one left, and remove it.
type scratch struct {
	target    string
	path      string
	made      []string // parents of the target that were not there
	lock      *os.File
	documents *folder
}

// attempts is how often a build gives way to others that clean up, or replace
// what is there, in the same place at the same moment.
const attempts = 100

func newScratch(target string) (*scratch, error) {
	s := &scratch{target: target}
	var err error
	for range attempts {
		if err = s.try(); err == nil {
			return s, nil
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errTaken) {
			break
		}
		_ = s.lock.Close()
	}
	return nil, s.discard(ioError("make a directory for the cache: %w", err))
}

// try makes the directory. It fails with errTaken or fs.ErrNotExist if another
// build took it for a leftover before it was locked, or removed a parent again
// that it had made.
func (s *scratch) try() error {
	made, err := makeParents(filepath.Dir(s.target))
	s.made = append(s.made, made...)
	if err != nil {
		return err
	}
	sweep(s.target)
	path := scratchPrefix(s.target) + rand.Text()
	if err := os.Mkdir(path, 0o777); err != nil {
		return err
	}
	s.path = path
	if s.lock, err = lockDirectory(path); err != nil && !errors.Is(err, errNoLocks) {
		return err
	}
	if err := makeDocuments(path); err != nil {
		return err
	}
	s.documents, err = openFolder(filepath.Join(path, cache.DocumentsName))
	return err
}

// scratchPrefix is how the paths of all scratches of a target begin.
func scratchPrefix(target string) string {
	dir, name := filepath.Split(target)
	return dir + "." + shortened(name) + ".building-"
}

// shortened leaves room for more in a name.
func shortened(name string) string { return bounded.Bytes(name, 200, "") }

// randomName is what [rand.Text] returns.
var randomName = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// sweep removes what killed builds left beside the target. Whose build may
// still live stays, and so does what cannot be removed.
func sweep(target string) {
	dir, prefix := filepath.Split(scratchPrefix(target))
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		random, ok := strings.CutPrefix(entry.Name(), prefix)
		if !ok || !entry.IsDir() || !randomName.MatchString(random) {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if lock, err := lockDirectory(path); err == nil {
			_ = removeCache(path)
			_ = lock.Close()
		}
	}
}

// complete writes what belongs to the documents, and flushes all to disk.
func (s *scratch) complete(ctx context.Context, m *cache.Manifest) error {
	dir, err := openFolder(s.path)
	if err != nil {
		return ioError("open the new cache: %w", err)
	}
	defer dir.close()
	text := m.AppendManifest(make([]byte, 0, manifestSize(m)))
	if len(text) > cache.MaxManifest {
		return ioError("%d documents are more than a cache can hold: make several of them", len(m.Entries))
	}
	if err := dir.create(cache.ManifestName, text); err != nil {
		return ioError("write the manifest: %w", err)
	}
	if err := dir.create(cache.IndexName, m.AppendIndex(text[:0])); err != nil {
		return ioError("write the index: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.flush(); err != nil {
		return ioError("write the cache to disk: %w", err)
	}
	return ctx.Err()
}

// manifestSize is a little more than the length of a manifest, unless many ids
// need escapes.
func manifestSize(m *cache.Manifest) int {
	size := 512
	for i := range m.Entries {
		size += 200 + len(m.Entries[i].ID)
	}
	return size
}

func (s *scratch) close() {
	if s.documents != nil {
		s.documents.close()
	}
	_ = s.lock.Close()
}

// discard removes what a failed build has made, and returns why it failed.
func (s *scratch) discard(cause error) error {
	defer s.close()
	if s.path != "" {
		if err := removeCache(s.path); err != nil {
			cause = fmt.Errorf("%w; and %q could not be removed, do it yourself: %w", cause, s.path, err)
		}
	}
	removeParents(s.made)
	return cause
}

// removeOld ends a successful build: it removes the cache that was replaced, if
// any, and returns its path if that fails.
func (s *scratch) removeOld() (leftover string) {
	defer s.close()
	if err := removeCache(s.path); err != nil {
		return s.path
	}
	return ""
}
