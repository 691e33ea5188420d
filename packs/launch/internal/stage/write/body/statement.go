package body

import (
	"fmt"
	"regexp"
	"strings"
)

// row is a row of a table, as a claim has it: the names of the columns with
// their values.
var row = regexp.MustCompile(`^[^:;]{1,40}: [^;]+(?:; [^:;]{1,40}: [^;]+)+$`)

// Statement is a claim with its marker, fit to be a line of its own.
func (c Claim) Statement() string {
	text := c.Text
	if row.MatchString(text) {
		text = readable(text)
	}
	return Inline(capital(text)) + " " + Marker(c.ID)
}

// readable makes "Format: CSV; Read: yes; Write: no" a line that people read:
// "CSV: Read yes, Write no". The name of the first column is left out.
func readable(text string) string {
	var cells []string
	for i, cell := range strings.Split(text, "; ") {
		name, value, _ := strings.Cut(cell, ": ")
		if i == 0 {
			cells = append(cells, value)
		} else {
			cells = append(cells, name+" "+value)
		}
	}
	return cells[0] + ": " + strings.Join(cells[1:], ", ")
}

// capital begins a sentence with a capital letter, unless it begins with a name.
func capital(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if first == "" || strings.ToLower(first) != first || strings.ContainsAny(first, "`_./(:{<") || strings.ContainsAny(first, "0123456789") {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// bullets is a list of claims.
func bullets(claims []Claim) string {
	var list strings.Builder
	for _, claim := range claims {
		fmt.Fprintf(&list, "- %s\n", claim.Statement())
	}
	return list.String()
}

// numbered is a list of claims that follow each other.
func numbered(claims []Claim) string {
	var list strings.Builder
	for i, claim := range claims {
		fmt.Fprintf(&list, "%d. %s\n", i+1, claim.Statement())
	}
	return list.String()
}

// lines is a paragraph with a claim on each line.
func lines(claims []Claim) string {
	var text strings.Builder
	for _, claim := range claims {
		text.WriteString(claim.Statement() + "\n")
	}
	return text.String()
}

// IsRow says that a claim is a row of a table.
func (c Claim) IsRow() bool { return row.MatchString(c.Text) }
