package patch

import (
	"strings"

	"mcpworks/packs/launch/internal/patch/linediff"
)

// normal brings a text into the form in which files are written: UTF-8 without a
// mark, LF, one newline at the end.
func normal(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// withEndsOf gives a changed normal text the line ends of the file that it
// replaces: lines that stay keep theirs, new ones get the most common.
func withEndsOf(before, after string) string {
	if !strings.Contains(before, "\r") {
		return after
	}
	common := "\n"
	if crlf := strings.Count(before, "\r\n"); 2*crlf > strings.Count(before, "\n") {
		common = "\r\n"
	}
	whole, lines := wholeLines(strings.TrimPrefix(before, "\ufeff")), linesOf(after)
	var out strings.Builder
	write := func(line string) {
		if strings.HasPrefix(line, "\n") && strings.HasSuffix(out.String(), "\r") {
			out.WriteByte('\n') // or the two would be one line end
		}
		out.WriteString(line)
	}
	add := func(from, to int) {
		for _, line := range lines[from:to] {
			write(line + common)
		}
	}
	a, b := 0, 0
	for _, h := range append(linediff.Compare(linesOf(normal(before)), lines), linediff.Hunk{A0: len(whole), A1: len(whole), B0: len(lines), B1: len(lines)}) {
		for ; a < h.A0; a, b = a+1, b+1 {
			if strings.HasSuffix(whole[a], "\n") || strings.HasSuffix(whole[a], "\r") {
				write(whole[a])
			} else {
				write(whole[a] + common)
			}
		}
		add(h.B0, h.B1)
		a, b = h.A1, h.B1
	}
	if strings.HasSuffix(out.String(), "\r") {
		out.WriteByte('\n')
	}
	return out.String()
}

// wholeLines splits a text into lines with their ends, whichever they are.
func wholeLines(text string) []string {
	var lines []string
	for text != "" {
		end := strings.IndexAny(text, "\r\n") + 1
		switch {
		case end == 0:
			end = len(text)
		case strings.HasPrefix(text[end-1:], "\r\n"):
			end++
		}
		lines, text = append(lines, text[:end]), text[end:]
	}
	return lines
}

// linesOf splits a normal text; an empty one has no lines.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func textOf(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// trimBlank takes empty lines from both ends.
func trimBlank(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
