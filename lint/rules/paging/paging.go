// Package paging has the rules about lists that come in pages: PAGE-001 and so
// on. Each has a file of its own; this one lists them.
package paging

import "mcpworks/lint"

// Rules are all of them, by their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{&cursorType, &terminates, &badCursor, &noOverlap, &stableCursor, &emptyPage}
}
