package document

import (
	"regexp"
	"sort"
	"strings"
)

// longItem is how many bytes of a list item are still read as one statement.
const longItem = 200

// prose is text that remembers which line each part of it comes from.
type prose struct {
	text  strings.Builder
	marks []mark
}

// A mark says that the text from an offset on stands on a line.
type mark struct{ offset, line int }

func (p *prose) write(text string, line int) {
	if text == "" {
		return
	}
	if len(p.marks) == 0 || p.marks[len(p.marks)-1].line != line {
		p.marks = append(p.marks, mark{p.text.Len(), line})
	}
	p.text.WriteString(text)
}

// line returns the line of the byte at an offset.
func (p *prose) line(offset int) int {
	i := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].offset > offset })
	return p.marks[max(i-1, 0)].line
}

// blocks adds the prose to a document: paragraphs and long items by sentences.
func (p *prose) blocks(d *Document, kind Kind) {
	text := p.text.String()
	if strings.TrimSpace(text) == "" {
		return
	}
	if kind != Sentence && len(text) <= longItem {
		p.block(d, kind, 0, len(text))
		return
	}
	start := 0
	for _, end := range append(sentenceEnds(text), len(text)) {
		p.block(d, kind, start, end)
		start = end
	}
}

func (p *prose) block(d *Document, kind Kind, start, end int) {
	text := p.text.String()
	for start < end && isSpace(text[start]) {
		start++
	}
	for start < end && isSpace(text[end-1]) {
		end--
	}
	if start < end {
		d.add(Block{Kind: kind, Text: text[start:end], Start: p.line(start), End: p.line(end - 1)})
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' }

var (
	sentenceEnd  = regexp.MustCompile("[.!?][)\"'\u201d\u2019]*\\s+[\\p{Lu}\\p{Nd}`\"'(\u201c]")
	abbreviation = regexp.MustCompile(`(?i)(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|no|dr|mr|mrs|st|approx|incl|resp|\pL)\.$`)
)

// sentenceEnds are the offsets after which a new sentence begins.
func sentenceEnds(text string) []int {
	var ends []int
	from := 0
	for from < len(text) {
		at := sentenceEnd.FindStringIndex(text[from:])
		if at == nil {
			break
		}
		stop := from + at[0] + 1
		window := text[max(0, stop-12):stop]
		inCode := strings.Count(text[max(0, stop-longItem):stop], "`")%2 == 1
		if !inCode && !strings.HasSuffix(window, "...") && !abbreviation.MatchString(window) {
			for stop < len(text) && !isSpace(text[stop]) {
				stop++
			}
			ends = append(ends, stop)
		}
		from = from + at[0] + 1
	}
	return ends
}

// FirstSentence is a text up to the end of its first sentence.
func FirstSentence(text string) string {
	if ends := sentenceEnds(text); len(ends) > 0 {
		return text[:ends[0]]
	}
	return text
}
