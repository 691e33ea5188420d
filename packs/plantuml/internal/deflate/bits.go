package deflate

import "encoding/binary"

// A bitWriter packs bits into bytes, the lowest bit first.
type bitWriter struct {
	out     []byte
	pending uint64 // the lowest count bits are not in out yet
	count   uint   // always below 32
}

// put writes the low n bits of value, at most 32; the others must be zero.
func (w *bitWriter) put(value uint64, n uint) {
	w.pending |= value << w.count
	w.count += n
	if w.count >= 32 {
		w.out = binary.LittleEndian.AppendUint32(w.out, uint32(w.pending))
		w.pending >>= 32
		w.count -= 32
	}
}

// align fills the last byte with zeros.
func (w *bitWriter) align() {
	for bits := int(w.count); bits > 0; bits -= 8 {
		w.out = append(w.out, byte(w.pending))
		w.pending >>= 8
	}
	w.pending, w.count = 0, 0
}

// close returns all that was written, filled to a whole byte.
func (w *bitWriter) close() []byte {
	w.align()
	return w.out
}
