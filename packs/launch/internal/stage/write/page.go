package write

import (
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/stage/write/body"
	"mcpworks/packs/launch/internal/templates"
)

// body writes what comes after the front matter. Headings with nothing below
// them are left out.
func (w *writer) body(page artifact.Page, template *templates.Template) (string, []issue.Issue) {
	var blocks []string
	for _, part := range template.Parts {
		filled := w.library.Part(part, page, template)
		if len(filled) == 0 {
			continue
		}
		if part.Heading != "" {
			blocks = append(blocks, "## "+part.Heading)
		}
		for _, piece := range filled {
			blocks = append(blocks, piece.Sentences...)
			if piece.Text != "" {
				blocks = append(blocks, untouched(piece.Text))
			}
		}
	}
	text, err := templates.Fill(strings.Join(blocks, "\n\n")+"\n", page.TokenMappings)
	text = restored(text)
	if err != nil {
		return text, []issue.Issue{unfilled(page, err.Error())}
	}
	if left := tokensIn(text); len(left) > 0 {
		return text, []issue.Issue{unfilled(page, strings.Join(left, ", "))}
	}
	return text, nil
}

func unfilled(page artifact.Page, what string) issue.Issue {
	return issue.New(Stage, issue.Blocker, CodeUnfilledTokens, page.OutputPath, what, "tokens are left on the page: %s", what)
}

// A block is text of the product, where two underscores are two underscores and
// never a token of ours: they are hidden while tokens are filled.
const hidden = "\x00"

func untouched(text string) string { return strings.ReplaceAll(text, "__", hidden) }
func restored(text string) string  { return strings.ReplaceAll(text, hidden, "__") }

var (
	codeSpan  = regexp.MustCompile("`[^`\n]+`")
	leftToken = regexp.MustCompile(`__[A-Z][A-Z0-9_]*__|\{\{[^}\n]*\}?\}?`)
	marker    = regexp.MustCompile(`<!--\s*claim_id:\s*([a-f0-9]{64})\s*-->`)
)

// tokensIn are the tokens that are left outside of code.
func tokensIn(text string) []string {
	text = codeSpan.ReplaceAllString(withoutFences(text), " ")
	found := leftToken.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// withoutFences is a page without its code.
func withoutFences(text string) string {
	var kept []string
	open := ""
	for _, line := range strings.Split(text, "\n") {
		mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case open != "":
			if len(mark) >= len(open) && strings.TrimSpace(line[len(mark):]) == "" {
				open = ""
			}
		case len(mark) >= 3:
			open = mark
		default:
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// markers are the claims on a page, sorted.
func markers(text string) []string {
	var ids []string
	for _, found := range marker.FindAllStringSubmatch(withoutFences(text), -1) {
		ids = append(ids, found[1])
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func countWords(text string) int {
	return len(strings.Fields(marker.ReplaceAllString(withoutFences(text), "")))
}

// shown are the snippets of the plan that the page has.
func (w *writer) shown(page artifact.Page, text string) []string {
	var ids []string
	for _, id := range page.SnippetIDs {
		if snippet, ok := w.library.Snippet(id); ok && body.Usable(snippet) && strings.Contains(text, strings.TrimRight(snippet.Code, "\n")) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
