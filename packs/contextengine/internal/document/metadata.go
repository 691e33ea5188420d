package document

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"mcpworks/internal/rawjson"
)

// A fact is one member of metadata.
type fact struct {
	name  []byte
	value []byte // its text
}

// sortedFacts returns the members of checked metadata in byte order of name.
// Those of one name stay in their order.
func sortedFacts(metadata []byte) []fact {
	var facts []fact
	for name, value := range rawjson.Members(metadata) {
		facts = append(facts, fact{name, value})
	}
	slices.SortStableFunc(facts, func(a, b fact) int { return bytes.Compare(a.name, b.name) })
	return facts
}

// parseMetadata returns checked text as [Document.Metadata] keeps it, which is
// as it is written, and does not keep the text itself.
func parseMetadata(raw []byte) ([]byte, error) {
	if raw == nil {
		return nil, missing("metadata")
	}
	if rawjson.KindOf(raw) != rawjson.Object {
		return nil, errors.New(`member "metadata" is not an object`)
	}
	facts := sortedFacts(raw)
	if len(facts) == 0 {
		return nil, nil
	}
	for i, f := range facts {
		if i > 0 && bytes.Equal(f.name, facts[i-1].name) {
			return nil, fmt.Errorf("metadata has two members %.64q", f.name)
		}
		if !isFactValue(f.value) {
			return nil, fmt.Errorf("metadata %.64q is neither a string nor a 64-bit integer", f.name)
		}
	}
	return appendFacts(make([]byte, 0, len(raw)), facts), nil
}

func isFactValue(raw []byte) bool {
	if rawjson.KindOf(raw) == rawjson.StringKind {
		return true
	}
	_, ok := factInteger(raw)
	return ok
}

func factInteger(raw []byte) (n int64, ok bool) {
	if !rawjson.IsInteger(raw) {
		return 0, false
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return n, err == nil
}

func appendMetadata(dst, metadata []byte) []byte {
	return appendFacts(dst, sortedFacts(metadata))
}

func appendFacts(dst []byte, facts []fact) []byte {
	dst = append(dst, '{')
	for i, f := range facts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(rawjson.AppendString(dst, string(f.name)), ':')
		dst = appendFactValue(dst, f.value)
	}
	return append(dst, '}')
}

// appendFactValue writes a value in the one way there is for it: text may come
// with needless escapes, and zero with a sign.
func appendFactValue(dst, raw []byte) []byte {
	if s, ok := rawjson.String(raw); ok {
		return rawjson.AppendString(dst, s)
	}
	if n, ok := factInteger(raw); ok {
		return strconv.AppendInt(dst, n, 10)
	}
	return rawjson.Compact(dst, raw)
}
