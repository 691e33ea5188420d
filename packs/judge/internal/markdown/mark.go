package markdown

import (
	"cmp"
	"slices"
	"unicode"

	"golang.org/x/net/html/atom"
)

// A mark is a way to set text off that Markdown writes around it.
type mark uint8

const (
	strong mark = iota
	emphasis
	strikethrough
	link

	markCount = 4
)

// marks tells for each mark which opening of it the text stands in, counted through the document, or 0.
type marks [markCount]uint32

// delimiters open and close a mark. The link has brackets instead.
var delimiters = [markCount]string{strong: "**", emphasis: "*", strikethrough: "~~", link: "["}

// isStar reports whether the mark is written with asterisks.
func (m mark) isStar() bool { return m == strong || m == emphasis }

func styleOf(tag atom.Atom) mark {
	switch tag {
	case atom.Strong, atom.B:
		return strong
	case atom.Em, atom.I:
		return emphasis
	default:
		return strikethrough
	}
}

func scriptOf(tag atom.Atom) string {
	if tag == atom.Sup {
		return "^"
	}
	return "_"
}

// continues reports whether a mark spans the border between two pieces. Two links that touch are still two.
func (a marks) continues(b marks, m mark) bool {
	return a[m] != 0 && b[m] != 0 && (m != link || a[m] == b[m])
}

// spareLinks ends the marks that reach into a link, but not as far as its end, before the link: otherwise the link
// would have to end with them.
func spareLinks(pieces []piece) {
	ends := spanEnds(pieces)
	for i := range pieces {
		if pieces[i].on[link] == 0 || reaches(pieces, i, link) {
			continue
		}
		for m := range link {
			if reaches(pieces, i, m) && ends[i][m] < ends[i][link] {
				take(m, pieces[i:ends[i][m]])
			}
		}
	}
}

// fit takes marks off the pieces at the edges of marked text where Markdown could not read them. White space goes
// outside always. Punctuation goes outside when a letter stands on its other side, because **Input:**x is not strong
// in CommonMark, while **Input**:x is. The pieces are one paragraph.
func (p *passage) fit(pieces []piece) {
	for _, m := range []mark{link, strikethrough, strong, emphasis} {
		for from := 0; from < len(pieces); {
			to := from + 1
			for to < len(pieces) && pieces[to-1].on.continues(pieces[to].on, m) {
				to++
			}
			p.steps += to - from
			if pieces[from].on[m] != 0 {
				fitSpan(pieces, from, to, m)
			}
			from = to
		}
	}
}

func fitSpan(pieces []piece, from, to int, m mark) {
	for from < to && !holds(pieces, from, from-1, m) {
		pieces[from].on[m] = 0
		from++
	}
	for from < to && !holds(pieces, to-1, to, m) {
		to--
		pieces[to].on[m] = 0
	}
}

// holds reports whether a mark can have its edge between the piece inside it and the piece beside it.
func holds(pieces []piece, inside, beside int, m mark) bool {
	in, out := pieces[inside], piece{kind: space, text: " "}
	if beside >= 0 && beside < len(pieces) {
		out = pieces[beside]
	}
	inner, outer := in.first(), out.last()
	if inside < beside {
		inner, outer = in.last(), out.first()
	}
	switch {
	case unicode.IsSpace(inner):
		return false
	case m == link || isEdge(outer):
		return true
	default:
		return !isPunctuation(inner) && !bracketed(in, out, m)
	}
}

// bracketed reports whether another mark with delimiters of its own begins or ends at the same edge.
func bracketed(in, out piece, m mark) bool {
	for other := range mark(markCount) {
		alike := other.isStar() && m.isStar()
		if !alike && in.on[other] != 0 && !in.on.continues(out.on, other) {
			return true
		}
	}
	return false
}

// spanEnds tells for each piece where each of its marks ends.
func spanEnds(pieces []piece) [][markCount]int {
	ends := make([][markCount]int, len(pieces))
	for i := len(pieces) - 1; i >= 0; i-- {
		for m := range mark(markCount) {
			ends[i][m] = i + 1
			if i+1 < len(pieces) && pieces[i].on.continues(pieces[i+1].on, m) {
				ends[i][m] = ends[i+1][m]
			}
		}
	}
	return ends
}

// reaches reports whether a mark of the piece before i spans it too.
func reaches(pieces []piece, i int, m mark) bool {
	return i > 0 && i < len(pieces) && pieces[i-1].on.continues(pieces[i].on, m)
}

// beginning returns the marks that begin at piece i in the order to open them: those that last longer first, then as
// in the document.
func beginning(pieces []piece, ends [][markCount]int, i int) []mark {
	var begin []mark
	for m := range mark(markCount) {
		if pieces[i].on[m] != 0 && !reaches(pieces, i, m) {
			begin = append(begin, m)
		}
	}
	slices.SortFunc(begin, func(a, b mark) int {
		return cmp.Or(cmp.Compare(ends[i][b], ends[i][a]), cmp.Compare(pieces[i].on[a], pieces[i].on[b]))
	})
	return begin
}

// nest takes marks off the pieces so that those left can be written inside each other.
//
// A mark ends with the one around it: to close and reopen it would put delimiters back to back. And where two marks
// made of asterisks begin or end at one place, CommonMark takes any asterisks after them that touch the text before
// for a closing delimiter, so no mark can begin there.
func nest(pieces []piece, ends [][markCount]int) {
	var open []mark
	tripled := false
	for i := range pieces {
		stars := 0
		keep := slices.IndexFunc(open, func(m mark) bool { return !reaches(pieces, i, m) })
		for keep >= 0 && len(open) > keep {
			m := open[len(open)-1]
			open = open[:len(open)-1]
			if reaches(pieces, i, m) {
				take(m, pieces[i:ends[i][m]])
			}
			if m.isStar() {
				stars++
			}
		}
		inside := slices.ContainsFunc(open, mark.isStar)
		touches := i > 0 && !unicode.IsSpace(pieces[i-1].last())
		tripled = tripled && inside
		for _, m := range beginning(pieces, ends, i) {
			if m.isStar() && inside && tripled && touches {
				take(m, pieces[i:ends[i][m]])
				continue
			}
			open = append(open, m)
			if m.isStar() {
				stars++
			}
		}
		tripled = tripled || stars > 1
	}
}

// take takes a mark off pieces. It is called at most once for each.
func take(m mark, pieces []piece) {
	for i := range pieces {
		pieces[i].on[m] = 0
	}
}

// first returns the first character the piece is written with, and last the last one.
func (p piece) first() rune {
	if p.isCode() {
		return '`'
	}
	return firstRune(p.text)
}

func (p piece) last() rune {
	if p.isCode() {
		return '`'
	}
	return lastRune(p.text)
}

// isCode reports whether the piece is written in backticks.
func (p piece) isCode() bool {
	return p.code && (p.kind == word || p.kind == scriptSign)
}
