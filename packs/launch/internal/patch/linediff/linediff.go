// Package linediff compares texts by lines and writes the difference as git
// does, so that git can apply it.
package linediff

import (
	"fmt"
	"slices"
	"strings"
)

// A Hunk says that lines [A0,A1) of one text stand for lines [B0,B1) of another.
type Hunk struct{ A0, A1, B0, B1 int }

// maxEdits bounds the search for the shortest difference. Texts that are further
// apart are compared coarsely: correct, but not the shortest.
const maxEdits = 1000

// Compare returns what differs between two texts, in order. Equal texts have no
// hunks.
func Compare(a, b []string) []Hunk {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	endA, endB := len(a), len(b)
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA--
		endB--
	}
	if start == endA && start == endB {
		return nil
	}
	kept, found := shortest(a[start:endA], b[start:endB])
	if !found {
		return []Hunk{{start, endA, start, endB}}
	}
	return between(kept, start, endA, endB)
}

// between turns pairs of kept lines into the hunks around them.
func between(kept [][2]int, start, endA, endB int) []Hunk {
	var hunks []Hunk
	a, b := start, start
	for _, pair := range append(kept, [2]int{endA - start, endB - start}) {
		if x, y := pair[0]+start, pair[1]+start; a < x || b < y {
			hunks = append(hunks, Hunk{a, x, b, y})
		}
		a, b = pair[0]+start+1, pair[1]+start+1
	}
	return hunks
}

// shortest finds a longest common sequence of lines by the greedy method of
// Myers: for each number of edits, the furthest that each diagonal leads.
func shortest(a, b []string) (kept [][2]int, found bool) {
	limit := min(len(a)+len(b), maxEdits)
	reach := make([]int, 2*limit+3)
	middle := limit + 1
	var trail [][]int
	for edits := 0; edits <= limit; edits++ {
		trail = append(trail, slices.Clone(reach[middle-edits:middle+edits+1]))
		for k := -edits; k <= edits; k += 2 {
			x := next(reach, middle, k, edits)
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			reach[middle+k] = x
			if x >= len(a) && x-k >= len(b) {
				return retrace(trail, len(a), len(b)), true
			}
		}
	}
	return nil, false
}

// next is where diagonal k starts with one more edit: a line of b added, or one
// of a removed.
func next(reach []int, middle, k, edits int) int {
	if k == -edits || k != edits && reach[middle+k-1] < reach[middle+k+1] {
		return reach[middle+k+1]
	}
	return reach[middle+k-1] + 1
}

// retrace follows the trail back and collects the lines that were kept.
func retrace(trail [][]int, x, y int) [][2]int {
	var kept [][2]int
	for edits := len(trail) - 1; edits >= 0; edits-- {
		k := x - y
		before := trail[edits]
		at := func(diagonal int) int { return before[diagonal+edits] }
		from := k - 1
		if k == -edits || k != edits && at(k-1) < at(k+1) {
			from = k + 1
		}
		fromX, fromY := 0, 0
		if edits > 0 {
			fromX = at(from)
			fromY = fromX - from
		}
		for x > fromX && y > fromY {
			x--
			y--
			kept = append(kept, [2]int{x, y})
		}
		x, y = fromX, fromY
	}
	slices.Reverse(kept)
	return kept
}

// context is how many equal lines stand around a change.
const context = 3

// Unified writes the difference of a file in git's format. A nil text is a file
// that does not exist; equal texts give nothing.
func Unified(path string, before, after []byte) string {
	if before == nil && after == nil || before != nil && after != nil && string(before) == string(after) {
		return ""
	}
	var text strings.Builder
	from, to := quote("a/"+path), quote("b/"+path)
	fmt.Fprintf(&text, "diff --git %s %s\n", from, to)
	switch {
	case before == nil:
		text.WriteString("new file mode 100644\n")
		from = "/dev/null"
	case after == nil:
		text.WriteString("deleted file mode 100644\n")
		to = "/dev/null"
	}
	a, b := Lines(string(before)), Lines(string(after))
	if hunks := Compare(a, b); len(hunks) > 0 {
		fmt.Fprintf(&text, "--- %s\n+++ %s\n", from, to)
		for _, group := range groups(hunks) {
			writeGroup(&text, group, a, b)
		}
	}
	return text.String()
}

// Lines splits a text into lines that keep their ends.
func Lines(text string) []string { return slices.Collect(strings.Lines(text)) }

// groups puts hunks together whose contexts touch.
func groups(hunks []Hunk) [][]Hunk {
	var all [][]Hunk
	for i, h := range hunks {
		if i > 0 && h.A0-hunks[i-1].A1 <= 2*context {
			all[len(all)-1] = append(all[len(all)-1], h)
			continue
		}
		all = append(all, []Hunk{h})
	}
	return all
}

func writeGroup(text *strings.Builder, group []Hunk, a, b []string) {
	first, last := group[0], group[len(group)-1]
	lead := min(context, first.A0)
	tail := min(context, len(a)-last.A1)
	fmt.Fprintf(text, "@@ -%s +%s @@\n", span(first.A0-lead, last.A1+tail), span(first.B0-lead, last.B1+tail))
	at := first.A0 - lead
	for _, h := range group {
		writeLines(text, ' ', a[at:h.A0])
		writeLines(text, '-', a[h.A0:h.A1])
		writeLines(text, '+', b[h.B0:h.B1])
		at = h.A1
	}
	writeLines(text, ' ', a[at:at+tail])
}

func writeLines(text *strings.Builder, mark byte, lines []string) {
	for _, line := range lines {
		text.WriteByte(mark)
		text.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			text.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// span is a range of lines as a header names it: counted from 1, and an empty one
// by the line before it.
func span(start, end int) string {
	switch end - start {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	}
	return fmt.Sprintf("%d,%d", start+1, end-start)
}

// quote writes a path as git does if it has other than printable ASCII
// characters.
func quote(path string) string {
	if !strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) {
		return path
	}
	var text strings.Builder
	text.WriteByte('"')
	for _, c := range []byte(path) {
		switch {
		case c == '"' || c == '\\':
			text.WriteByte('\\')
			text.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&text, "\\%03o", c)
		default:
			text.WriteByte(c)
		}
	}
	text.WriteByte('"')
	return text.String()
}
