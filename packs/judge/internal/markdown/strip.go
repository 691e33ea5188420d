package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// strip returns the text of content without any markup: the way out when conversion fails. The bodies of scripts and
// styles, comments and tags are dropped, entities are decoded, and every < or > that is text is written as an entity,
// so the result holds neither. Blocks keep to lines of their own and blank lines collapse.
func strip(content string) string {
	var text strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(content))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return collapseBlankLines(angles.Replace(text.String()))
		case html.TextToken:
			text.Write(tokens.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			tag := tagOf(tokens)
			if tag == atom.Script || tag == atom.Style {
				skip(tokens, tag)
			}
			text.WriteString(lineBreakFor(tag))
		case html.EndTagToken:
			text.WriteString(lineBreakFor(tagOf(tokens)))
		}
	}
}

var angles = strings.NewReplacer("<", "&lt;", ">", "&gt;")

func lineBreakFor(tag atom.Atom) string {
	if tag == atom.Br || tag == atom.Hr || roles[tag]&blockLevel != 0 {
		return "\n"
	}
	return ""
}

// collapseBlankLines leaves at most one blank line in a row and no white space around the text.
func collapseBlankLines(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n\f\u00a0")
		if line != "" || len(kept) > 0 && kept[len(kept)-1] != "" {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// tagOf returns the name of the tag just read, or 0 for one that HTML does not know.
func tagOf(tokens *html.Tokenizer) atom.Atom {
	name, _ := tokens.TagName()
	return atom.Lookup(name)
}

// skip reads on until the element just opened is closed again, however often it holds its like, or the text ends.
func skip(tokens *html.Tokenizer, tag atom.Atom) {
	for depth := 1; depth > 0; {
		switch tokens.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			if tagOf(tokens) == tag {
				depth++
			}
		case html.EndTagToken:
			if tagOf(tokens) == tag {
				depth--
			}
		}
	}
}
