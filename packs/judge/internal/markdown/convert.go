package markdown

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxDepth bounds the number of open elements, and with it the cost of finding the element that an end tag closes.
// Elements nested deeper keep their text and lose their markup.
const maxDepth = 256

// convert returns HTML as Markdown. It follows the browsers in what they make of broken HTML where that is cheap, and
// loses markup rather than text where it is not.
func convert(content string) string {
	c := newConverter(content)
	c.run()
	return c.out.text.String()
}

// A converter reads HTML tokens and writes Markdown blocks. Open elements are kept on a stack; text gathers in a
// passage until the block it belongs to begins or ends.
type converter struct {
	tokens  *html.Tokenizer
	out     writer
	passage passage
	style   style
	stack   []element
	excess  int // open elements beyond maxDepth
	table   *table
	marks   uint32 // how many styles and links were opened so far; each opening is known by its number
	links   map[uint32]string
	steps   int // open elements looked at; see work
}

// An element is one that is open.
type element struct {
	tag   atom.Atom
	role  role
	style style // of the text around it
	// inside says that the element stands in a passage of its own kind, such as a table cell, where blocks are not
	// possible: it only sets its content apart.
	inside   bool
	list     *list
	indents  bool   // whether it is a container of the writer
	language string // of a pre
}

func newConverter(content string) *converter {
	return &converter{tokens: html.NewTokenizer(strings.NewReader(content)), links: map[uint32]string{}}
}

func (c *converter) run() {
	for {
		switch c.tokens.Next() {
		case html.ErrorToken:
			c.closeTo(0)
			c.flush()
			return
		case html.TextToken:
			c.passage.text(string(c.tokens.Text()), c.style)
		case html.StartTagToken, html.SelfClosingTagToken:
			c.start(tagOf(c.tokens))
		case html.EndTagToken:
			c.end(tagOf(c.tokens))
		}
	}
}

// work counts what conversion looked at besides the tokens. It lets a test hold conversion to linear time without a
// clock.
func (c *converter) work() int {
	return c.steps + c.passage.steps + c.out.steps
}

func (c *converter) start(tag atom.Atom) {
	switch {
	case dropped[tag]:
		skip(c.tokens, tag)
		return
	case tag == atom.Br:
		c.passage.lineBreak(c.style)
		return
	case tag == atom.Hr:
		c.rule()
		return
	case tag == atom.Img:
		c.image()
		return
	}
	r := roles[tag]
	switch {
	case r == 0:
	case len(c.stack) == maxDepth:
		c.excess++
		c.setApart(r)
	default:
		c.closeImplied(r)
		c.setApart(r)
		c.open(tag, r)
	}
}

func (c *converter) end(tag atom.Atom) {
	r := roles[tag]
	switch {
	case tag == atom.Br: // browsers read </br> as <br>
		c.passage.lineBreak(c.style)
	case r == 0:
	case c.excess > 0:
		c.excess--
		c.setApart(r)
	default:
		alike := role(0)
		if r == roleHeading {
			alike = roleHeading
		}
		if at := c.find(tag, scope{alike, stopsEnd(r)}); at >= 0 {
			c.closeTo(at)
		} else {
			c.setApart(r)
		}
	}
}

// find returns the index of the innermost open element with the given tag or a wanted role, or -1.
func (c *converter) find(tag atom.Atom, s scope) int {
	for i := len(c.stack) - 1; i >= 0; i-- {
		c.steps++
		if c.stack[i].tag == tag || c.stack[i].role&s.wanted != 0 {
			return i
		}
		if c.stack[i].role&s.stops != 0 {
			break
		}
	}
	return -1
}

func (c *converter) closeImplied(r role) {
	if s, ok := closedByStart[r]; ok {
		if at := c.find(0, s); at >= 0 {
			c.closeTo(at)
		}
	}
	if r&blockLevel != 0 {
		if at := c.find(0, scope{roleParagraph, structure}); at >= 0 {
			c.closeTo(at)
		}
	}
}

func (c *converter) closeTo(depth int) {
	for len(c.stack) > depth {
		e := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		c.close(e)
	}
}

// setApart ends the text gathered so far at the border of a block.
func (c *converter) setApart(r role) {
	if r&blockLevel == 0 {
		return
	}
	if c.passage.kind == flowing {
		c.flush()
	} else {
		c.passage.border()
	}
}

// open puts an element on the stack and begins what its role asks for.
func (c *converter) open(tag atom.Atom, r role) {
	e := element{tag: tag, role: r, style: c.style, inside: c.passage.kind != flowing}
	switch r {
	case roleStyle:
		c.mark(styleOf(tag))
	case roleLink:
		c.openLink()
	case roleCode:
		c.style.code = true
		c.noteLanguage(c.language())
	case roleScript:
		c.passage.openScript(scriptOf(tag), c.style)
		c.style.script = true
	case rolePre:
		if !e.inside {
			e.language = c.language()
			c.passage.begin(verbatim)
		}
		c.style.code = true
	default:
		if !e.inside {
			c.openBlock(&e)
		}
	}
	c.stack = append(c.stack, e)
}

