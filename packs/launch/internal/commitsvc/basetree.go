package commitsvc

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/gitrepo"
)

// A baseTree is a commit behind a fence, as patches see it: all names, and the
// contents of the files that the patches are about. There is no worktree.
type baseTree struct {
	fence *fence.Fence
	names names
	files map[string]string
}

// readBase reads a commit. No file is read before the fence has seen its path.
func readBase(ctx context.Context, repo *gitrepo.Repo, sha string, allowed *fence.Fence, patches []artifact.Patch) (*baseTree, error) {
	paths, links, err := repo.Paths(ctx, sha)
	if err != nil {
		return nil, err
	}
	tree := &baseTree{fence: allowed.Around(links), names: namesOf(paths)}
	var wanted []string
	for _, p := range patches {
		if err := tree.Decide(p.Path); err != nil {
			return nil, err
		}
		wanted = append(wanted, p.Path)
	}
	slices.Sort(wanted)
	tree.files, err = repo.ReadFiles(ctx, sha, slices.Compact(wanted))
	return tree, err
}

func (t *baseTree) Decide(name string) error { return t.fence.Decide(t.names, name) }

func (t *baseTree) Read(name string, limit int64) ([]byte, error) {
	if err := t.Decide(name); err != nil {
		return nil, err
	}
	text, ok := t.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return []byte(text[:min(int64(len(text)), limit+1)]), nil
}

func (t *baseTree) Names(dir string) ([]string, error) {
	var list []string
	for name, isDir := range t.names[dir] {
		if !isDir && t.fence.Decide(nil, path.Join(dir, name)) == nil {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list, nil
}

// names are the names in each directory of a commit; the value says whether a
// name is that of a directory. Links and submodules count as files: the fence
// knows them.
type names map[string]map[string]bool

func namesOf(paths []string) names {
	n := names{}
	for _, file := range paths {
		isDir := false
		for at := file; at != "."; at = path.Dir(at) {
			dir := path.Dir(at)
			if n[dir] == nil {
				n[dir] = map[string]bool{}
			}
			n[dir][path.Base(at)] = isDir
			isDir = true
		}
	}
	return n
}

// Open is there to make names an fs.FS; only directories are ever read.
func (n names) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
}

// ReadDir lists a directory.
func (n names) ReadDir(dir string) ([]fs.DirEntry, error) {
	if n[dir] == nil {
		return nil, &fs.PathError{Op: "readdir", Path: dir, Err: fs.ErrNotExist}
	}
	var list []fs.DirEntry
	for name, isDir := range n[dir] {
		list = append(list, named{name, isDir})
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// named is one name in a directory.
type named struct {
	name  string
	isDir bool
}

func (n named) Name() string { return n.name }
func (n named) IsDir() bool  { return n.isDir }
func (n named) Type() fs.FileMode {
	if n.isDir {
		return fs.ModeDir
	}
	return 0
}
func (n named) Info() (fs.FileInfo, error) { return nil, fs.ErrInvalid }
