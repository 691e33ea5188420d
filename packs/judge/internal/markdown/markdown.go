// Package markdown turns problem statements into Markdown.
//
// LeetCode stores its statements as HTML, the other judges store Markdown or plain text. HTML is converted so that
// nothing a solver needs is lost: above all 10<sup>4</sup> becomes 10^4 and never 104. Everything else passes through
// untouched, because its line breaks and its mathematics already mean what they should.
//
// Statements come from outside. Whatever they hold, the package neither panics nor hangs, and its work grows linearly
// with their size: the HTML is read as a stream of tokens, never as a tree, nesting is bounded, and every pass over
// the text looks at each piece a fixed number of times.
package markdown

import "strings"

// missing stands in for a statement that says nothing.
const missing = "No description available."

// Statement returns the statement of a problem of the given source as Markdown.
//
// A blank statement gives a fixed sentence. A statement that is not HTML is returned byte for byte. HTML is converted;
// should that fail or leave nothing, its tags are stripped instead. Bytes that are not UTF-8 are replaced by U+FFFD
// first, so the result is always valid UTF-8.
func Statement(source, content string) string {
	return statement(source, content, convert)
}

func statement(source, content string, convert func(string) string) string {
	content = strings.ToValidUTF8(content, "\uFFFD")
	if blank(content) {
		return missing
	}
	if !isHTML(source, content) {
		return content
	}
	if text := attempt(convert, content); !blank(text) {
		return text
	}
	if text := strip(content); !blank(text) {
		return text
	}
	return missing
}

// attempt returns the conversion of content, or nothing when it panics: a statement shown without its markup is worth
// more to the caller than an internal error.
func attempt(convert func(string) string, content string) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	return convert(content)
}

func blank(text string) bool {
	return strings.TrimSpace(text) == ""
}
