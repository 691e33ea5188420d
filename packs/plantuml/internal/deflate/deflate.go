// Package deflate compresses to raw DEFLATE streams (RFC 1951), byte for byte
// those that stock zlib writes at level 9 with a 32 KB window, memory level 8
// and the default strategy.
//
// Any correct compressor would do for a reader of the stream. This one exists
// because the stream becomes part of a URL: it has to be short, and the same
// on every machine and in every release. The streams of compress/flate are
// longer and may change with the Go release.
//
// The files follow the work: matcher.go splits the input into symbols,
// block.go decides how a block of them is written, huffman.go finds the code
// lengths, symbols.go knows the alphabets of RFC 1951 and bits.go packs bits.
// A comment that begins with "Stream rule" marks what decides about bytes:
// changed, the stream is still valid, but no longer zlib's.
package deflate

import "sync"

// Append appends the compressed form of src to dst and returns the extended
// slice. It accepts input of any length, keeps no reference to src or dst and
// may be called from several goroutines at once.
//
// Time is bounded by maxChain comparisons for each byte of input, memory by
// tables of fixed size, which are kept for later calls.
func Append(dst, src []byte) []byte {
	c := compressors.Get().(*compressor)
	dst = c.compress(dst, src)
	compressors.Put(c)
	return dst
}

// A compressor is what one call needs: about 400 KB, ready to be used again
// after every call without being cleared.
type compressor struct {
	matcher matcher
	block   block
}

var compressors = sync.Pool{New: func() any { return new(compressor) }}

// compress splits src into literals and matches, each match held back until
// the next position has been tried: if the match there is longer, the earlier
// one shrinks to a literal.
//
// Stream rule: a match is given up for a longer one at the next position, not
// for one of equal length, and a match of maxMatch is final without a search.
func (c *compressor) compress(dst, src []byte) []byte {
	m, b := &c.matcher, &c.block
	w := bitWriter{out: dst}
	found := match{length: noMatch}
	waiting := false // whether the byte before pos has not been written yet
	begin, pos := 0, 0
	for pos < len(src) {
		before := found
		found = m.find(src, pos, before.length)
		switch {
		case before.length >= minMatch && found.length <= before.length:
			b.addMatch(before.length, pos-1-before.start)
			end := pos - 1 + before.length
			m.insertAll(src, pos+1, end)
			pos = end
			found.length, waiting = noMatch, false
			if b.full() {
				b.write(&w, src[begin:pos], false)
				begin = pos
			}
		case waiting:
			b.addLiteral(src[pos-1])
			if b.full() {
				b.write(&w, src[begin:pos], false)
				begin = pos
			}
			pos++
		default:
			waiting = true
			pos++
		}
	}
	if waiting {
		b.addLiteral(src[len(src)-1])
	}
	// Stream rule: the final block is written even if nothing is left for it.
	b.write(&w, src[begin:], true)
	m.forget(len(src))
	return w.close()
}
