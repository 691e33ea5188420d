package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	pageWidth  = 80 // what text is wrapped at; names and commands stay whole
	labelWidth = 11
)

// A page is text for a person at a terminal.
type page struct {
	text    bytes.Buffer
	now     time.Time
	again   func(words ...string) string // a command line that does something here
	more    func(cursor string) string   // the command line that asks for the next page
	dataDir string
}

func (c *call) page() *page {
	return &page{now: c.now(), again: c.again, more: c.nextPage, dataDir: c.dataDir}
}

func (p *page) line(format string, args ...any) {
	fmt.Fprintf(&p.text, format+"\n", args...)
}

// fact is a line with a name.
func (p *page) fact(name, format string, args ...any) {
	for i, line := range wrapped(fmt.Sprintf(format, args...), pageWidth-labelWidth) {
		if i > 0 {
			name = ""
		}
		p.line("%-*s%s", labelWidth, name, line)
	}
}

// heading begins a part of the page.
func (p *page) heading(format string, args ...any) {
	if p.text.Len() > 0 {
		p.line("")
	}
	p.line(format, args...)
}

// paragraph is text at a distance from the margin; its first line begins with
// what is hung there.
func (p *page) paragraph(hung string, indent int, text string) {
	p.hang(hung, indent, strings.Fields(text))
}

// list is a paragraph of things that stay whole, with commas between them.
func (p *page) list(hung string, indent int, things []string) {
	whole := make([]string, len(things))
	for i, thing := range things {
		if whole[i] = thing; i < len(things)-1 {
			whole[i] += ","
		}
	}
	p.hang(hung, indent, whole)
}

func (p *page) hang(hung string, indent int, words []string) {
	for i, line := range packed(words, pageWidth-indent) {
		if i > 0 {
			hung = ""
		}
		p.line("%s%s", padded(hung, indent), line)
	}
}

// table is rows of cells in columns.
func (p *page) table(rows [][]string) {
	columns := widths(rows)
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(padded(cell, columns[i]+len("  ")))
		}
		p.line("%s", strings.TrimRight(b.String(), " "))
	}
}

// widths are those of the columns of a table.
func widths(rows [][]string) (columns []int) {
	for _, row := range rows {
		for i, cell := range row {
			if i == len(columns) {
				columns = append(columns, 0)
			}
			columns[i] = max(columns[i], utf8.RuneCountInString(cell))
		}
	}
	return columns
}

// next says what can be done, and how.
func (p *page) next(what string, words ...string) {
	p.heading("To %s:", what)
	p.line("  %s", p.again(words...))
}

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// cut shortens a text to a width.
func cut(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:max(width-1, 0)]) + "…"
}

// wrapped is a text in lines.
func wrapped(text string, width int) []string { return packed(strings.Fields(text), width) }

// packed is words in lines. One that is longer than a line has one of its own.
func packed(words []string, width int) (lines []string) {
	line := ""
	for _, word := range words {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
