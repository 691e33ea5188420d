package deflate

import "slices"

// blockSymbols is the number of symbols after which a block ends.
//
// Stream rule: one less than zlib's buffer at memory level 8 holds.
const blockSymbols = 1<<14 - 1

// Block types (RFC 1951, section 3.2.3).
const (
	storedBlock  = 0
	fixedBlock   = 1
	dynamicBlock = 2
)

// headerBits is the length of the final mark and the type of a block.
const headerBits = 3

// A block collects symbols and writes them in the shortest of the three forms.
// Its zero value is an empty block.
type block struct {
	symbols [blockSymbols]symbol
	count   int

	// Scratch of write.
	dynamic   codebook
	lengths   codeLengths
	huffman   huffman
	literals  [literals]uint32 // frequencies
	distances [distances]uint32
}

// A codebook is a code for literals and lengths and one for distances.
type codebook struct {
	literals  [literals]code
	distances [distances]code
}

// fixed is the code of fixed blocks (RFC 1951, section 3.2.6).
var fixed = func() (c codebook) {
	var all [literals + 2]code // with the two that never occur but take their place
	for s := range all {
		switch {
		case s < 144:
			all[s].length = 8
		case s < 256:
			all[s].length = 9
		case s < 280:
			all[s].length = 7
		default:
			all[s].length = 8
		}
	}
	number(all[:])
	copy(c.literals[:], all[:])
	for s := range c.distances {
		c.distances[s].length = 5
	}
	number(c.distances[:])
	return c
}()

func (b *block) full() bool { return b.count == blockSymbols }

func (b *block) addLiteral(value byte) {
	b.symbols[b.count] = literalSymbol(value)
	b.count++
}

func (b *block) addMatch(length, distance int) {
	b.symbols[b.count] = matchSymbol(length, distance)
	b.count++
}

// write writes the symbols, which stand for text, and empties the block.
//
// Stream rule: forms are compared in whole bytes. A stored block needs its
// length and four bytes to be no more than the shorter of the others, and
// fixed codes win against dynamic ones of the same size.
//
// A stored block has at most 65,535 bytes. That needs no check: to stand for
// more than twice as many bytes as it has symbols, a block must be full of
// matches, and with fixed codes these take less than the bytes they stand for.
func (b *block) write(w *bitWriter, text []byte, final bool) {
	b.tally()
	b.huffman.assign(b.dynamic.literals[:], b.literals[:], longestCode)
	b.huffman.assign(b.dynamic.distances[:], b.distances[:], longestCode)
	b.lengths.describe(&b.dynamic, &b.huffman)

	fixedSize := wholeBytes(b.cost(&fixed))
	dynamicSize := wholeBytes(b.lengths.cost() + b.cost(&b.dynamic))
	header := uint64(0)
	if final {
		header = 1
	}
	switch size := min(fixedSize, dynamicSize); {
	case len(text)+4 <= size:
		w.put(header|storedBlock<<1, headerBits)
		w.store(text)
	case size == fixedSize:
		w.out = slices.Grow(w.out, size+8)
		w.put(header|fixedBlock<<1, headerBits)
		b.writeSymbols(w, &fixed)
	default:
		w.out = slices.Grow(w.out, size+8)
		w.put(header|dynamicBlock<<1, headerBits)
		b.lengths.write(w)
		b.writeSymbols(w, &b.dynamic)
	}
	b.count = 0
}

// tally counts how often each symbol occurs.
func (b *block) tally() {
	clear(b.literals[:])
	clear(b.distances[:])
	for _, s := range b.symbols[:b.count] {
		if !s.isMatch() {
			b.literals[s]++
			continue
		}
		excess, distance := s.parts()
		code, _ := lengthCode(excess)
		b.literals[code]++
		code, _ = distanceCode(distance)
		b.distances[code]++
	}
	b.literals[endOfBlock] = 1
}

// cost returns the bits that the symbols take when written with codes.
func (b *block) cost(codes *codebook) int {
	return cost(codes.literals[:], b.literals[:], lengthExtra[:]) +
		cost(codes.distances[:], b.distances[:], distanceExtra[:])
}

func (b *block) writeSymbols(w *bitWriter, codes *codebook) {
	for _, s := range b.symbols[:b.count] {
		if !s.isMatch() {
			codes.literals[s].writeTo(w)
			continue
		}
		excess, distance := s.parts()
		c, extra := lengthCode(excess)
		codes.literals[c].writeWith(w, excess, extra)
		c, extra = distanceCode(distance)
		codes.distances[c].writeWith(w, distance-1, extra)
	}
	codes.literals[endOfBlock].writeTo(w)
}

// store writes the body of a stored block (RFC 1951, section 3.2.4).
func (w *bitWriter) store(text []byte) {
	w.align()
	w.put(uint64(uint16(len(text))), 16)
	w.put(uint64(^uint16(len(text))), 16)
	w.out = append(w.out, text...)
}

// wholeBytes returns the bytes that a block takes with its header.
func wholeBytes(bits int) int { return (bits + headerBits + 7) / 8 }
