package deflate

// The alphabet in which the lengths of dynamic codes are written (RFC 1951,
// section 3.2.7): the lengths themselves and three ways to repeat one.
const (
	repeatLength    = 16 // the length before, 3 to 6 times
	repeatZero      = 17 // 3 to 10 times
	repeatZeroLong  = 18 // 11 to 138 times
	lengthSymbols   = 19
	longestOfLength = 7 // the longest code in this alphabet
)

// lengthOrder is the order in which the code of this alphabet is written, so
// that what seldom occurs is at the end and can be left out.
var lengthOrder = [lengthSymbols]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

var repeatExtra = [lengthSymbols]uint8{repeatLength: 2, repeatZero: 3, repeatZeroLong: 7}

// codeLengths is the description of a dynamic codebook, as it is written
// before the symbols.
type codeLengths struct {
	tokens      [literals + distances]lengthToken
	count       int
	literals    int // codes described
	distances   int
	ordered     int // entries of lengthOrder needed
	codes       [lengthSymbols]code
	frequencies [lengthSymbols]uint32
}

// A lengthToken is a symbol of the alphabet and the value of its extra bits.
type lengthToken struct{ symbol, extra uint8 }

// describe prepares the description of a codebook.
//
// Stream rule: repetitions do not cross from literals to distances.
func (l *codeLengths) describe(c *codebook, h *huffman) {
	l.count = 0
	clear(l.frequencies[:])
	l.literals = l.addRuns(c.literals[:])
	l.distances = l.addRuns(c.distances[:])
	h.assign(l.codes[:], l.frequencies[:], longestOfLength)
	l.ordered = lengthSymbols
	for l.codes[lengthOrder[l.ordered-1]].length == 0 {
		l.ordered--
	}
}

// addRuns adds the lengths of codes up to the last that has one, and returns
// their number.
//
// Stream rule: a run is cut into repetitions from its beginning, each as long
// as possible; what is too short at its end is written out.
func (l *codeLengths) addRuns(codes []code) int {
	for codes[len(codes)-1].length == 0 {
		codes = codes[:len(codes)-1]
	}
	for begin, end := 0, 0; begin < len(codes); begin = end {
		length := codes[begin].length
		for end < len(codes) && codes[end].length == length {
			end++
		}
		if length == 0 {
			l.addZeros(end - begin)
		} else {
			l.addRun(length, end-begin)
		}
	}
	return len(codes)
}

func (l *codeLengths) addZeros(n int) {
	for n > 0 {
		step := min(n, 138)
		switch {
		case step >= 11:
			l.add(repeatZeroLong, step-11)
		case step >= 3:
			l.add(repeatZero, step-3)
		default:
			step = 1
			l.add(0, 0)
		}
		n -= step
	}
}

func (l *codeLengths) addRun(length uint8, n int) {
	l.add(length, 0)
	for n--; n > 0; {
		step := min(n, 6)
		if step >= 3 {
			l.add(repeatLength, step-3)
		} else {
			step = 1
			l.add(length, 0)
		}
		n -= step
	}
}

func (l *codeLengths) add(symbol uint8, extra int) {
	l.tokens[l.count] = lengthToken{symbol, uint8(extra)}
	l.count++
	l.frequencies[symbol]++
}

// cost returns the bits that write takes.
func (l *codeLengths) cost() int {
	return 5 + 5 + 4 + 3*l.ordered + cost(l.codes[:], l.frequencies[:], repeatExtra[:])
}

func (l *codeLengths) write(w *bitWriter) {
	w.put(uint64(l.literals-257), 5)
	w.put(uint64(l.distances-1), 5)
	w.put(uint64(l.ordered-4), 4)
	for _, s := range lengthOrder[:l.ordered] {
		w.put(uint64(l.codes[s].length), 3)
	}
	for _, t := range l.tokens[:l.count] {
		l.codes[t.symbol].writeTo(w)
		w.put(uint64(t.extra), uint(repeatExtra[t.symbol]))
	}
}
