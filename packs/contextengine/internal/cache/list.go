package cache

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"mcpworks/internal/rawjson"
)

// Listed is a directory that may be a cache.
type Listed struct {
	Path        string // its name, relative to the root
	HasManifest bool
}

// List returns the directories of a cache root in byte order (LIST-1 to LIST-6).
func List(root string) ([]Listed, error) {
	path, err := canonical(root)
	if err != nil {
		return nil, absent(err)
	}
	if err := isDirectory(path); err != nil {
		return nil, absent(err)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrIO, err)
	}
	list := make([]Listed, 0, len(entries))
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		info, err := os.Lstat(filepath.Join(path, entry.Name(), ManifestName))
		if err != nil && !isAbsent(err) {
			return nil, fmt.Errorf("%w: %w", ErrIO, err)
		}
		list = append(list, Listed{entry.Name(), err == nil && info.Mode().IsRegular()})
	}
	slices.SortFunc(list, func(a, b Listed) int { return cmp.Compare(a.Path, b.Path) })
	return list, nil
}

// AppendList appends {"caches":[…]} (LIST-4).
func AppendList(dst []byte, list []Listed) []byte {
	dst = append(dst, `{"caches":[`...)
	for i, listed := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		o := rawjson.Begin(dst)
		o.String("path", listed.Path)
		o.Bool("has_manifest", listed.HasManifest)
		dst = o.End()
	}
	return append(dst, "]}"...)
}

var errTooManyBytes = errors.New("the sizes of files add up to more than can be said")

// addSize adds what a file system says, which can be anything.
func addSize(total, size int64) (int64, error) {
	if size < 0 || size > math.MaxInt64-total {
		return 0, errTooManyBytes
	}
	return total + size, nil
}

// regularBytes sums the sizes of the regular files directly inside a folder
// (INS-5).
func (f *folder) regularBytes() (int64, error) {
	if f.root == nil {
		return 0, fs.ErrPermission
	}
	entries, err := fs.ReadDir(f.root.FS(), ".")
	var total int64
	for _, entry := range entries {
		if err != nil {
			break
		}
		if !entry.Type().IsRegular() {
			continue
		}
		var info fs.FileInfo
		if info, err = entry.Info(); err == nil {
			total, err = addSize(total, info.Size())
		}
	}
	return total, err
}