func (c *converter) openBlock(e *element) {
	switch e.role {
	case roleHeading:
		c.passage.begin(oneLine)
	case roleList:
		e.list = newList(e.tag == atom.Ol, c.attributes("start")[0])
		// A list put straight into a list belongs to the item before it.
		if parent := c.enclosingList(); parent != nil && parent.rest != "" {
			e.indents = c.out.enter(container{rest: parent.rest, begun: true, list: parent})
		}
	case roleItem:
		l := c.enclosingList()
		if l == nil { // an item without a list is the first of one
			l = newList(false, "")
			c.stack = append(c.stack, element{tag: atom.Ul, role: roleList, style: c.style, list: l})
		}
		e.indents = c.out.enter(l.item())
	case roleQuote:
		e.indents = c.out.enter(container{first: "> ", rest: "> "})
	case roleTable:
		c.table = &table{}
	case roleRow:
		if c.table != nil {
			c.table.row()
		}
	case roleCell:
		if c.table != nil {
			c.passage.begin(oneLine)
			c.style = style{}
		} else {
			e.inside = true
		}
	}
}

func (c *converter) close(e element) {
	if e.role == roleScript {
		c.passage.closeScript()
	}
	if !e.inside {
		c.closeBlock(e)
	} else {
		c.setApart(e.role)
	}
	c.style = e.style
}

func (c *converter) closeBlock(e element) {
	switch e.role {
	case roleHeading:
		text := c.line()
		level, _ := strconv.Atoi(e.tag.String()[1:])
		c.out.heading(level, text)
	case rolePre:
		text := c.passage.verbatimText()
		c.passage.begin(flowing)
		c.out.fence(e.language, text)
	case roleCell:
		c.table.cell(c.line())
	case roleTable:
		c.flush()
		c.out.table(c.table)
		c.table = nil
	default:
		c.setApart(e.role)
	}
	if e.indents {
		c.out.leave()
	}
}

// line ends the passage of a heading or cell and returns its text.
func (c *converter) line() string {
	text := strings.Join(c.passage.render(c.links), " ")
	c.passage.begin(flowing)
	return text
}

// flush writes the text gathered so far as paragraphs.
func (c *converter) flush() {
	for _, text := range c.passage.render(c.links) {
		c.out.paragraph(text)
	}
	c.passage.begin(flowing)
}

func (c *converter) enclosingList() *list {
	at := c.find(0, scope{roleList, roleItem | roleQuote | roleTable | roleCell})
	if at < 0 {
		return nil
	}
	return c.stack[at].list
}

// mark gives the text that follows one more style. Code and scripts take none: it would only be noise there.
func (c *converter) mark(m mark) {
	if c.style.code || c.style.script {
		return
	}
	if c.style.on[m] == 0 {
		c.marks++
		c.style.on[m] = c.marks
	}
}

func (c *converter) openLink() {
	href := c.attributes("href")[0]
	c.style.on[link] = 0
	if destination, ok := destination(href); ok && !c.style.code {
		c.marks++
		c.style.on[link] = c.marks
		c.links[c.marks] = destination
	}
}

func (c *converter) image() {
	values := c.attributes("alt", "src")
	alt := values[0]
	if source, ok := destination(values[1]); ok && c.passage.kind != verbatim && !c.style.code {
		c.passage.image(alt, source, c.style)
	} else {
		c.passage.text(alt, c.style)
	}
}

func (c *converter) rule() {
	if c.excess == 0 {
		c.closeImplied(roleBlock)
	}
	c.setApart(roleBlock)
	if c.passage.kind == flowing {
		c.out.rule()
	}
}

// language returns what the class of the tag just read says about the language of its code.
func (c *converter) language() string {
	for class := range strings.FieldsSeq(c.attributes("class")[0]) {
		if name, ok := strings.CutPrefix(class, "language-"); ok && !strings.ContainsAny(name, "`\\&") {
			return name
		}
	}
	return ""
}

// noteLanguage gives the pre around a code element the language of its code.
func (c *converter) noteLanguage(language string) {
	if c.passage.kind != verbatim || language == "" {
		return
	}
	if at := c.find(0, scope{rolePre, 0}); at >= 0 && c.stack[at].language == "" {
		c.stack[at].language = language
	}
}

// attributes returns the values of the named attributes of the tag just read, empty for those it lacks. Of an
// attribute given twice the first counts.
func (c *converter) attributes(names ...string) []string {
	values := make([]string, len(names))
	seen := make([]bool, len(names))
	for more := true; more; {
		var key, value []byte
		key, value, more = c.tokens.TagAttr()
		for i, name := range names {
			if string(key) == name && !seen[i] {
				values[i], seen[i] = string(value), true
			}
		}
	}
	return values
}
