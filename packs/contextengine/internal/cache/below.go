package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// OpenBelow opens a cache that a client names, which lies below the cache root
// or does not exist as far as the client can tell (SEC-1 to SEC-6).
func OpenBelow(root, name string) (*Cache, error) {
	return OpenWatched(root, name, func(*os.Root) error { return nil })
}

// OpenWatched is OpenBelow that shows the directories of the cache to watch, the
// one itself before its manifest is read and that of the documents before any
// document is. It is nil for one that may not be listed.
func OpenWatched(root, name string, watch func(directory *os.Root) error) (*Cache, error) {
	return openCurrent(func() (*folder, error) {
		folder, err := openFolderBelow(root, name)
		if err != nil {
			return nil, err
		}
		if err := watch(folder.root); err != nil {
			folder.close()
			return nil, err
		}
		return folder, nil
	}, watch)
}

// Locate returns the canonical path of the directory that a client names.
func Locate(root, name string) (string, error) {
	_, within, err := locate(root, name)
	return within, err
}

// openFolderBelow opens the directory from the root down, so that a link which
// is put in the way after the check cannot lead out.
func openFolderBelow(root, name string) (*folder, error) {
	above, path, err := locate(root, name)
	if err != nil {
		return nil, err
	}
	opened, err := openFrom(above, path)
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		return nil, missing(err)
	}
	f, err := newFolder(opened, path)
	if err != nil {
		return nil, missing(err)
	}
	return f, nil
}

func openFrom(above, path string) (*os.Root, error) {
	top, err := os.OpenRoot(above)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	within, err := filepath.Rel(above, path)
	if err != nil {
		return nil, err
	}
	return top.OpenRoot(within)
}

// locate returns the canonical paths of the root and of the cache.
func locate(root, name string) (above, path string, err error) {
	if strings.Contains(name, "..") || strings.HasPrefix(name, "/") || strings.HasPrefix(name, `\`) {
		return "", "", absent(errors.New("the name could lead out of the cache root")) // SEC-1
	}
	if above, err = canonical(root); err != nil {
		return "", "", absent(err)
	}
	if path, err = follow(above + string(filepath.Separator) + name); err != nil {
		return "", "", absent(err)
	}
	within, err := filepath.Rel(above, path)
	if err == nil && !filepath.IsLocal(within) {
		err = errors.New("the name leads out of the cache root") // SEC-3
	}
	if err == nil {
		err = isDirectory(path)
	}
	if err != nil {
		return "", "", absent(err)
	}
	return above, path, nil
}

// absent is the only thing a client learns of a directory that it cannot have.
func absent(err error) error { return fmt.Errorf("%w: %w", ErrMissing, err) }
