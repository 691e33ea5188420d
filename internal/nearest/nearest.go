// Package nearest answers "did you mean": which name was probably meant by one
// that does not exist.
package nearest

import (
	"strings"
)

// Name returns the name that was probably meant: the one it takes the fewest
// edits to get to, if they are few. Dashes in front and letter case are no
// difference.
func Name(given string, names []string) (string, bool) {
	given = plain(given)
	best, fewest := "", 1+max(1, min(2, len(given)/3))
	for _, name := range names {
		if edits := distance(given, plain(name)); edits < fewest {
			best, fewest = name, edits
		}
	}
	return best, best != ""
}

func plain(name string) string { return strings.ToLower(strings.TrimLeft(name, "-")) }

// distance is the number of bytes to insert, to delete, to replace or to swap
// with their neighbours, to make b of a.
func distance(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			replaced := row[j]
			if a[i] != b[j] {
				replaced++
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, replaced)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
