package document

import (
	"regexp"
	"sort"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

func markdown(source string) Document {
	source = bounded(source)
	reader := markdownReader{source: []byte(source), lines: lineStarts(source)}
	root := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(reader.source))
	reader.walk(root, Sentence, 0)
	return reader.document
}

// lineStarts are the offsets where lines begin.
func lineStarts(source string) []int {
	starts := []int{0}
	for i := range len(source) {
		if source[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

type markdownReader struct {
	source   []byte
	lines    []int
	document Document
	lists    int // within each other
}

func (r *markdownReader) line(offset int) int {
	return sort.Search(len(r.lines), func(i int) bool { return r.lines[i] > offset })
}

// walk reads the blocks below a node; kind is that of their text.
func (r *markdownReader) walk(parent ast.Node, kind Kind, depth int) {
	if depth > maxDepth {
		return
	}
	for node := parent.FirstChild(); node != nil; node = node.NextSibling() {
		switch node := node.(type) {
		case *ast.Heading:
			r.heading(node)
		case *ast.Paragraph, *ast.TextBlock:
			r.paragraph(node, kind)
		case *ast.FencedCodeBlock:
			r.fence(node, string(node.Language(r.source)))
		case *ast.CodeBlock:
			r.fence(node, "")
		case *table.Table:
			r.table(node)
		case *ast.List:
			within := Item
			if node.IsOrdered() {
				within = Step
			}
			r.lists++
			r.walk(node, within, depth+1)
			r.lists--
		case *ast.HTMLBlock, *ast.ThematicBreak:
		default:
			r.walk(node, kind, depth+1)
		}
	}
}

func (r *markdownReader) heading(node *ast.Heading) {
	if node.Lines().Len() == 0 {
		return
	}
	inline := r.inline(node)
	r.document.addHeading(strings.ReplaceAll(inline.prose.text.String(), "`", ""), node.Level, r.line(node.Lines().At(0).Start))
}

// paragraph adds prose, unless there is nothing but links in it.
func (r *markdownReader) paragraph(node ast.Node, kind Kind) {
	inline := r.inline(node)
	if inline.plainText {
		from := len(r.document.Blocks)
		inline.prose.blocks(&r.document, kind)
		for i := range r.document.Blocks[from:] {
			r.document.Blocks[from+i].Nested = r.lists > 1 || kind == Item && i > 0
		}
	}
}

func (r *markdownReader) fence(node ast.Node, language string) {
	lines := node.Lines()
	if lines.Len() == 0 {
		return
	}
	var code strings.Builder
	for i := range lines.Len() {
		segment := lines.At(i)
		code.Write(segment.Value(r.source))
	}
	first := r.line(lines.At(0).Start)
	r.document.addFence(Fence{Language: strings.ToLower(language), Code: code.String(), Start: first, End: first + lines.Len() - 1})
}

// table adds a block for each row, with the names of its columns. It stands on
// all lines from those names on.
func (r *markdownReader) table(node *table.Table) {
	var names []string
	first := 0
	for row := node.FirstChild(); row != nil; row = row.NextSibling() {
		cells, line := r.cells(row)
		if _, ok := row.(*table.TableHeader); ok {
			names, first = cells, line
			continue
		}
		if line == 0 {
			continue
		}
		var parts []string
		for i, cell := range cells {
			if cell == "" {
				continue
			}
			if i < len(names) && names[i] != "" {
				cell = names[i] + ": " + cell
			}
			parts = append(parts, cell)
		}
		r.document.add(Block{Kind: Row, Text: strings.Join(parts, "; "), Start: first, End: line})
	}
}

// cells returns the text of the cells of a row and its line, which is 0 if no
// cell has text.
func (r *markdownReader) cells(row ast.Node) (cells []string, line int) {
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		inline := r.inline(cell)
		if len(inline.prose.marks) > 0 {
			line = inline.prose.marks[0].line
		}
		cells = append(cells, strings.TrimSpace(inline.prose.text.String()))
	}
	return cells, line
}

// inlineText is the text within a block.
type inlineText struct {
	prose     prose
	plainText bool   // there is text outside of links
	hidden    string // the element whose content is dropped
	inLink    int
}

func (r *markdownReader) inline(node ast.Node) *inlineText {
	in := &inlineText{}
	r.collect(in, node, 0)
	return in
}

func (r *markdownReader) collect(in *inlineText, parent ast.Node, depth int) {
	if depth > maxDepth {
		return
	}
	for node := parent.FirstChild(); node != nil; node = node.NextSibling() {
		switch node := node.(type) {
		case *ast.Text:
			r.text(in, node)
		case *ast.CodeSpan:
			r.code(in, node)
		case *ast.Image:
		case *ast.Link:
			in.inLink++
			r.collect(in, node, depth+1)
			in.inLink--
		case *ast.AutoLink:
			in.inLink++
			in.add(string(node.Label(r.source)), in.lastLine(r.line(firstOffset(node))))
			in.inLink--
		case *ast.RawHTML:
			in.html(r.source, node)
		default:
			r.collect(in, node, depth+1)
		}
	}
}

func firstOffset(node ast.Node) int {
	if previous, ok := node.PreviousSibling().(*ast.Text); ok {
		return previous.Segment.Stop
	}
	for block := node.Parent(); block != nil; block = block.Parent() {
		if block.Type() == ast.TypeBlock && block.Lines() != nil && block.Lines().Len() > 0 {
			return block.Lines().At(0).Start
		}
	}
	return 0
}

// lastLine is line, or that of the text before if it is later.
func (in *inlineText) lastLine(line int) int {
	if n := len(in.prose.marks); n > 0 {
		return max(line, in.prose.marks[n-1].line)
	}
	return line
}

func (r *markdownReader) text(in *inlineText, node *ast.Text) {
	value := util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(node.Segment.Value(r.source))))
	line := r.line(node.Segment.Start)
	in.add(string(value), line)
	if node.SoftLineBreak() || node.HardLineBreak() {
		in.add("\n", line)
	}
}

func (r *markdownReader) code(in *inlineText, node ast.Node) {
	var code strings.Builder
	line := 0
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		if text, ok := child.(*ast.Text); ok {
			if line == 0 {
				line = r.line(text.Segment.Start)
			}
			code.Write(text.Segment.Value(r.source))
		}
	}
	if line > 0 && !strings.Contains(code.String(), "`") {
		in.add("`"+strings.TrimSpace(code.String())+"`", line)
	} else if line > 0 {
		in.add(code.String(), line)
	}
}

func (in *inlineText) add(text string, line int) {
	if in.hidden != "" {
		return
	}
	if in.inLink == 0 && hasWord.MatchString(text) {
		in.plainText = true
	}
	in.prose.write(text, line)
}

var activeTag = regexp.MustCompile(`(?i)^<(/?)(script|style|iframe|object|template|svg|noscript)\b`)

// html drops a tag, and with some the content as well.
func (in *inlineText) html(source []byte, node *ast.RawHTML) {
	if node.Segments.Len() == 0 {
		return
	}
	segment := node.Segments.At(0)
	tag := activeTag.FindSubmatch(segment.Value(source))
	switch {
	case tag == nil:
	case len(tag[1]) == 0 && in.hidden == "":
		in.hidden = strings.ToLower(string(tag[2]))
	case len(tag[1]) > 0 && in.hidden == strings.ToLower(string(tag[2])):
		in.hidden = ""
	}
}
