package selection

import "encoding/binary"

// A lexicon has every word of a corpus with its occurrences. It is complete, and
// takes no more memory than it needs.
type lexicon struct {
	words     dictionary
	starts    []uint32 // of each word's occurrences, and of the one to come
	documents []uint32 // how many have each word
	encoded   []byte   // the occurrences
}

// bytes returns the memory that the lexicon takes.
func (l *lexicon) bytes() int64 {
	return l.words.bytes() + int64(cap(l.starts)+cap(l.documents))*4 + int64(cap(l.encoded))
}

// find returns the occurrences of a word, in no particular order.
func (l *lexicon) find(word string) []occurrence {
	word = key(word)
	n, _, ok := l.words.find(bytesOf(word), hashOf(word))
	if !ok {
		return nil
	}
	occurrences := make([]occurrence, l.documents[n])
	encoded, document := l.encoded[l.starts[n]:], uint32(0)
	for i := range occurrences {
		var o occurrence
		o, encoded = decodeOccurrence(encoded, document)
		occurrences[i] = o
		document = o.document
	}
	return occurrences
}

// A growing lexicon takes words as they come; their occurrences are in chains.
type growingLexicon struct {
	words  dictionary
	rows   []growingRow
	blocks blocks
	isFull bool // and not to be used
}

type growingRow struct {
	documents uint32
	last      uint32 // the document that was added last
	chain     chain
}

func newGrowingLexicon() growingLexicon { return growingLexicon{words: newDictionary(1 << 16)} }

// bytes returns the memory that will be needed, about.
func (g *growingLexicon) bytes() int64 {
	return g.words.bytes() + int64(len(g.rows))*8 + g.blocks.bytes()
}

// add says where a word occurs, in documents that were not added for it before.
func (g *growingLexicon) add(word []byte, hash uint32, occurrences []occurrence) {
	if g.isFull = g.isFull || g.words.isFull(); g.isFull {
		return
	}
	n, isNew := g.words.number(word, hash)
	if isNew {
		g.rows = append(g.rows, growingRow{})
	}
	row := &g.rows[n]
	row.documents += uint32(len(occurrences))
	var encoded [2 * binary.MaxVarintLen64]byte
	for _, o := range occurrences {
		g.isFull = !g.blocks.write(&row.chain, appendOccurrence(encoded[:0], o, row.last)) || g.isFull
		row.last = o.document
	}
}

// finish makes it a lexicon.
func (g *growingLexicon) finish() lexicon {
	l := lexicon{
		words: g.words, starts: make([]uint32, len(g.rows)+1), documents: make([]uint32, len(g.rows)),
		encoded: make([]byte, 0, g.blocks.written),
	}
	for i := range g.rows {
		l.encoded = g.blocks.appendTo(l.encoded, g.rows[i].chain)
		l.starts[i+1] = uint32(len(l.encoded))
		l.documents[i] = g.rows[i].documents
	}
	return l
}

// An occurrence is written as how far its document is from the one before,
// which can be backwards since documents come in any order, with a last bit
// that says that it occurs once; if not, the number follows.
func appendOccurrence(dst []byte, o occurrence, before uint32) []byte {
	step := int64(o.document) - int64(before)
	zigzag := uint64(step<<1) ^ uint64(step>>63)
	if o.times == 1 {
		return binary.AppendUvarint(dst, zigzag<<1|1)
	}
	return binary.AppendUvarint(binary.AppendUvarint(dst, zigzag<<1), uint64(o.times))
}

func decodeOccurrence(encoded []byte, before uint32) (o occurrence, rest []byte) {
	v, n := binary.Uvarint(encoded)
	encoded = encoded[n:]
	zigzag := v >> 1
	step := int64(zigzag>>1) ^ -int64(zigzag&1)
	o = occurrence{uint32(int64(before) + step), 1}
	if v&1 == 0 {
		times, n := binary.Uvarint(encoded)
		o.times, encoded = uint32(times), encoded[n:]
	}
	return o, encoded
}
