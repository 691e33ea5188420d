package deflate

import "math/bits"

// RFC 1951, section 3.2.5.
const (
	minMatch = 3
	maxMatch = 258

	endOfBlock  = 256
	firstLength = 257
	literals    = 286 // literals, the end of the block and lengths; 286 and 287 never occur
	distances   = 30
)

// A symbol is a literal byte, or a match as distance<<8 | (length - minMatch).
type symbol uint32

func literalSymbol(b byte) symbol               { return symbol(b) }
func matchSymbol(length, distance int) symbol   { return symbol(distance<<8 | (length - minMatch)) }
func (s symbol) isMatch() bool                  { return s >= 1<<8 }
func (s symbol) parts() (excess, distance uint) { return uint(s & 0xFF), uint(s >> 8) }

// lengthCode returns the code of the length minMatch + excess, and how many of
// the low bits of excess follow it.
//
// There are four codes for each number of extra bits, but 258 has one alone.
func lengthCode(excess uint) (code, extra uint) {
	if excess == maxMatch-minMatch {
		return literals - 1, 0
	}
	extra = uint(max(bits.Len(excess)-3, 0))
	return firstLength + 4*extra + excess>>extra, extra
}

// distanceCode returns the code of a distance, and how many of the low bits of
// distance-1 follow it. There are two codes for each number of extra bits.
func distanceCode(distance uint) (code, extra uint) {
	distance--
	extra = uint(max(bits.Len(distance)-2, 0))
	return 2*extra + distance>>extra, extra
}

// lengthExtra and distanceExtra are the numbers of extra bits by code, the
// former with the literals in front.
var (
	lengthExtra   [literals]uint8
	distanceExtra [distances]uint8
)

func init() {
	for excess := range uint(maxMatch - minMatch + 1) {
		code, extra := lengthCode(excess)
		lengthExtra[code] = uint8(extra)
	}
	for distance := uint(1); distance <= windowSize; distance++ {
		code, extra := distanceCode(distance)
		distanceExtra[code] = uint8(extra)
	}
}
