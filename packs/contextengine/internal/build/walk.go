package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/document"
)

// A source is a file that becomes a document. Its version is not known before
// it has been read.
type source struct {
	cache.Entry
	path string // below the root, with slashes (DOC-4)
}

// findSources returns the directory of sources without symbolic links
// (BUILD-1).
func findSources(path string) (string, error) {
	root, err := filepath.EvalSymlinks(path)
	if err == nil {
		root, err = filepath.Abs(root)
	}
	if err == nil {
		root, err = filepath.EvalSymlinks(root) // the working directory may have been reached by one
	}
	if err != nil || path == "" {
		return "", ioError("no sources at %q: name a directory of Markdown files: %w", path, cmp.Or(err, fs.ErrNotExist))
	}
	switch info, err := os.Stat(root); {
	case err != nil:
		return "", ioError("look at the sources: %w", err)
	case !info.IsDir():
		return "", ioError("the sources at %q are not a directory: name the directory that holds them", path)
	}
	return root, nil
}

// walk finds the sources below root, in byte order of id. No two of them have
// the same id (BUILD-6).
func walk(ctx context.Context, root string) ([]source, error) {
	var found []source
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist) && path != root:
			return fs.SkipDir // gone since its parent was read: another build's, for one
		case err != nil:
			return ioError("read the sources: %w", err)
		case !isMarkdown(entry.Name()):
			return nil
		}
		ok, err := isFile(path, entry)
		if !ok || err != nil {
			return err
		}
		s, err := newSource(root, path)
		found = append(found, s)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b source) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(a.path, b.path))
	})
	return found, findDuplicate(found)
}

// isMarkdown tells by the name (BUILD-2).
func isMarkdown(name string) bool {
	return strings.HasSuffix(name, ".md") && len(name) > len(".md")
}

// isFile says whether an entry is a regular file or a symbolic link to one
// (BUILD-3).
func isFile(path string, entry fs.DirEntry) (bool, error) {
	if entry.Type()&fs.ModeSymlink == 0 {
		return entry.Type().IsRegular(), nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil:
		return info.Mode().IsRegular(), nil
	case isBroken(err):
		return false, nil
	}
	return false, ioError("follow a link among the sources: %w", err)
}

// isBroken says whether a link leads nowhere, as opposed to where it may not be
// followed.
func isBroken(err error) bool {
	for _, broken := range []error{fs.ErrNotExist, syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG} {
		if errors.Is(err, broken) {
			return true
		}
	}
	return false
}

func newSource(root, path string) (source, error) {
	below, err := filepath.Rel(root, path)
	if err != nil {
		return source{}, fmt.Errorf("the source %q is outside of %q", path, root) // DOC-6
	}
	s := source{path: filepath.ToSlash(below)}
	if s.ID, err = document.ID(s.path); err != nil {
		return source{}, fmt.Errorf("the source %q: %w: rename it, or the directory it is in", s.path, err) // DOC-7
	}
	return s, nil
}

// findDuplicate reports the first id that two sources have.
func findDuplicate(sorted []source) error {
	for i := 1; i < len(sorted); i++ {
		if a, b := &sorted[i-1], &sorted[i]; a.ID == b.ID {
			return invalidError("the sources %q and %q have the same id %q: rename one of them", a.path, b.path, a.ID)
		}
	}
	return nil
}
