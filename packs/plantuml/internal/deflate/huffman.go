package deflate

import "math/bits"

// A code is what stands for one symbol in the stream: the low length bits of
// bits, already in the order in which they are written.
type code struct {
	bits   uint16
	length uint8
}

func (c code) writeTo(w *bitWriter) { w.put(uint64(c.bits), uint(c.length)) }

// writeWith writes the code, followed by the low extra bits of value.
func (c code) writeWith(w *bitWriter, value, extra uint) {
	value &= 1<<extra - 1
	w.put(uint64(c.bits)|uint64(value)<<c.length, uint(c.length)+extra)
}

// longestCode is the length of the longest code that RFC 1951 allows for
// literals and distances.
const longestCode = 15

// A huffman finds code lengths. Its zero value is ready; it holds nothing that
// outlives a call.
//
// A node below the number of symbols is the leaf of that symbol; the nodes from
// there on join two others.
type huffman struct {
	weight [2 * literals]uint32 // by node, see weigh
	parent [2 * literals]uint16 // by node
	depth  [2 * literals]uint8  // by node: its distance from the root, cut at the limit
	heap   [literals + 1]uint16 // nodes without a parent; 1 is the top, 0 is not used
	joined [2 * literals]uint16 // nodes in the order in which they got a parent, the root last
}

// assign sets codes to a prefix code of at most limit bits for the symbols
// that occur, from how often they do. The others get length 0.
//
// Stream rule: at least two symbols get a code, even if fewer occur; they are
// made up from the lowest.
func (h *huffman) assign(codes []code, frequencies []uint32, limit uint8) {
	clear(codes)
	used, last := 0, -1
	for s, f := range frequencies {
		if f != 0 {
			used++
			last = s
			h.heap[used] = uint16(s)
			h.weight[s] = weigh(f, 0)
		}
	}
	switch {
	case used >= 2:
		h.join(used, len(frequencies))
		h.measure(codes, used, len(frequencies), limit)
	case last <= 0:
		codes[0].length, codes[1].length = 1, 1
	case last == 1:
		codes[1].length, codes[2].length = 1, 1
	default:
		codes[0].length, codes[last].length = 1, 1
	}
	number(codes)
}

// weigh orders nodes for joining.
//
// Stream rule: the lighter one first, and of equals the one with the lower
// tree below it.
func weigh(frequency uint32, height uint8) uint32 {
	return frequency<<8 | uint32(height)
}

// join builds the tree over the leaves in the heap. Its inner nodes are
// numbered from inner on.
func (h *huffman) join(leaves, inner int) {
	heap := h.heap[:leaves+1]
	for k := leaves / 2; k >= 1; k-- {
		h.sink(heap, k)
	}
	joined := h.joined[:0]
	for node := uint16(inner); len(heap) > 2; node++ {
		a := heap[1]
		heap[1] = heap[len(heap)-1]
		heap = heap[:len(heap)-1]
		h.sink(heap, 1)
		b := heap[1]
		height := max(uint8(h.weight[a]), uint8(h.weight[b])) + 1
		h.weight[node] = weigh(h.weight[a]>>8+h.weight[b]>>8, height)
		h.parent[a], h.parent[b] = node, node
		joined = append(joined, a, b)
		heap[1] = node
		h.sink(heap, 1)
	}
	h.joined[len(joined)] = heap[1]
}

// sink moves the node at place k down to where the heap is in order again.
//
// Stream rule: it passes only nodes that are lighter, and where both below it
// weigh the same, the right one moves up.
func (h *huffman) sink(heap []uint16, k int) {
	node := heap[k]
	weight := h.weight[node]
	for {
		child := 2 * k
		if child >= len(heap) {
			break
		}
		if child+1 < len(heap) && h.weight[heap[child+1]] <= h.weight[heap[child]] {
			child++
		}
		if weight <= h.weight[heap[child]] {
			break
		}
		heap[k] = heap[child]
		k = child
	}
	heap[k] = node
}

// measure reads the code lengths off the tree and shortens those above limit.
func (h *huffman) measure(codes []code, leaves, inner int, limit uint8) {
	order := h.joined[:2*leaves-1]
	var count [longestCode + 1]int // leaves by length
	tooDeep := 0
	h.depth[order[len(order)-1]] = 0
	for i := len(order) - 2; i >= 0; i-- {
		node := order[i]
		depth := h.depth[h.parent[node]] + 1
		if depth > limit {
			depth = limit
			tooDeep++
		}
		h.depth[node] = depth
		if int(node) < inner {
			codes[node].length = depth
			count[depth]++
		}
	}
	if tooDeep > 0 {
		shorten(codes, order, inner, count[:limit+1], tooDeep)
	}
}

// shorten makes room for the leaves that were cut at the longest length.
//
// Stream rule: each step takes a leaf from the nearest shorter length that has
// one, hangs it and a cut one below its place, and counts as two. Then lengths
// are dealt out again, the longest to the nodes that were joined first.
func shorten(codes []code, order []uint16, inner int, count []int, tooDeep int) {
	limit := len(count) - 1
	for ; tooDeep > 0; tooDeep -= 2 {
		length := limit - 1
		for count[length] == 0 {
			length--
		}
		count[length]--
		count[length+1] += 2
		count[limit]--
	}
	length := limit
	for _, node := range order {
		if int(node) >= inner {
			continue
		}
		for count[length] == 0 {
			length--
		}
		count[length]--
		codes[node].length = uint8(length)
	}
}

// number gives codes of equal length consecutive values in the order of their
// symbols (RFC 1951, section 3.2.2).
func number(codes []code) {
	var next [longestCode + 2]uint16
	for _, c := range codes {
		next[c.length+1]++
	}
	next[1] = 0 // symbols without a code
	for length := 2; length < len(next); length++ {
		next[length] = (next[length] + next[length-1]) << 1
	}
	for s, c := range codes {
		if c.length != 0 {
			codes[s].bits = bits.Reverse16(next[c.length]) >> (16 - c.length)
			next[c.length]++
		}
	}
}

// cost returns the bits that the symbols take when written with codes.
func cost(codes []code, frequencies []uint32, extra []uint8) int {
	total := 0
	for s, f := range frequencies {
		total += int(f) * int(codes[s].length+extra[s])
	}
	return total
}
