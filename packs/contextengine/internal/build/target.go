package build

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"mcpworks/packs/contextengine/internal/cache"
)

// findTarget returns where the cache is to be, as an absolute path. What is
// there may be replaced, as far as that can be known before the build.
func findTarget(output string, force bool, root string) (string, error) {
	if output == "" {
		return "", ioError("no output path: name a directory for the cache")
	}
	path, err := filepath.Abs(output)
	if err != nil {
		return "", ioError("find the output: %w", err)
	}
	switch _, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return path, nil
	case err != nil:
		return "", ioError("look at the output: %w", err)
	case !force:
		return "", existsError(path)
	}
	// Of a link, the directory that it leads to is replaced.
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", ioError("follow the output %q: %w", output, err)
	}
	if within(root, path) {
		return "", ioError("the sources %q are inside of the output %q, which would be replaced: name another output", root, path)
	}
	if err := checkReplaceable(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return path, nil
}

func existsError(path string) error {
	return ioError("%q exists already: name another output, or replace it with --force", path) // BUILD-9
}

// within says whether path is dir or is below it; both are absolute.
func within(path, dir string) bool {
	below, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(below)
}

// checkReplaceable returns an error unless a cache is at path, even a damaged
// one, or an empty directory, and nothing else: nobody shall lose anything by a
// wrong output path.
func checkReplaceable(path string) error {
	info, err := os.Lstat(path)
	if err == nil && !info.IsDir() {
		return ioError("%q is not a directory, and is not replaced: name another output, or remove it yourself", path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return ioError("look at the output: %w", err)
	}
	isOurs, hasDocuments := isManifest(filepath.Join(path, cache.ManifestName)), false
	for _, entry := range entries {
		switch name := entry.Name(); {
		case name == ".DS_Store": // nobody put it there
		case name == cache.DocumentsName:
			if hasDocuments = true; isOurs {
				continue
			}
			if err := checkDocuments(filepath.Join(path, name)); err != nil {
				return err
			}
		case name != cache.ManifestName && name != cache.IndexName, entry.IsDir():
			return notCacheError(path, name)
		}
	}
	if len(entries) > 0 && !isOurs && !hasDocuments {
		return notCacheError(path, entries[0].Name())
	}
	return nil
}

// isManifest says whether the file begins as the manifest of a cache does.
// Other things have a manifest.json too.
func isManifest(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, 4096))
	return err == nil && bytes.Contains(head, []byte(`"cache_version"`))
}

var documentFile = regexp.MustCompile(`^[0-9a-f]{12}\.json$`)

func checkDocuments(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return ioError("look at the output: %w", err)
	}
	for _, entry := range entries {
		if !documentFile.MatchString(entry.Name()) {
			return notCacheError(filepath.Dir(path), cache.DocumentsName+"/"+entry.Name())
		}
	}
	return nil
}

func notCacheError(path, name string) error {
	return ioError("%q is not a cache, for it holds %q, and is not replaced: name another output, or remove it yourself", path, name)
}

// makeParents makes dir and what is missing above it (BUILD-10), and returns
// what it has made, deepest last.
func makeParents(dir string) (made []string, err error) {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil, nil
	}
	if above := filepath.Dir(dir); above != dir {
		if made, err = makeParents(above); err != nil {
			return made, err
		}
	}
	err = os.Mkdir(dir, 0o777)
	switch {
	case err == nil:
		return append(made, dir), nil
	case errors.Is(err, fs.ErrExist):
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return made, nil // another build was faster
		}
	}
	return made, err
}

// removeParents removes what makeParents has made, unless it is in use by now.
func removeParents(made []string) {
	for i := len(made) - 1; i >= 0; i-- {
		_ = os.Remove(made[i])
	}
}
