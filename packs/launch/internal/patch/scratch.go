package patch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
)

// A scratch is the state of a tree in memory while a bundle is applied to it.
// Files are read when they are first needed.
type scratch struct {
	tree          Tree
	before, after map[string]*string // nil is a file that does not exist
}

func newScratch(tree Tree) *scratch {
	return &scratch{tree, map[string]*string{}, map[string]*string{}}
}

// read returns a file as it is by now.
func (s *scratch) read(path string) (text string, exists bool, err error) {
	if _, known := s.after[path]; !known {
		if err := s.load(path); err != nil {
			return "", false, err
		}
	}
	if now := s.after[path]; now != nil {
		return *now, true, nil
	}
	return "", false, nil
}

func (s *scratch) load(path string) error {
	content, err := s.tree.Read(path, MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		s.before[path], s.after[path] = nil, nil
		return nil
	}
	if err != nil {
		return err
	}
	text := string(content)
	s.before[path], s.after[path] = &text, &text
	return nil
}

func (s *scratch) set(path, text string) { s.after[path] = &text }
func (s *scratch) remove(path string)    { s.after[path] = nil }

// changes lists the files that differ from the tree, sorted by path.
func (s *scratch) changes() []Change {
	var list []Change
	for _, path := range slices.Sorted(maps.Keys(s.after)) {
		before, after := s.before[path], s.after[path]
		if before == after || before != nil && after != nil && *before == *after {
			continue
		}
		list = append(list, Change{path, bytesOf(before), bytesOf(after)})
	}
	return list
}

func bytesOf(text *string) []byte {
	if text == nil {
		return nil
	}
	return []byte(*text)
}

// hash is the hash of all files that a bundle names, as they are by now: equal
// hashes mean that nothing is left to do.
func (s *scratch) hash(patches []artifact.Patch) (string, error) {
	paths := map[string]bool{}
	for _, p := range patches {
		paths[p.Path] = true
	}
	sum := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		text, exists, err := s.read(path)
		if err != nil {
			return "", err
		}
		state := "absent"
		if exists {
			state = Hash(text)
		}
		fmt.Fprintf(sum, "%s|%s\n", path, state)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
