package patch

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"mcpworks/packs/launch/internal/artifact"
)

// collisions are patches whose file cannot stand beside that of another patch:
// their paths differ by letter case alone, in a directory too, or one needs a
// directory where the other is a file.
func (s *scratch) collisions(patches []artifact.Patch) []artifact.PatchConflict {
	files, dirs := map[string]string{}, map[string]string{} // folded paths, and the files that they are of
	spelled := map[string]string{}                          // directories, by their folded paths
	clashing := map[string]string{}
	for _, file := range slices.Sorted(maps.Keys(s.after)) {
		if s.after[file] == nil {
			continue
		}
		folded := foldCase(file)
		other, taken := files[folded]
		if !taken {
			other, taken = dirs[folded]
		}
		files[folded] = file
		for end := strings.LastIndexByte(file, '/'); end >= 0; end = strings.LastIndexByte(file[:end], '/') {
			dir := foldCase(file[:end])
			if at, isFile := files[dir]; isFile {
				other, taken = at, true
			}
			if _, known := dirs[dir]; !known {
				dirs[dir], spelled[dir] = file, file[:end]
			} else if spelled[dir] != file[:end] {
				other, taken = dirs[dir], true
			}
		}
		if taken {
			clashing[file] = other
		}
	}
	var conflicts []artifact.PatchConflict
	for _, p := range patches {
		if other, clashes := clashing[p.Path]; clashes {
			conflict, _ := conflictOf(p, &clash{PathCollision, "a path of its own", other})
			conflicts = append(conflicts, conflict)
		}
	}
	return conflicts
}

// foldCase makes paths equal that differ by letter case alone.
func foldCase(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, name)
}
