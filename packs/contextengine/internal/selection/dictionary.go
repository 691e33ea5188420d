package selection

import (
	"crypto/sha256"
	"hash/maphash"
	"unsafe"
)

// A dictionary numbers words in the order in which it meets them. It is a hash
// table over one text that has all words one after the other.
type dictionary struct {
	// slots are a power of two. Each holds a word's hash in its upper half and
	// its number, plus one, in the lower; 0 where free.
	slots  []uint64
	starts []uint32 // of the words in the text, and of the one to come
	text   []byte
}

// seed makes the hashes of this process, so that nobody can choose words that
// collide. No result depends on it.
var seed = maphash.MakeSeed()

func hashOf(word string) uint32 { return uint32(maphash.String(seed, word)) }

// bytesOf returns a word's bytes, to be read only.
func bytesOf(word string) []byte { return unsafe.Slice(unsafe.StringData(word), len(word)) }

// maxWord is the longest word that is kept as it stands.
const maxWord = 64

// key is what stands for a word in a dictionary: the word or, if that is long,
// something short that no text contains.
func key(word string) string {
	if len(word) <= maxWord {
		return word
	}
	sum := sha256.Sum256([]byte(word))
	return "\xff" + string(sum[:])
}

func newDictionary(slots int) dictionary {
	return dictionary{slots: make([]uint64, slots), starts: make([]uint32, 1)}
}

func (d *dictionary) len() int { return len(d.starts) - 1 }

// bytes returns the memory that the dictionary takes.
func (d *dictionary) bytes() int64 {
	return int64(cap(d.slots))*8 + int64(cap(d.starts))*4 + int64(cap(d.text))
}

// isFull says whether no further word can be addressed.
func (d *dictionary) isFull() bool { return uint64(len(d.text)) > 1<<32-1-maxWord }

// word returns the text of a number.
func (d *dictionary) word(n uint32) []byte { return d.text[d.starts[n]:d.starts[n+1]] }

// find returns the number of a word, and whether it has one. If not, at is the
// slot where it belongs.
func (d *dictionary) find(word []byte, hash uint32) (n, at uint32, ok bool) {
	mask := uint32(len(d.slots) - 1)
	for at = hash & mask; ; at = (at + 1) & mask {
		slot := d.slots[at]
		if slot == 0 {
			return 0, at, false
		}
		if uint32(slot>>32) == hash {
			if n = uint32(slot) - 1; string(d.word(n)) == string(word) {
				return n, at, true
			}
		}
	}
}

// number returns the number of a word, a new one if it is new.
func (d *dictionary) number(word []byte, hash uint32) (n uint32, isNew bool) {
	n, at, ok := d.find(word, hash)
	if ok {
		return n, false
	}
	n = uint32(d.len())
	d.text = append(d.text, word...)
	d.starts = append(d.starts, uint32(len(d.text)))
	d.slots[at] = uint64(hash)<<32 | uint64(n+1)
	if d.len() > len(d.slots)/4*3 {
		d.grow()
	}
	return n, true
}

func (d *dictionary) grow() {
	slots := make([]uint64, 2*len(d.slots))
	mask := uint32(len(slots) - 1)
	for _, slot := range d.slots {
		if slot == 0 {
			continue
		}
		at := uint32(slot>>32) & mask
		for slots[at] != 0 {
			at = (at + 1) & mask
		}
		slots[at] = slot
	}
	d.slots = slots
}

// reset forgets all words.
func (d *dictionary) reset() {
	clear(d.slots)
	d.starts, d.text = d.starts[:1], d.text[:0]
}
