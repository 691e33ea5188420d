package bounded

import "unicode/utf8"

// Bytes returns s unchanged when it has at most max bytes. Otherwise it cuts s
// at the last character boundary at or before byte max and appends suffix,
// which does not count towards max. Valid text stays valid.
func Bytes(s string, max int, suffix string) string {
	if len(s) <= max {
		return s
	}
	return s[:boundary(s, max)] + suffix
}

// boundary returns the last index at or before max where a character of s
// starts. Bytes that belong to no character are boundaries themselves.
func boundary(s string, max int) int {
	if max <= 0 {
		return 0
	}
	for i := max; i >= 0 && i > max-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			return i
		}
	}
	return max
}

// Runes returns the first max scalars of s, or all of s when it has fewer. An
// invalid byte counts as one.
func Runes(s string, max int) string {
	if len(s) <= max {
		return s
	}
	for i := range s {
		if max <= 0 {
			return s[:i]
		}
		max--
	}
	return s
}
