package main

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mcpworks/internal/rawjson"
)

// A match is a value that is expected at a place of a result.
type match struct {
	path  string
	steps []step
	value string
}

// A step goes to a member or, without a name, to an element.
type step struct {
	name  string
	index int // -1 for a member
}

// parseMatch reads PATH=VALUE.
func parseMatch(text string) (match, error) {
	var m match
	rest := strings.TrimPrefix(strings.TrimPrefix(text, "$"), ".")
	for first := true; ; first = false {
		var s step
		switch {
		case strings.HasPrefix(rest, "="):
			if first {
				return m, errors.New("must be PATH=VALUE, and has no path")
			}
			m.path, m.value = text[:len(text)-len(rest)], rest[1:]
			return m, nil
		case rest == "":
			return m, errors.New("must be PATH=VALUE, and has no value")
		case rest[0] == '[':
			end, at, err := bracket(rest)
			if err != nil {
				return m, err
			}
			s, rest = at, rest[end:]
		default:
			if !first {
				if rest[0] != '.' {
					return m, errors.New("must be PATH=VALUE, where a path is like content[0].text")
				}
				rest = rest[1:]
			}
			end := strings.IndexAny(rest, ".[=")
			if end < 0 {
				return m, errors.New("must be PATH=VALUE, and has no value")
			}
			if end == 0 {
				return m, errors.New("has a path with an empty name")
			}
			s, rest = step{rest[:end], -1}, rest[end:]
		}
		m.steps = append(m.steps, s)
	}
}

// bracket reads [n] or ["name"].
func bracket(text string) (end int, s step, err error) {
	if strings.HasPrefix(text, `["`) {
		quoted, err := strconv.QuotedPrefix(text[1:])
		if err == nil && strings.HasPrefix(text[1+len(quoted):], "]") {
			name, err := strconv.Unquote(quoted)
			return len(quoted) + 2, step{name, -1}, err
		}
		return 0, s, errors.New("has a name in brackets that does not end")
	}
	inside, _, ok := strings.Cut(text[1:], "]")
	n, err := strconv.ParseUint(inside, 10, 31)
	if !ok || err != nil {
		return 0, s, errors.New("has brackets that hold neither a number nor a name in quotes")
	}
	return len(inside) + 2, step{index: int(n)}, nil
}

// check says what is different about a result.
func (m match) check(result []byte) error {
	value := result
	for _, s := range m.steps {
		value = s.in(value)
	}
	if value == nil {
		return fmt.Errorf("expected %s to be %q, and the result has no such member", m.path, m.value)
	}
	if s, ok := rawjson.String(value); ok && s == m.value {
		return nil
	}
	if want := []byte(m.value); rawjson.Check(want, rawjson.Limits{Depth: maxNesting}) == nil && sameJSON(want, value) {
		return nil
	}
	return fmt.Errorf("expected %s to be %.200q, and it is %.200s", m.path, m.value, rawjson.Compact(nil, value))
}

func (s step) in(value []byte) []byte {
	if s.index < 0 {
		return rawjson.Member(value, s.name)
	}
	i := 0
	for element := range rawjson.Elements(value) {
		if i == s.index {
			return element
		}
		i++
	}
	return nil
}

// sameJSON says whether two texts are the same value. Numbers are compared as
// such, the order of members does not count.
func sameJSON(a, b []byte) bool {
	kind := rawjson.KindOf(a)
	if kind != rawjson.KindOf(b) {
		return false
	}
	switch kind {
	case rawjson.Number:
		x, _ := strconv.ParseFloat(string(bytes.TrimSpace(a)), 64)
		y, _ := strconv.ParseFloat(string(bytes.TrimSpace(b)), 64)
		return x == y
	case rawjson.StringKind:
		x, _ := rawjson.String(bytes.TrimSpace(a))
		y, _ := rawjson.String(bytes.TrimSpace(b))
		return x == y
	case rawjson.Array:
		return sameArray(a, b)
	case rawjson.Object:
		return sameObject(a, b)
	}
	return bytes.Equal(bytes.TrimSpace(a), bytes.TrimSpace(b))
}

func sameArray(a, b []byte) bool {
	var theirs [][]byte
	for element := range rawjson.Elements(b) {
		theirs = append(theirs, element)
	}
	i := 0
	for element := range rawjson.Elements(a) {
		if i >= len(theirs) || !sameJSON(element, theirs[i]) {
			return false
		}
		i++
	}
	return i == len(theirs)
}

func sameObject(a, b []byte) bool {
	members := 0
	for name, value := range rawjson.Members(a) {
		members++
		other := rawjson.Member(b, string(name))
		if other == nil || !sameJSON(value, other) {
			return false
		}
	}
	for range rawjson.Members(b) {
		members--
	}
	return members == 0
}
