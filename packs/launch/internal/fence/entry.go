package fence

import (
	"fmt"
	"slices"
	"strings"
)

// An EntryError says why an entry of allowed_paths is not valid.
type EntryError struct {
	Entry  string
	Reason string
}

func (e *EntryError) Error() string { return fmt.Sprintf("allowed path %q: %s", e.Entry, e.Reason) }

// maxEntry is far longer than any path that Git hosts take.
const maxEntry = 1024

// An entry is one of allowed_paths.
type entry struct {
	text     string
	segments []string // "**" stands for any number of segments
	below    bool     // a directory: only what is below it
}

// parseEntry reads "dir/" and "dir/**" as everything below dir, "a/b.md" as that
// file, or everything below it if it is a directory.
func parseEntry(text string) (entry, error) {
	body, below := strings.CutSuffix(text, "/")
	for cut := true; cut; {
		if body, cut = strings.CutSuffix(body, "/**"); cut {
			below = true
		}
	}
	e := entry{text, strings.Split(body, "/"), below}
	return e, e.fault(body)
}

func (e entry) fault(body string) error {
	fault := func(reason string) error { return &EntryError{e.text, reason} }
	switch {
	case e.text == "":
		return fault("it is empty")
	case len(e.text) > maxEntry:
		return fault("it is too long")
	case e.text == "/" || e.text == "." || !slices.ContainsFunc(e.segments, func(s string) bool { return strings.Trim(s, "*") != "" }):
		return fault("it is the whole site")
	}
	for _, segment := range e.segments {
		if strings.Contains(segment, "**") && segment != "**" {
			return fault("** has to be a segment of its own")
		}
		if strings.EqualFold(segment, gitDir) {
			return fault("no run may write there")
		}
	}
	if refusal, bad := Refused(judgeName(strings.ReplaceAll(body, "*", "x"))); bad {
		return fault("it " + refusal.Reason)
	}
	return nil
}

// literal says that the entry names one file in full.
func (e entry) literal() bool { return !e.below && !strings.Contains(e.text, "*") }

// allows says whether a clean path is the entry's file or below its directory.
func (e entry) allows(name string) bool {
	segments := strings.Split(name, "/")
	if e.below {
		return matchSegments(append(slices.Clone(e.segments), "*", "**"), segments)
	}
	return matchSegments(append(slices.Clone(e.segments), "**"), segments)
}

// reaches says whether something below a directory could be allowed.
func (e entry) reaches(dir []string) bool {
	for i, segment := range e.segments {
		if segment == "**" || i == len(dir) {
			return true
		}
		if !matchWithin(segment, dir[i]) {
			return false
		}
	}
	return true
}

// matchSegments matches whole paths; ** is any number of segments, none too.
// Only the last ** that was met ever has to take more, so the work is bounded by
// the product of both lengths.
func matchSegments(pattern, segments []string) bool {
	return match(pattern, segments, func(p string) bool { return p == "**" }, matchWithin)
}

// matchWithin matches one segment; * is any number of characters, none too.
func matchWithin(pattern, segment string) bool {
	return match([]byte(pattern), []byte(segment), func(p byte) bool { return p == '*' }, func(p, c byte) bool { return p == c })
}

func match[T any](pattern, given []T, star func(T) bool, same func(pattern, given T) bool) bool {
	p, g := 0, 0
	retry, taken := -1, 0
	for g < len(given) {
		switch {
		case p < len(pattern) && star(pattern[p]):
			retry, taken = p, g
			p++
		case p < len(pattern) && same(pattern[p], given[g]):
			p++
			g++
		case retry >= 0:
			taken++
			p, g = retry+1, taken
		default:
			return false
		}
	}
	for p < len(pattern) && star(pattern[p]) {
		p++
	}
	return p == len(pattern)
}
