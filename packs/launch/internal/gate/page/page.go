// Package page reads a page of a site the way gates look at it: its settings,
// its lines with what they are, its headings, links and code.
//
// What is code and what is not is decided by a Markdown parser, so that nobody
// can hide a statement or a script from the gates that a reader would see.
package page

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"mcpworks/packs/launch/internal/patch/frontmatter"
	"mcpworks/packs/launch/internal/patch/linediff"
)

// MaxSize is how large a page may be to be read, in bytes.
const MaxSize = 1 << 20

// Why a page cannot be read.
var (
	ErrTooLarge  = errors.New("page is larger than 1 MiB")
	ErrParagraph = errors.New("page has a paragraph of more than 32 KiB")
	ErrNested    = errors.New("page has a line with 32 quotes and lists in each other")
	ErrEncoding  = errors.New("page is not UTF-8 text")
)

// A Kind says what a line is.
type Kind int

// The kinds.
const (
	Prose Kind = iota // paragraphs, list items, rows of tables, HTML
	Blank
	Front
	Heading
	Code     // in a fence, with the lines of the fence
	Indented // code without a fence
)

// A Line is one line of a page.
type Line struct {
	Number int // from 1
	Text   string
	Bare   string // the text with a space for each byte of code
	Kind   Kind
	New    bool // the base version does not have it
}

// InCode says whether the line is code.
func (l Line) InCode() bool { return l.Kind == Code || l.Kind == Indented }

// A Title is a heading.
type Title struct {
	Level int
	Text  string // without markup
	ID    string // what a link to it names
	Line  int
}

// A Link is a link or an image.
type Link struct {
	Target string
	Text   string
	Line   int
	Image  bool
}

// A Fence is a block of code in a fence.
type Fence struct {
	Language   string
	Code       string
	Start, End int // the lines of the fence itself
	Closed     bool
}

// A Page is a page that was read.
type Page struct {
	Text     string // with LF
	Format   frontmatter.Format
	Values   map[string]any // of the front matter
	FrontErr error          // why there are no values; frontmatter.ErrMissing if there is no front matter
	Lines    []Line
	Titles   []Title
	Links    []Link
	Fences   []Fence

	root   ast.Node
	source []byte
	offset int    // where the body starts in the text
	starts []int  // of the lines in the text
	bare   []byte // the text with spaces for code
}

// markdown reads everything but emphasis, which says nothing here and is the
// slowest part of a hostile page. It knows tables, as all that render pages do:
// the end of a cell ends the code in it.
var markdown = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100), util.Prioritized(parser.NewLinkParser(), 200),
		util.Prioritized(parser.NewAutoLinkParser(), 300), util.Prioritized(parser.NewRawHTMLParser(), 400),
	),
	parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(), util.Prioritized(extension.NewTableParagraphTransformer(), 200))...),
	parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
)

// Read reads a page.
func Read(content []byte) (*Page, error) {
	switch {
	case len(content) > MaxSize:
		return nil, ErrTooLarge
	case !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0:
		return nil, ErrEncoding
	}
	body := strings.ReplaceAll(strings.ReplaceAll(string(content), "\r\n", "\n"), "\r", "\n")
	p := &Page{Text: body, bare: []byte(body)}
	p.readFront()
	p.source = []byte(body[p.offset:])
	if err := checkEffort(body[p.offset:]); err != nil {
		return nil, err
	}
	p.root = markdown.Parse(text.NewReader(p.source))
	p.readLines()
	p.readBlocks()
	return p, nil
}

// readFront finds the settings. If they cannot be read, the page has no body
// but the whole text, unless their end is known.
func (p *Page) readFront() {
	split, err := frontmatter.Split(p.Text)
	if p.FrontErr = err; err != nil {
		return
	}
	p.Format = split.Format
	p.offset = len(p.Text) - len(split.Body())
	p.Values, p.FrontErr = split.Values()
}

func (p *Page) readLines() {
	at := 0
	for line := range strings.Lines(p.Text) {
		p.starts = append(p.starts, at)
		content := strings.TrimSuffix(line, "\n")
		kind := Prose
		switch {
		case at < p.offset:
			kind = Front
		case strings.TrimSpace(content) == "":
			kind = Blank
		}
		p.Lines = append(p.Lines, Line{Number: len(p.Lines) + 1, Text: content, Kind: kind, New: true})
		at += len(line)
	}
}

// lineAt is the index of the line that has a place of the body.
func (p *Page) lineAt(place int) int {
	at, found := slices.BinarySearch(p.starts, place+p.offset)
	if !found {
		at--
	}
	return at
}

// Since marks the lines that an older version does not have as new, and all
// others as old.
func (p *Page) Since(older []byte) {
	before := strings.ReplaceAll(string(older), "\r\n", "\n")
	for i := range p.Lines {
		p.Lines[i].New = false
	}
	for _, hunk := range linediff.Compare(linediff.Lines(before), linediff.Lines(p.Text)) {
		for i := hunk.B0; i < hunk.B1; i++ {
			p.Lines[i].New = true
		}
	}
}

// New says whether a line, counted from 1, is new.
func (p *Page) New(line int) bool { return line >= 1 && line <= len(p.Lines) && p.Lines[line-1].New }

// Bare is the body without what is code: spaces stand for it.
func (p *Page) Bare() string {
	var all strings.Builder
	for _, line := range p.Lines {
		if line.Kind != Front {
			all.WriteString(line.Bare)
		}
		all.WriteByte('\n')
	}
	return all.String()
}

// BodyLine is the number of the line on which the body starts.
func (p *Page) BodyLine() int { return strings.Count(p.Text[:p.offset], "\n") + 1 }
