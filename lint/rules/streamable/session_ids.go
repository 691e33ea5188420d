package streamable

import (
	"strconv"
	"strings"
)

const (
	minSessionID  = 16      // characters, of which a hexadecimal one holds four bits
	countingStep  = 1 << 16 // ids that are closer than that follow from each other
	countingSigns = 15      // hexadecimal digits that an int64 can hold
)

// random is the part of a session id that should be random: all of it, or the
// signature of a signed token.
func random(id string) string {
	if strings.Count(id, ".") == 2 && len(id) > 3*minSessionID {
		return id[strings.LastIndexByte(id, '.')+1:]
	}
	return id
}

// flawOf says what is wrong with session ids that were given one after the
// other; empty if they look random.
func flawOf(ids []string) string {
	for i, id := range ids {
		for _, earlier := range ids[:i] {
			if id == earlier {
				return "two sessions have the same id"
			}
		}
	}
	for _, id := range ids {
		if len(id) < minSessionID {
			return "session ids have fewer than 16 characters"
		}
	}
	if isCounting(ids) {
		return "session ids count upwards"
	}
	for i, id := range ids {
		for _, earlier := range ids[:i] {
			if 2*commonPrefix(id, earlier) > min(len(id), len(earlier)) {
				return "session ids share more than half of their characters"
			}
		}
	}
	return ""
}

func commonPrefix(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// isCounting says whether the ids differ only in a number that grows in small
// steps.
func isCounting(ids []string) bool {
	prefix, suffix := len(ids[0]), len(ids[0])
	for _, id := range ids[1:] {
		prefix = min(prefix, commonPrefix(ids[0], id))
		suffix = min(suffix, commonPrefix(backwards(ids[0]), backwards(id)))
	}
	last := int64(-1)
	for _, id := range ids {
		digits := id[prefix:max(prefix, len(id)-suffix)]
		number, err := strconv.ParseInt(digits, 16, 64)
		if err != nil || len(digits) > countingSigns || number <= last || last >= 0 && number-last > countingStep {
			return false
		}
		last = number
	}
	return true
}

func backwards(text string) string {
	bytes := []byte(text)
	for i, j := 0, len(bytes)-1; i < j; i, j = i+1, j-1 {
		bytes[i], bytes[j] = bytes[j], bytes[i]
	}
	return string(bytes)
}
