package selection

import "encoding/binary"

// blocks are chains of bytes in shared pages. A chain's first block is small,
// for most words are rare, and each further one is twice as large, up to a
// limit; the last bytes of a full block say where the next one is.
type blocks struct {
	pages   [][]byte
	free    int // bytes of the last page
	written int // bytes in all chains
}

const (
	pageBytes  = 1 << 18
	firstBlock = 8
	lastBlock  = 1 << 10
	linkBytes  = 4
)

// A chain is the place of some bytes.
type chain struct {
	head, tail uint32 // the first byte, and the next to be written
	left       uint16 // in the last block
	block      uint16 // bytes of the last block; 0 if there is none
}

func (b *blocks) bytes() int64 { return int64(len(b.pages)) * pageBytes }

// at returns the bytes of a page from an address on.
func (b *blocks) at(address uint32) []byte { return b.pages[address/pageBytes][address%pageBytes:] }

// write adds bytes to a chain and reports whether there was room.
func (b *blocks) write(c *chain, text []byte) bool {
	b.written += len(text)
	for len(text) > 0 {
		if c.left == 0 && !b.extend(c) {
			return false
		}
		n := copy(b.at(c.tail)[:c.left], text)
		text = text[n:]
		c.tail += uint32(n)
		c.left -= uint16(n)
	}
	return true
}

// extend gives a chain its next block.
func (b *blocks) extend(c *chain) bool {
	size := min(max(2*c.block, firstBlock), lastBlock)
	address, ok := b.allocate(int(size))
	if !ok {
		return false
	}
	if c.block == 0 {
		c.head = address
	} else {
		binary.LittleEndian.PutUint32(b.at(c.tail), address)
	}
	c.tail, c.left, c.block = address, size-linkBytes, size
	return true
}

// allocate returns the address of memory within one page.
func (b *blocks) allocate(n int) (address uint32, ok bool) {
	if b.free < n {
		if len(b.pages) >= 1<<32/pageBytes {
			return 0, false
		}
		b.pages = append(b.pages, make([]byte, pageBytes))
		b.free = pageBytes
	}
	address = uint32(len(b.pages)*pageBytes - b.free)
	b.free -= n
	return address, true
}

// appendTo appends the bytes of a chain.
func (b *blocks) appendTo(dst []byte, c chain) []byte {
	if c.block == 0 {
		return dst
	}
	address := c.head
	for size := uint32(firstBlock); ; size = min(2*size, lastBlock) {
		content := b.at(address)
		if end := address + size - linkBytes; c.tail >= address && c.tail <= end {
			return append(dst, content[:c.tail-address]...)
		}
		dst = append(dst, content[:size-linkBytes]...)
		address = binary.LittleEndian.Uint32(content[size-linkBytes:])
	}
}
