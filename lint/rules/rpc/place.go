package rpc

import (
	"crypto/sha256"
	"strconv"
	"strings"

	"mcpworks/internal/bounded"
	"mcpworks/lint"
)

// place turns a pointer into a message into what a finding is about: an item of
// a list with its place in the whole list, or the method.
func place(m *lint.Message, pointer string) (lint.Subject, string) {
	rest, ok := strings.CutPrefix(pointer, "/result")
	if !ok || m.Kind != lint.Response {
		return ofMethod(m), shortPointer(pointer)
	}
	if parts := strings.SplitN(rest, "/", 4); len(parts) > 2 {
		index, err := strconv.Atoi(parts[2])
		if item, found := itemOf(m, parts[1], index); err == nil && found {
			return item.Subject(), shortPointer(item.Pointer + strings.TrimPrefix(rest, "/"+parts[1]+"/"+parts[2]))
		}
	}
	return ofMethod(m), shortPointer(pointer)
}

// itemOf returns the item that a message has at an index of its list.
func itemOf(m *lint.Message, member string, index int) (lint.Item, bool) {
	for _, item := range m.Talk().Items(m.Step.Name, m.MethodName()) {
		if item.Message != m || !strings.HasPrefix(item.Pointer, "/"+member+"/") {
			continue
		}
		if index == 0 {
			return item, true
		}
		index--
	}
	return lint.Item{}, false
}

// shortPointer bounds what the server's names make of a pointer.
func shortPointer(pointer string) string { return bounded.Bytes(pointer, 256, "…") }

// seenBefore remembers messages that say the same: lists are read many times.
type seenBefore map[[sha256.Size]byte]bool

// has says whether there was such a message in the same revision, and remembers
// it. Ids may differ.
func (s seenBefore) has(m *lint.Message) bool {
	sum := sha256.New()
	for _, part := range [][]byte{[]byte(m.Talk().Revision), []byte(m.MethodName()), m.Result} {
		sum.Write(strconv.AppendInt(nil, int64(len(part)), 10))
		sum.Write([]byte{' '})
		sum.Write(part)
	}
	if len(m.Result) < 64 { // too little to stand for the whole
		sum.Write(m.Raw)
	}
	key := [sha256.Size]byte(sum.Sum(nil))
	before := s[key]
	s[key] = true
	return before
}

// member is the last name of a pointer, to say in a sentence.
func member(pointer string) string {
	name := pointer[strings.LastIndex(pointer, "/")+1:]
	switch _, err := strconv.Atoi(name); {
	case name == "":
		return "the message"
	case err == nil:
		return "an element"
	}
	return bounded.Bytes(strings.NewReplacer("~1", "/", "~0", "~").Replace(name), 64, "…")
}
