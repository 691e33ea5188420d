package markdown

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// render returns the paragraphs of the passage as Markdown. Blank ones are left out; lines within a paragraph end in
// two spaces and a newline. The passage is not to be used afterwards until it begins anew.
func (p *passage) render(links map[uint32]string) []string {
	p.closeScripts()
	var paragraphs []string
	for rest := p.pieces; len(rest) > 0; {
		end := slices.IndexFunc(rest, func(piece piece) bool { return piece.kind == breakParagraph })
		pieces := rest
		if end >= 0 {
			pieces, rest = rest[:end], rest[end+1:]
		} else {
			rest = nil
		}
		pieces = trimmed(pieces)
		spareLinks(pieces)
		p.fit(pieces)
		ends := spanEnds(pieces)
		nest(pieces, ends)
		p.steps += len(pieces)
		r := renderer{pieces: pieces, ends: ends, links: links}
		if text := r.render(); text != "" {
			paragraphs = append(paragraphs, text)
		}
	}
	return paragraphs
}

// trimmed returns the pieces without spaces and breaks at the end. There are none at the start.
func trimmed(pieces []piece) []piece {
	for n := len(pieces); n > 0 && (pieces[n-1].kind == space || pieces[n-1].kind == breakLine); n-- {
		pieces = pieces[:n-1]
	}
	return pieces
}

// A renderer writes the pieces of one paragraph.
type renderer struct {
	pieces []piece
	ends   [][markCount]int
	links  map[uint32]string
	text   []byte
	open   []mark // outermost first
	// subscript says that an underscore was written which could open emphasis, should another one close it.
	subscript bool
}

func (r *renderer) render() string {
	for i := 0; i < len(r.pieces); {
		r.closeMarks(i)
		r.openMarks(i)
		i = r.piece(i)
	}
	r.closeMarks(len(r.pieces))
	return string(r.text)
}

// closeMarks closes the marks that do not reach into piece i.
func (r *renderer) closeMarks(i int) {
	for n := len(r.open); n > 0 && !reaches(r.pieces, i, r.open[n-1]); n-- {
		if m := r.open[n-1]; m == link {
			r.text = append(r.text, "]("+r.links[r.pieces[i-1].on[link]]+")"...)
		} else {
			r.text = append(r.text, delimiters[m]...)
		}
		r.open = r.open[:n-1]
	}
}

// openMarks opens the marks that begin at piece i.
func (r *renderer) openMarks(i int) {
	for _, m := range beginning(r.pieces, r.ends, i) {
		r.text = append(r.text, delimiters[m]...)
		r.open = append(r.open, m)
	}
}

// piece writes piece i, or all the code that begins there, and returns the index of the next one to write.
func (r *renderer) piece(i int) int {
	p := r.pieces[i]
	switch {
	case p.isCode():
		return r.code(i)
	case p.kind == word:
		inLink := slices.Contains(r.open, link)
		r.text = appendText(r.text, p.text, r.before(), r.after(i), inLink)
	case p.kind == scriptSign:
		r.sign(i)
	default:
		r.text = append(r.text, p.text...)
	}
	return i + 1
}

// code writes a backtick span from all the code that follows without a change of marks. Its delimiter is longer than
// any run of backticks inside.
func (r *renderer) code(from int) int {
	to := from + 1
	for i := to; i < len(r.pieces) && r.sameCode(from, i); i++ {
		if r.pieces[i].kind != space {
			to = i + 1
		}
	}
	var text strings.Builder
	for _, p := range r.pieces[from:to] {
		text.WriteString(p.text)
	}
	code := text.String()
	delimiter := strings.Repeat("`", longestRun(code, '`')+1)
	pad := ""
	if code[0] == '`' || code[len(code)-1] == '`' {
		pad = " "
	}
	r.text = append(r.text, delimiter+pad+code+pad+delimiter...)
	return to
}

func (r *renderer) sameCode(a, b int) bool {
	p, q := r.pieces[a], r.pieces[b]
	if !q.isCode() && !(q.code && q.kind == space) {
		return false
	}
	for m := range mark(markCount) {
		if p.on[m] != q.on[m] && !p.on.continues(q.on, m) {
			return false
		}
	}
	return true
}

// sign writes what stands before a superscript or subscript. An underscore is escaped when it would close emphasis
// that an earlier one opened.
func (r *renderer) sign(i int) {
	text := r.pieces[i].text
	if text[0] == '_' {
		after := r.after(i)
		if len(text) > 1 {
			after = rune(text[1])
		}
		opens, closes := underscore(r.before(), after)
		if closes && r.subscript {
			r.text = append(r.text, '\\')
		} else if opens {
			r.subscript = true
		}
	}
	r.text = append(r.text, text...)
}

// before returns the character that the next one is written after; a line begins after a space.
func (r *renderer) before() rune {
	if len(r.text) == 0 {
		return ' '
	}
	last, _ := utf8.DecodeLastRune(r.text)
	return last
}

// after returns the character that will follow piece i.
func (r *renderer) after(i int) rune {
	if i+1 == len(r.pieces) {
		return ' '
	}
	for _, m := range r.open {
		if !reaches(r.pieces, i+1, m) {
			return rune(delimiters[m][0])
		}
	}
	if begin := beginning(r.pieces, r.ends, i+1); len(begin) > 0 {
		return rune(delimiters[begin[0]][0])
	}
	return r.pieces[i+1].first()
}

func longestRun(s string, b byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] == b {
			run++
		} else {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// underscore reports whether an underscore between two characters could open or close emphasis. Between two letters
// it does neither.
func underscore(before, after rune) (opens, closes bool) {
	spaceBefore, spaceAfter := unicode.IsSpace(before), unicode.IsSpace(after)
	markBefore, markAfter := isPunctuation(before), isPunctuation(after)
	left := !spaceAfter && (!markAfter || spaceBefore || markBefore)
	right := !spaceBefore && (!markBefore || spaceAfter || markAfter)
	return left && (!right || markBefore), right && (!left || markAfter)
}
