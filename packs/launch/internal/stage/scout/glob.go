package scout

import (
	"path"
	"slices"
	"strings"
)

// matchesAny says whether a path, or a folder above it, matches one of the
// patterns. A star stands for anything within a segment, two for any segments;
// a pattern without a slash matches at any depth.
func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		pattern = strings.Trim(strings.TrimPrefix(pattern, "./"), "/")
		if pattern == "" {
			return false
		}
		want := strings.Split(pattern, "/")
		if len(want) == 1 {
			want = []string{"**", pattern}
		}
		return matchSegments(want, strings.Split(name, "/"))
	})
}

// matchSegments says whether the pattern matches the path or its beginning.
func matchSegments(pattern, segments []string) bool {
	switch {
	case len(pattern) == 0:
		return true
	case pattern[0] == "**":
		for skip := range len(segments) + 1 {
			if matchSegments(pattern[1:], segments[skip:]) {
				return true
			}
		}
		return false
	case len(segments) == 0:
		return false
	}
	ok, err := path.Match(pattern[0], segments[0])
	return ok && err == nil && matchSegments(pattern[1:], segments[1:])
}

// below says whether a path is in one of the folders; "." is all of it.
func below(dirs []string, name string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool {
		dir = path.Clean(strings.Trim(dir, "/"))
		return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
	})
}
