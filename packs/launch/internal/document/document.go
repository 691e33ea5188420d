// Package document reads what people have written about a product: the prose of
// a file in pieces, each with the lines it stands on, and the code between.
//
// Documents are untrusted. Nothing in them is followed or executed; images and
// HTML are dropped, links are reduced to their text.
package document

import (
	"path"
	"regexp"
	"strings"
)

// A Kind says what a block was in the document.
type Kind int

// The kinds of blocks.
const (
	Sentence Kind = iota // of a paragraph
	Item                 // of a list
	Step                 // of an ordered list
	Row                  // of a table
)

// A Block is one piece of prose on one line, without markup except that code
// stands in backticks.
type Block struct {
	Kind    Kind
	Text    string
	Start   int // the first line, from 1
	End     int // the last line
	Heading string
	// Above are the titles that Heading stands below, the nearest first.
	Above []string
	// Nested is an item of a list within a list, or a further sentence of a long
	// item: it speaks of what stands above it.
	Nested bool
	// Open is an item of a list of tasks that is not done.
	Open bool
}

// A Fence is code in a document.
type Fence struct {
	Language string // as it is written, may be empty
	Code     string
	Start    int // the first line of the code, without the fence
	End      int
	Heading  string
}

// A Heading is a title within a document.
type Heading struct {
	Text  string
	Level int
	Line  int
	// Parent is the place of the heading above it in Document.Headings, from 1;
	// 0 is none.
	Parent int
}

// A Document is a file in pieces, in order.
type Document struct {
	Headings []Heading
	Blocks   []Block
	Fences   []Fence
}

// Is says whether a path looks like a document of its own accord.
func Is(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".rst":
		return true
	}
	return false
}

// Parse reads a file by the format that its name says. Text that is not UTF-8 is
// read with U+FFFD in place of what is not.
func Parse(name, text string) Document {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\uFFFD")
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown":
		return markdown(text)
	case ".rst":
		return restructured(text)
	}
	return plain(text)
}

// First returns the text of the first heading of level 1 and its line.
func (d Document) First() (title string, line int) {
	for _, heading := range d.Headings {
		if heading.Level == 1 {
			return heading.Text, heading.Line
		}
	}
	return "", 0
}

var contents = regexp.MustCompile(`(?i)^(table of )?contents$`)

// add keeps a block if it says something.
func (d *Document) add(block Block) {
	block.Text = strings.Join(strings.Fields(block.Text), " ")
	switch {
	case strings.HasPrefix(block.Text, "[ ] "):
		block.Text, block.Open = block.Text[4:], true
	case strings.HasPrefix(strings.ToLower(block.Text), "[x] "):
		block.Text = block.Text[4:]
	}
	block.Above = d.titlesAbove()
	if block.Heading = d.heading(); hasWord.MatchString(block.Text) && !contents.MatchString(block.Heading) {
		d.Blocks = append(d.Blocks, block)
	}
}

var hasWord = regexp.MustCompile(`\pL\pL`)

func (d *Document) addHeading(text string, level, line int) {
	if text = strings.Join(strings.Fields(text), " "); text != "" {
		d.Headings = append(d.Headings, Heading{text, level, line, d.parent(level)})
	}
}

// parent is the place in Headings, from 1, of the one that a new heading of a
// level stands below; 0 is none.
func (d *Document) parent(level int) int {
	at := len(d.Headings)
	for at > 0 && d.Headings[at-1].Level >= level {
		at = d.Headings[at-1].Parent
	}
	return at
}

// titlesAbove are the titles that the nearest heading stands below.
func (d *Document) titlesAbove() []string {
	var titles []string
	if n := len(d.Headings); n > 0 {
		for at := d.Headings[n-1].Parent; at > 0; at = d.Headings[at-1].Parent {
			titles = append(titles, d.Headings[at-1].Text)
		}
	}
	return titles
}

func (d *Document) addFence(fence Fence) {
	if fence.Heading = d.heading(); strings.TrimSpace(fence.Code) != "" {
		d.Fences = append(d.Fences, fence)
	}
}

// heading is the nearest one so far.
func (d *Document) heading() string {
	if len(d.Headings) == 0 {
		return ""
	}
	return d.Headings[len(d.Headings)-1].Text
}
