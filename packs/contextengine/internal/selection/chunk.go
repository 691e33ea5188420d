package selection

// A chunk is the index of a few documents, made by one worker for itself: small
// enough to stay near the processor, and with each word but once, so that there
// is less to add to the index of all.
type chunk struct {
	lower
	words  dictionary
	rows   []chunkRow
	found  []chunkOccurrence // by document
	sorted []occurrence      // by word
	text   int64             // bytes of the documents
}

// A chunkRow is what a chunk knows of a word.
type chunkRow struct {
	hash      uint32
	documents uint32 // how many have it
	last      int    // where in found the last of them is
}

type chunkOccurrence struct {
	occurrence
	word uint32
}

// chunkFound is how many occurrences a chunk is to have.
const chunkFound = 1 << 17

func newChunk() chunk { return chunk{words: newDictionary(1 << 14)} }

// isLarge says that it is time to add the chunk to the index.
func (c *chunk) isLarge() bool { return len(c.found) >= chunkFound }

// add counts the words of a document and returns how many there are.
func (c *chunk) add(document uint32, content string, split splitter) (words uint32) {
	begin := len(c.found)
	for word := range split(c.of(content)) {
		words++
		c.addWord(document, key(word), begin)
	}
	return words
}

// addWord counts a word of the document whose occurrences begin there.
func (c *chunk) addWord(document uint32, word string, begin int) {
	hash := hashOf(word)
	n, isNew := c.words.number(bytesOf(word), hash)
	if isNew {
		c.rows = append(c.rows, chunkRow{hash: hash, last: -1})
	}
	row := &c.rows[n]
	if row.last >= begin {
		c.found[row.last].times++
		return
	}
	row.last = len(c.found)
	row.documents++
	c.found = append(c.found, chunkOccurrence{occurrence{document, 1}, n})
}

// flush hands every word with its occurrences to add, and empties the chunk.
func (c *chunk) flush(add func(word []byte, hash uint32, occurrences []occurrence)) {
	ends := 0
	for i := range c.rows { // from here on, last is where the next one goes
		c.rows[i].last = ends
		ends += int(c.rows[i].documents)
	}
	if cap(c.sorted) < len(c.found) {
		c.sorted = make([]occurrence, len(c.found)+len(c.found)/4)
	}
	sorted := c.sorted[:len(c.found)]
	for _, f := range c.found {
		row := &c.rows[f.word]
		sorted[row.last] = f.occurrence
		row.last++
	}
	for i := range c.rows {
		row := &c.rows[i]
		add(c.words.word(uint32(i)), row.hash, sorted[row.last-int(row.documents):row.last])
	}
	c.words.reset()
	c.rows, c.found = c.rows[:0], c.found[:0]
}
