package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A passage gathers the text of one block, together with its styles, until it can be written. Styles belong to each
// piece of text instead of being opened and closed, so that neighbours join, nested repeats vanish and tags that cross
// each other do no harm.
type passage struct {
	kind    passageKind
	pieces  []piece
	scripts []script // open superscripts and subscripts, outermost first
	steps   int      // pieces looked at
}

type passageKind uint8

const (
	flowing  passageKind = iota // paragraphs
	oneLine                     // a heading or a table cell: every break is a space
	verbatim                    // preformatted text
)

// A piece is a stretch of text that is written in one way. Edges matter to Markdown, so white space and the
// punctuation at either end of styled text are pieces of their own.
type piece struct {
	kind pieceKind
	code bool
	text string
	on   marks
}

type pieceKind uint8

const (
	word pieceKind = iota
	space
	breakLine
	breakParagraph
	scriptSign // ^ or _, with the bracket that may follow
	markup     // finished Markdown
)

// A style is how the text at hand looks.
type style struct {
	on     marks
	code   bool
	script bool
}

// A script is an open sup or sub element.
type script struct {
	at      int  // index of its sign
	complex bool // holds another script
	spaced  bool // began with white space
}

// begin empties the passage for text of the given kind.
func (p *passage) begin(kind passageKind) {
	clear(p.pieces)
	p.kind, p.pieces, p.scripts = kind, p.pieces[:0], p.scripts[:0]
}

// invisible characters do nothing but get in the way of those who copy an example.
var invisible = strings.NewReplacer("\x00", "", "\u200b", "", "\ufeff", "")

func (p *passage) text(s string, st style) {
	s = invisible.Replace(s)
	if p.kind == verbatim {
		p.add(word, lineEnds.Replace(s), st)
		return
	}
	if s == "" {
		return
	}
	fields := strings.Fields(s)
	if unicode.IsSpace(firstRune(s)) {
		p.space(st)
	}
	if len(fields) == 0 {
		return
	}
	p.words(strings.Join(fields, " "), st)
	if unicode.IsSpace(lastRune(s)) {
		p.space(st)
	}
}

// lineEnds are what CommonMark takes for the end of a line, and the space that only looks like one.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u00a0", " ")

// words adds text without white space around it.
func (p *passage) words(s string, st style) {
	if st.code || st.on == (marks{}) {
		p.add(word, s, st)
		return
	}
	body := strings.TrimLeftFunc(s, isEdge)
	p.add(word, s[:len(s)-len(body)], st)
	core := strings.TrimRightFunc(body, isEdge)
	p.add(word, core, st)
	p.add(word, body[len(core):], st)
}

func (p *passage) add(kind pieceKind, text string, st style) {
	if text != "" {
		p.pieces = append(p.pieces, piece{kind: kind, code: st.code, text: text, on: st.on})
	}
}

// space adds a space, unless there is one already or nothing that it could stand after.
func (p *passage) space(st style) {
	if n := len(p.scripts); n > 0 && p.scripts[n-1].at == len(p.pieces)-1 {
		p.scripts[n-1].spaced = true
		return
	}
	switch p.last() {
	case word, scriptSign, markup:
		p.add(space, " ", st)
	}
}

// last returns the kind of the last piece; an empty passage stands at the start of a line.
func (p *passage) last() pieceKind {
	if len(p.pieces) == 0 {
		return breakLine
	}
	return p.pieces[len(p.pieces)-1].kind
}

// lineBreak adds what br stands for. Two in a row leave a blank line and therefore part two paragraphs.
func (p *passage) lineBreak(st style) {
	switch p.kind {
	case verbatim:
		p.add(word, "\n", st)
	case oneLine:
		p.space(st)
	default:
		p.dropSpace()
		switch {
		case len(p.pieces) == 0 || p.last() == breakParagraph:
		case p.last() == breakLine:
			p.pieces[len(p.pieces)-1].kind = breakParagraph
		default:
			p.add(breakLine, "  \n", style{})
		}
	}
}

// border sets blocks apart where no block can be.
func (p *passage) border() {
	n := len(p.pieces)
	switch {
	case p.kind != verbatim:
		p.space(style{})
	case n > 0 && !strings.HasSuffix(p.pieces[n-1].text, "\n"):
		p.add(word, "\n", style{code: true})
	}
}

// dropSpace removes a space from the end and reports whether there was one.
func (p *passage) dropSpace() bool {
	if p.last() != space {
		return false
	}
	p.pieces = p.pieces[:len(p.pieces)-1]
	return true
}

func (p *passage) image(alt, source string, st style) {
	alt = strings.Join(strings.Fields(invisible.Replace(alt)), " ")
	text := appendText([]byte("!["), alt, '[', ']', true)
	p.add(markup, string(text)+"]("+source+")", st)
}

// openScript begins a superscript or subscript.
func (p *passage) openScript(sign string, st style) {
	p.scripts = append(p.scripts, script{at: len(p.pieces)})
	p.add(scriptSign, sign, st)
}

// closeScript ends the innermost script. One that holds nothing leaves no sign; one that is more than a simple term
// is put in brackets, so that 2<sup>n-1</sup> does not read as 2^n minus 1.
func (p *passage) closeScript() {
	n := len(p.scripts)
	if n == 0 {
		return // a block has ended it already
	}
	s := p.scripts[n-1]
	p.scripts = p.scripts[:n-1]
	if n > 1 {
		p.scripts[n-2].complex = true
	}
	spaced := p.dropSpace()
	sign := &p.pieces[s.at]
	switch content := p.pieces[s.at+1:]; {
	case len(content) == 0:
		p.pieces = p.pieces[:s.at]
		spaced = s.spaced
	case s.complex || !p.isTerm(content, *sign):
		sign.text += "("
		p.pieces = append(p.pieces, piece{kind: word, code: sign.code, text: ")", on: sign.on})
	}
	if spaced {
		p.space(style{})
	}
}

// closeScripts ends the scripts still open when their block ends.
func (p *passage) closeScripts() {
	for len(p.scripts) > 0 {
		p.closeScript()
	}
}

// isTerm reports whether the pieces are one run of letters and digits, perhaps with a sign before it, or signs alone,
// all in the style of their sign.
func (p *passage) isTerm(pieces []piece, like piece) bool {
	signed := true
	for _, piece := range pieces {
		p.steps += len(piece.text)
		if piece.kind != word || piece.on != like.on || piece.code != like.code {
			return false
		}
		for _, r := range piece.text {
			sign := strings.ContainsRune("+-−±*", r)
			if !sign && !isAlphanumeric(r) || sign && !signed {
				return false
			}
			signed = sign
		}
	}
	return true
}

// verbatimText returns the gathered text as it stands, without the newlines next to the tags around it.
func (p *passage) verbatimText() string {
	p.closeScripts()
	var text strings.Builder
	for _, piece := range p.pieces {
		text.WriteString(piece.text)
	}
	return strings.TrimSuffix(strings.TrimPrefix(text.String(), "\n"), "\n")
}

func isAlphanumeric(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// isPunctuation is CommonMark's notion: symbols count.
func isPunctuation(r rune) bool {
	return unicode.IsPunct(r) || unicode.IsSymbol(r)
}

// isEdge reports whether a mark may be unable to begin or end at the character.
func isEdge(r rune) bool {
	return isPunctuation(r) || unicode.IsSpace(r)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
