package selection

// sizes are the tokens of all documents, in a tree that finds the next small
// enough one: level 0 has the sizes, every further level the smaller of each
// two below.
type sizes [][]uint32

func newSizes(tokens []uint32) sizes {
	s := sizes{tokens}
	for level := tokens; len(level) > 1; {
		above := make([]uint32, (len(level)+1)/2)
		for i := range above {
			above[i] = level[2*i]
			if 2*i+1 < len(level) {
				above[i] = min(above[i], level[2*i+1])
			}
		}
		s = append(s, above)
		level = above
	}
	return s
}

// next returns the first document from the given one on that has at most so
// many tokens, or the number of documents if there is none.
func (s sizes) next(from int, most int64) int {
	level, i := 0, from
	for i < len(s[level]) && int64(s[level][i]) > most { // climb past what is too large
		for i&1 == 1 && level+1 < len(s) {
			level, i = level+1, i>>1
		}
		i++
		for i&1 == 0 && level+1 < len(s) && i < len(s[level]) {
			level, i = level+1, i>>1
		}
	}
	if i >= len(s[level]) {
		return len(s[0])
	}
	for ; level > 0; level-- { // and down to where the small one is
		if i *= 2; int64(s[level-1][i]) > most {
			i++
		}
	}
	return i
}

// fill walks the documents from the best down and takes each that still fits
// (SEL-13): those with a score first, then all others by id (SEL-14). A budget
// of 0 takes nothing (SEL-15).
func fill(s sizes, r *ranked, budget int64) (picks []pick, used int64) {
	if budget == 0 {
		return nil, 0
	}
	for _, p := range r.picks {
		if tokens := int64(s[0][p.document]); tokens <= budget-used {
			used += tokens
			picks = append(picks, p)
		}
	}
	for i := s.next(0, budget-used); i < len(s[0]); i = s.next(i+1, budget-used) {
		if r.isScored(uint32(i)) {
			continue
		}
		used += int64(s[0][i])
		p, known := r.others[uint32(i)]
		if !known {
			p = pick{document: uint32(i)}
		}
		picks = append(picks, p)
	}
	return picks, used
}
