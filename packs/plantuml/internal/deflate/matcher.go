package deflate

import (
	"encoding/binary"
	"math/bits"
)

// Stream rules: what zlib calls level 9, and the distances it allows.
const (
	maxChain    = 4096 // strings compared at one position
	goodMatch   = 32   // from this length on, a better match is worth a quarter of maxChain
	windowSize  = 1 << 15
	maxDistance = windowSize - (maxMatch + minMatch + 1) // not the 32,768 of RFC 1951
	tooFar      = 4096                                   // a match of minMatch further back than this is dropped
)

// Stream rule: strings are chained by a hash of their first three bytes, and
// those that only collide count towards maxChain too.
const (
	hashBits  = 15
	hashShift = hashBits / minMatch
	hashSize  = 1 << hashBits
)

// noMatch is the length of a match that was not found.
const noMatch = minMatch - 1

type match struct {
	length int
	start  int // position of the earlier string
}

// A matcher finds earlier occurrences of the string at a position. Positions
// given to it must be inserted in increasing order.
//
// All strings with one hash form a chain from the latest to the earliest. What
// earlier calls left in the tables is recognized by its position, so that
// nothing has to be cleared: a short text costs what its length costs.
type matcher struct {
	base   int64              // added to the positions in latest; grows with each call
	latest [hashSize]int64    // by hash: base + position of the latest string
	back   [windowSize]uint16 // by position, modulo the window: how far back the chain continues
}

// find inserts the string at pos and returns the longest match for it that is
// longer than the match of length known at the position before; otherwise some
// length that is not.
func (m *matcher) find(src []byte, pos, known int) match {
	if len(src)-pos < minMatch {
		return match{length: noMatch}
	}
	candidate := m.insert(hash(src[pos:]), pos)
	if candidate <= 0 || pos-candidate > maxDistance {
		return match{length: noMatch}
	}
	found := m.longest(src, pos, candidate, known)
	if found.length == minMatch && pos-found.start > tooFar {
		return match{length: noMatch}
	}
	return found
}

// insertAll inserts the strings at the positions from begin to end-1.
func (m *matcher) insertAll(src []byte, begin, end int) {
	for pos := begin; pos < min(end, len(src)-minMatch+1); pos++ {
		m.insert(hash(src[pos:]), pos)
	}
}

// insert puts the string at pos in front of its chain and returns the position
// of the string that was there. No such string has a position of 0 or less.
//
// Stream rule: zlib takes position 0 for "none", so the very first string of a
// text is never matched.
func (m *matcher) insert(hash uint16, pos int) int {
	slot := &m.latest[hash%hashSize]
	previous := int(*slot - m.base)
	*slot = m.base + int64(pos)
	// Cut off at 65,535, the way back still leads out of the window.
	m.back[pos&(windowSize-1)] = uint16(min(pos-previous, 1<<16-1))
	return previous
}

// forget makes all that is in the tables older than any position to come.
func (m *matcher) forget(inserted int) {
	m.base += int64(inserted)
}

// longest walks the chain from candidate on and returns the first of the
// longest matches for the string at pos, or the length known if none is longer.
//
// Stream rule: the latest string is taken at up to maxDistance, those behind
// it must be nearer than that.
func (m *matcher) longest(src []byte, pos, candidate, known int) match {
	text := src[pos:min(pos+maxMatch, len(src))]
	best := match{length: known}
	if known >= len(text) {
		return best
	}
	chain := maxChain
	if known >= goodMatch {
		chain /= 4
	}
	oldest := max(pos-maxDistance, 0)
	// A longer match agrees in the four bytes up to the one behind the best:
	// few candidates do, so these are looked at first. Without a match yet,
	// they are the first three.
	offset, mask := 0, uint32(1<<24-1)
	want := uint32(text[0]) | uint32(text[1])<<8 | uint32(text[2])<<16
	for {
		if best.length > noMatch {
			offset, mask = best.length-3, 1<<32-1
			want = binary.LittleEndian.Uint32(text[offset:])
		}
		candidate, chain = m.skip(src[offset:], want, mask, candidate, oldest, chain)
		if chain == 0 {
			return best
		}
		if n := commonPrefix(src[candidate:], text); n > best.length {
			best = match{n, candidate}
			if n == len(text) {
				return best
			}
		}
		candidate = m.before(candidate)
		chain--
		if candidate <= oldest || chain == 0 {
			return best
		}
	}
}

// skip returns the first candidate at which src agrees with want in the bits
// of mask, and what is left of chain there: 0 if there is none. This is where
// the time goes, in a loop that fits into registers only if it is alone.
//
//go:noinline
func (m *matcher) skip(src []byte, want, mask uint32, candidate, oldest, chain int) (agreeing, left int) {
	for {
		// The third index saves the compiler a check of the capacity.
		found := binary.LittleEndian.Uint32(src[candidate : candidate+4 : candidate+4])
		if (found^want)&mask == 0 {
			return candidate, chain
		}
		candidate = m.before(candidate)
		chain--
		if candidate <= oldest || chain == 0 {
			return 0, 0
		}
	}
}

// before returns the position of the string before candidate in its chain.
func (m *matcher) before(candidate int) int {
	return candidate - int(m.back[candidate&(windowSize-1)])
}

// commonPrefix returns how many bytes of b, from its beginning, a has too. The
// slice a must not be shorter than b.
func commonPrefix(a, b []byte) int {
	a = a[:len(b)]
	n := 0
	for ; len(b)-n >= 8; n += 8 {
		if diff := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); diff != 0 {
			return n + bits.TrailingZeros64(diff)/8
		}
	}
	for n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func hash(s []byte) uint16 {
	_ = s[2]
	return (uint16(s[0])<<(2*hashShift) ^ uint16(s[1])<<hashShift ^ uint16(s[2])) % hashSize
}
