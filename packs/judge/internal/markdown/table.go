package markdown

import "strings"

// maxColumns bounds the width of a table, because short rows are filled up: a single wide row would otherwise widen
// thousands of others. Cells beyond it join the last column.
const maxColumns = 64

// A table gathers the cells of an HTML table. Its first row is the header.
type table struct {
	rows  [][]string
	width int
	full  bool // some cell has text
}

func (t *table) row() {
	t.rows = append(t.rows, nil)
}

// cell adds a cell to the current row, beginning one if there is none.
func (t *table) cell(text string) {
	if len(t.rows) == 0 {
		t.row()
	}
	text = strings.ReplaceAll(text, "|", `\|`)
	t.full = t.full || text != ""
	row := &t.rows[len(t.rows)-1]
	*row = append(*row, text)
	t.width = max(t.width, min(len(*row), maxColumns))
}

// lines returns the table as Markdown. Rows without cells are left out, and so is a table without text.
func (t *table) lines() []string {
	if !t.full {
		return nil
	}
	var lines []string
	for _, row := range t.rows {
		if len(row) == 0 {
			continue
		}
		if len(row) > maxColumns {
			row[maxColumns-1] = strings.Join(row[maxColumns-1:], " ")
			row = row[:maxColumns]
		}
		lines = append(lines, "| "+strings.Join(row, " | ")+strings.Repeat(" | ", t.width-len(row))+" |")
		if len(lines) == 1 {
			lines = append(lines, "|"+strings.Repeat(" --- |", t.width))
		}
	}
	return lines
}
