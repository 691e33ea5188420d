package markdown

import (
	"strconv"
	"strings"
)

// maxIndent bounds the columns that quotes and list items put before a line, and with them the size of the output:
// each byte of a statement may become a line. Containers nested deeper keep their content and lose their marker.
const maxIndent = 40

// A writer writes Markdown blocks, one blank line apart, inside the containers that are entered.
type writer struct {
	text       strings.Builder
	containers []container
	indent     int
	blocks     int     // written so far
	tail       []*list // the list of each container of the last block, nil for a quote
	prose      bool    // whether the last block was a paragraph
	steps      int     // bytes and containers written
}

// A container puts something before each line of the blocks in it.
type container struct {
	first, rest string // before the first line and before all others
	begun       bool   // first is written
	list        *list  // whose item it is, or nil
}

// A list counts its items. An item counts once it has content.
type list struct {
	ordered   bool
	number    int
	delimiter string
	last      int    // the last block written inside an item
	rest      string // what goes before the lines of the last item
}

// newList returns a list that counts from start, where start is a number that leaves room for counting: CommonMark
// reads no more than nine digits.
func newList(ordered bool, start string) *list {
	l := &list{ordered: ordered, number: 1, delimiter: "."}
	const most = 99_999_999
	if n, err := strconv.Atoi(strings.TrimSpace(start)); err == nil && n >= 0 && n <= most {
		l.number = n
	}
	return l
}

func (l *list) item() container {
	first := "- "
	if l.ordered {
		first = strconv.Itoa(l.number) + l.delimiter + " "
	}
	return container{first: first, rest: strings.Repeat(" ", len(first)), list: l}
}

// enter begins a container and reports whether there was room for it.
func (w *writer) enter(c container) bool {
	if w.indent+len(c.rest) > maxIndent {
		return false
	}
	w.containers = append(w.containers, c)
	w.indent += len(c.rest)
	return true
}

// leave ends the innermost container.
func (w *writer) leave() {
	n := len(w.containers) - 1
	w.indent -= len(w.containers[n].rest)
	w.containers = w.containers[:n]
}

// paragraph writes text whose lines are already marked as such.
func (w *writer) paragraph(text string) {
	w.begin()
	first := true
	for line := range strings.SplitSeq(text, "\n") {
		w.line(guard(line, first))
		first = false
	}
	w.end(true)
}

func (w *writer) heading(level int, text string) {
	if text == "" {
		return
	}
	w.begin()
	w.line(strings.Repeat("#", level) + " " + closedHeading(text))
	w.end(false)
}

// fence writes a code block. Its fence is longer than any run of backticks inside.
func (w *writer) fence(language, code string) {
	if blank(code) {
		return
	}
	fence := strings.Repeat("`", max(3, longestRun(code, '`')+1))
	w.begin()
	w.line(fence + language)
	for line := range strings.SplitSeq(code, "\n") {
		w.line(line)
	}
	w.line(fence)
	w.end(false)
}

func (w *writer) rule() {
	w.begin()
	w.line("* * *")
	w.end(false)
}

func (w *writer) table(t *table) {
	lines := t.lines()
	if len(lines) == 0 {
		return
	}
	w.begin()
	for _, line := range lines {
		w.line(line)
	}
	w.end(false)
}

// begin sets a block apart from the one before it.
func (w *writer) begin() {
	fresh := 0 // the first container that this block begins
	for fresh < len(w.containers) && w.containers[fresh].begun {
		fresh++
	}
	if w.blocks > 0 && !w.tight(fresh) {
		w.text.WriteString("\n" + strings.TrimRight(w.prefix(fresh), " "))
	}
	w.number(fresh)
}

// tight reports whether the block follows the one before it without a blank line: the next item of a list, and a list
// that begins under the text of an item. CommonMark lets a list follow text like that only if it counts from 1.
func (w *writer) tight(fresh int) bool {
	if fresh == len(w.containers) || w.containers[fresh].list == nil {
		return false
	}
	l := w.containers[fresh].list
	if l.last != 0 {
		return l.last == w.blocks
	}
	within := fresh > 0 && w.containers[fresh-1].list != nil
	return within && w.prose && len(w.tail) == fresh && (!l.ordered || l.number == 1)
}

// number lets the items that begin with this block count. Two ordered lists in a row get different delimiters, since
// CommonMark would count through them otherwise.
func (w *writer) number(fresh int) {
	for i := fresh; i < len(w.containers); i++ {
		c := &w.containers[i]
		if c.list == nil {
			continue
		}
		if c.list.ordered && c.list.last == 0 && i < len(w.tail) && w.tail[i] != nil &&
			w.tail[i].ordered && w.tail[i].delimiter == c.list.delimiter {
			c.list.delimiter = strings.Trim(".)", c.list.delimiter)
		}
		item := c.list.item()
		c.first, c.rest = item.first, item.rest
		c.list.number++
		c.list.rest = c.rest
	}
}

// line writes one line of the current block.
func (w *writer) line(text string) {
	if w.text.Len() > 0 {
		w.text.WriteByte('\n')
	}
	prefix := w.prefix(len(w.containers))
	if text == "" {
		prefix = strings.TrimRight(prefix, " ")
	}
	for i := range w.containers {
		w.containers[i].begun = true
	}
	w.text.WriteString(prefix)
	w.text.WriteString(text)
	w.steps += len(prefix) + len(text) + len(w.containers)
}

// prefix returns what the outermost n containers put before the next line.
func (w *writer) prefix(n int) string {
	var prefix strings.Builder
	for _, c := range w.containers[:n] {
		if c.begun {
			prefix.WriteString(c.rest)
		} else {
			prefix.WriteString(c.first)
		}
	}
	return prefix.String()
}

// end notes where the block just written stands, for the sake of the next one.
func (w *writer) end(prose bool) {
	w.blocks++
	w.prose = prose
	w.tail = w.tail[:0]
	for _, c := range w.containers {
		w.tail = append(w.tail, c.list)
		if c.list != nil {
			c.list.last = w.blocks
		}
	}
}
