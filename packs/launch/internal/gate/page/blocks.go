package page

import (
	"html"
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// readBlocks finds headings, links and code.
func (p *Page) readBlocks() {
	_ = ast.Walk(p.root, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.Heading:
			p.heading(node)
		case *ast.FencedCodeBlock:
			p.fence(node)
		case *ast.CodeBlock:
			for i := range node.Lines().Len() {
				p.blank(node.Lines().At(i).Start, Indented)
			}
		case *ast.CodeSpan:
			for child := node.FirstChild(); child != nil; child = child.NextSibling() {
				if words, is := child.(*ast.Text); is {
					p.hide(words.Segment.Start, words.Segment.Stop)
				}
			}
		case *ast.Link:
			p.link(node, node.Destination, false)
		case *ast.Image:
			p.link(node, node.Destination, true)
		case *ast.AutoLink:
			p.link(node, node.URL(p.source), false)
		}
		return ast.WalkContinue, nil
	})
	for n, start := range p.starts {
		p.Lines[n].Bare = string(p.bare[start : start+len(p.Lines[n].Text)])
	}
}

// blank makes the line at a place of the body code.
func (p *Page) blank(place int, kind Kind) { p.blankLine(p.lineAt(place), kind) }

func (p *Page) blankLine(at int, kind Kind) {
	line := &p.Lines[at]
	line.Kind = kind
	p.hide(p.starts[at]-p.offset, p.starts[at]-p.offset+len(line.Text))
}

// hide puts spaces for a stretch of the body.
func (p *Page) hide(start, stop int) {
	for at := start + p.offset; at < stop+p.offset; at++ {
		if p.bare[at] != '\n' {
			p.bare[at] = ' '
		}
	}
}

var (
	attributes = regexp.MustCompile(`\s*\{([^}]*)\}\s*$`)
	explicitID = regexp.MustCompile(`#([^\s}]+)`)
	linkText   = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	comments   = regexp.MustCompile(`<!--.*?-->`)
	escapes    = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
)

// Plain is a line of Markdown without its markup.
func Plain(line string) string {
	line = comments.ReplaceAllString(line, "")
	line = linkText.ReplaceAllString(line, "$1")
	line = strings.NewReplacer("`", "", "**", "", "*", "").Replace(escapes.ReplaceAllString(line, "$1"))
	return strings.Join(strings.Fields(html.UnescapeString(line)), " ")
}

func (p *Page) heading(node *ast.Heading) {
	if node.Lines().Len() == 0 {
		return
	}
	raw := string(node.Lines().Value(p.source))
	title := Title{Level: node.Level, Line: p.lineAt(node.Lines().At(0).Start) + 1}
	if found := attributes.FindStringSubmatch(raw); found != nil {
		if id := explicitID.FindStringSubmatch(found[1]); id != nil {
			title.ID = id[1]
			raw = strings.TrimSuffix(raw, found[0])
		}
	}
	title.Text = Plain(raw)
	if title.ID == "" {
		title.ID = Anchor(title.Text)
	}
	p.Lines[title.Line-1].Kind = Heading
	p.Titles = append(p.Titles, title)
}

// Anchor is the name by which links find a heading.
func Anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(title))
}

var closing = regexp.MustCompile("^[ \t>]*(?:`{3,}|~{3,})[ \t]*$")

func (p *Page) fence(node *ast.FencedCodeBlock) {
	lines := node.Lines()
	if lines.Len() == 0 {
		if node.Info != nil {
			start := p.lineAt(node.Info.Segment.Start)
			p.close(Fence{Language: string(node.Language(p.source)), Start: start + 1}, start+1)
		}
		return
	}
	fence := Fence{Language: string(node.Language(p.source)), Code: string(lines.Value(p.source)), Start: p.lineAt(lines.At(0).Start)}
	for i := range lines.Len() {
		p.blank(lines.At(i).Start, Code)
	}
	p.close(fence, p.lineAt(lines.At(lines.Len()-1).Start)+1)
}

// close looks for the line that ends a fence at an index.
func (p *Page) close(fence Fence, at int) {
	fence.End = at
	if at < len(p.Lines) && closing.MatchString(p.Lines[at].Text) {
		fence.Closed, fence.End = true, at+1
		p.blankLine(at, Code)
	}
	p.blankLine(max(fence.Start-1, 0), Code)
	p.Fences = append(p.Fences, fence)
}

func (p *Page) link(node ast.Node, target []byte, image bool) {
	var words strings.Builder
	place := -1
	_ = ast.Walk(node, func(child ast.Node, entering bool) (ast.WalkStatus, error) {
		if text, is := child.(*ast.Text); is && entering {
			if place < 0 {
				place = text.Segment.Start
			}
			words.Write(text.Segment.Value(p.source))
		}
		return ast.WalkContinue, nil
	})
	line := 0
	if place >= 0 {
		line = p.lineAt(place) + 1
	} else {
		line = p.lineOfBlock(node)
	}
	p.Links = append(p.Links, Link{html.UnescapeString(string(target)), words.String(), line, image})
}

// lineOfBlock is the line on which the block around a node starts.
func (p *Page) lineOfBlock(node ast.Node) int {
	for ; node != nil; node = node.Parent() {
		if node.Type() == ast.TypeBlock && node.Lines() != nil && node.Lines().Len() > 0 {
			return p.lineAt(node.Lines().At(0).Start) + 1
		}
	}
	return p.BodyLine()
}
