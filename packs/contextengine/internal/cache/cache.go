// Package cache is the cache directory: what its files say, how it is opened,
// and when it can be believed.
//
// Reading a cache never changes it, and never leaves it: whatever a manifest or
// a symbolic link says, no file outside the cache directory is opened.
package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"mcpworks/packs/contextengine/internal/document"
)

// What can be wrong with a cache. Errors of this package are one of these,
// wrapped with what was being done, or the error of a context.
var (
	ErrMissing = errors.New("cache does not exist")
	ErrInvalid = errors.New("cache is invalid")
	ErrIO      = errors.New("cannot be read")
)

const (
	ManifestName  = "manifest.json"
	IndexName     = "index.json"
	DocumentsName = "documents"
)

// The largest files that are read. A builder takes sources up to a sixth of
// MaxDocument, the most that a byte grows by being written as JSON.
const (
	MaxManifest = 1 << 28 // about a million documents
	MaxDocument = 3 << 29
)

// A Cache is an open cache directory whose manifest holds (LOAD-1 to LOAD-7).
// Its documents are read when they are asked for. It is safe for concurrent
// use.
type Cache struct {
	folder    *folder
	documents *os.Root // nil if there are none, or if they may not be listed
	manifest  *Manifest
	order     []int // in which documents are checked; nil for that of the manifest
}

// Open opens the cache at any path (CLI-8).
func Open(path string) (*Cache, error) {
	return openCurrent(func() (*folder, error) { return openFolder(path) }, func(*os.Root) error { return nil })
}

// attempts is how often a cache is opened, and read, that is replaced by another
// meanwhile.
const attempts = 16

// openCurrent opens the cache in a folder, and in another if that has its place
// by now.
func openCurrent(find func() (*folder, error), watch func(*os.Root) error) (*Cache, error) {
	for attempt := 1; ; attempt++ {
		folder, err := find()
		if err != nil {
			return nil, err
		}
		c := &Cache{folder: folder}
		if err = c.load(); err == nil {
			err = watch(c.documents)
		}
		if err == nil {
			return c, nil
		}
		replaced := folder.isReplaced() // before it is closed, and its number given to another
		c.Close()
		if !replaced || attempt == attempts {
			return nil, err
		}
	}
}

// load reads the manifest (LOAD-2 to LOAD-7).
func (c *Cache) load() error {
	text, err := c.folder.read(ManifestName, MaxManifest)
	if err != nil {
		return err
	}
	raw, err := readManifest(text)
	if err == nil {
		c.manifest, err = raw.check()
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrInvalid, ManifestName, err)
	}
	c.order = raw.order
	if len(c.manifest.Entries) > 0 {
		c.documents, err = c.folder.sub(DocumentsName)
	}
	return err
}

// Use opens a cache and hands it on. If that fails because the cache was
// replaced by another meanwhile, the other one is used.
func Use(open func() (*Cache, error), use func(*Cache) error) error {
	for attempt := 1; ; attempt++ {
		c, err := open()
		if err != nil {
			return err
		}
		err = use(c)
		replaced := err != nil && c.Replaced()
		c.Close()
		if !replaced || attempt == attempts {
			return err
		}
	}
}

// Close releases the directory.
func (c *Cache) Close() {
	if c.documents != nil {
		_ = c.documents.Close()
	}
	c.folder.close()
}

// Manifest returns what the cache says of itself; it is not to be changed.
func (c *Cache) Manifest() *Manifest { return c.manifest }

// Path returns the directory's path without symbolic links, as it was when the
// cache was opened.
func (c *Cache) Path() string { return c.folder.path }

// IsCurrent says whether the cache's path, and that of its documents, still lead
// to the directories that were opened.
func (c *Cache) IsCurrent() bool {
	if c.folder.isReplaced() {
		return false
	}
	if c.documents == nil {
		return true
	}
	opened, err := c.documents.Stat(".")
	now, gone := os.Stat(filepath.Join(c.folder.path, DocumentsName))
	return err == nil && gone == nil && os.SameFile(opened, now)
}

// Replaced says whether another directory, or none, now has the cache's path.
func (c *Cache) Replaced() bool { return c.folder.isReplaced() }

// IsPlain says whether the cache consists of files and directories only. In one
// that has symbolic links, a file can change without its directory seeing it.
func (c *Cache) IsPlain() (bool, error) {
	if c.folder.root == nil {
		return false, nil
	}
	for _, name := range []string{ManifestName, DocumentsName} {
		info, err := c.folder.root.Lstat(name)
		if err == nil && info.Mode().Type()&^fs.ModeDir != 0 {
			return false, nil
		}
	}
	entries, err := c.listDocuments()
	if err != nil {
		return false, err
	}
	for _, entry := range entries {
		if !entry.Type().IsRegular() {
			return false, nil
		}
	}
	return true, nil
}

// listDocuments returns what is in the directory of the documents.
func (c *Cache) listDocuments() ([]fs.DirEntry, error) {
	if c.documents == nil {
		return nil, fmt.Errorf("%w: %s may not be listed", ErrIO, DocumentsName)
	}
	entries, err := fs.ReadDir(c.documents.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrIO, err)
	}
	return entries, nil
}

// Document reads and checks the document of an entry (LOAD-8, LOAD-9).
func (c *Cache) Document(i int) (document.Document, error) {
	var r reader
	return r.read(c, i)
}

// A reader reads one document after the other, in the same memory.
type reader struct{ buffer []byte }

func (r *reader) read(c *Cache, i int) (document.Document, error) {
	entry := &c.manifest.Entries[i]
	name := entry.Version.FileName()
	file, err := c.openDocument(name)
	if err != nil {
		return document.Document{}, err
	}
	text, err := readFile(file, name, MaxDocument, r.buffer)
	if err != nil {
		return document.Document{}, err
	}
	r.buffer = text[:0]
	d, err := document.Parse(text)
	switch {
	case err != nil:
	case d.ID != entry.ID:
		err = fmt.Errorf("holds the document %q", d.ID)
	case d.Version != entry.Version:
		err = errors.New("holds another version than the manifest names")
	case document.VersionOf([]byte(d.Content)) != entry.Version:
		err = errors.New("its content was changed")
	default:
		return d, nil
	}
	return document.Document{}, fmt.Errorf("%w: %s of %q: %w", ErrInvalid, filepath.Join(DocumentsName, name), entry.ID, err)
}

// openDocument opens a file of the documents directory, or what a link there
// leads to inside the cache.
func (c *Cache) openDocument(name string) (*os.File, error) {
	if c.documents != nil {
		if file, err := openFile(c.documents, name); err == nil {
			return file, nil
		}
	}
	return c.folder.open(filepath.Join(DocumentsName, name))
}
