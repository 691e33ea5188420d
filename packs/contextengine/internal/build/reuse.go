package build

import (
	"bytes"
	"fmt"
	"path/filepath"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/document"
)

// A base is an older cache to take documents from. A nil one has none.
type base struct {
	versions  map[string]document.Version // by id
	documents *folder
}

// openBase opens the cache at path. An empty path is no base.
func openBase(path string) (*base, error) {
	if path == "" {
		return nil, nil
	}
	c, err := cache.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the base %q: %w", path, err)
	}
	defer c.Close()
	b := &base{versions: make(map[string]document.Version, len(c.Manifest().Entries))}
	if len(c.Manifest().Entries) == 0 {
		return b, nil
	}
	if b.documents, err = openFolder(filepath.Join(path, cache.DocumentsName)); err != nil {
		return nil, ioError("open the base %q: %w", path, err)
	}
	for _, entry := range c.Manifest().Entries {
		b.versions[entry.ID] = entry.Version
	}
	return b, nil
}

func (b *base) close() {
	if b != nil && b.documents != nil {
		b.documents.close()
	}
}

// has says whether the base has a document in the same version.
func (b *base) has(entry *cache.Entry) bool {
	if b == nil {
		return false
	}
	version, ok := b.versions[entry.ID]
	return ok && version == entry.Version
}

// reuse links a document file of the base into the new cache if it is just what
// would be written. It is looked at where it is linked to, where nobody can put
// another in its place. False means that it is to be written, for whatever
// reason.
func (in *ingestion) reuse(w *worker, name string) bool {
	if in.to.link(in.base.documents, name) != nil {
		return false
	}
	if in.isAsWritten(w, name) {
		return true
	}
	_ = in.to.remove(name) // if that fails, writing will
	return false
}

func (in *ingestion) isAsWritten(w *worker, name string) bool {
	file, err := in.to.open(name, false)
	if err != nil {
		return false
	}
	defer file.close()
	if !file.isOurs(in.to) || file.size != int64(len(w.text)) {
		return false
	}
	w.old, err = file.read(w.old, file.size)
	return err == nil && bytes.Equal(w.old, w.text)
}
