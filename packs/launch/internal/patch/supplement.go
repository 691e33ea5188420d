package patch

import (
	"errors"
	"maps"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/patch/frontmatter"
)

// endless says that a page begins with front matter whose end is missing. Any
// line that is added could become that end.
func endless(text string) bool {
	_, err := frontmatter.Split(normal(text))
	return err != nil && !errors.Is(err, frontmatter.ErrMissing)
}

// supplement adds to a page what a draft has and the page lacks: keys of the
// front matter, the text of sections that both have, and sections that only the
// draft has. Nothing that stands there is changed.
func supplement(existing, draft string) []artifact.Patch {
	var patches []artifact.Patch
	if lacking := lackingKeys(existing, draft); len(lacking) > 0 {
		patches = append(patches, artifact.Patch{Type: UpdateKeys, FrontmatterUpdates: lacking})
	}
	var fresh []string
	text := normal(existing)
	lines, all := linesOf(text), headings(text)
	for _, part := range parts(draft) {
		if place, found := findSection(all, lines, part.title); !found {
			fresh = append(fresh, "", textOf(part.whole))
		} else if added := trimBlank(part.body); len(added) > 0 && !holds(lines, place, added) {
			content := textOf(added)
			patches = append(patches, artifact.Patch{Type: UpdateByAnchor, Anchor: part.title, NewContent: &content})
		}
	}
	if len(fresh) > 0 {
		patches = append(patches, appendix(text, patches, strings.Join(fresh, "\n")))
	}
	return patches
}

// lackingKeys are the settings of a draft that a page does not have.
func lackingKeys(existing, draft string) map[string]any {
	has, err := frontmatter.Values(normal(existing))
	if err != nil {
		return nil
	}
	wants, err := frontmatter.Values(draft)
	if err != nil {
		return nil
	}
	maps.DeleteFunc(wants, func(key string, value any) bool { _, there := has[key]; return there || value == nil })
	return wants
}

// A part is a section of a draft below the title: an H2 with all below it.
type part struct {
	title string
	whole []string // with its heading
	body  []string
}

func parts(draft string) []part {
	lines := linesOf(draft)
	var found []part
	all := headings(draft)
	for i, h := range all {
		if h.level != 2 {
			continue
		}
		whole := trimBlank(lines[h.line:endOf(all, i, len(lines))])
		found = append(found, part{h.title, whole, whole[1:]})
	}
	return found
}

// appendix adds a text at the end of a page, as the page will be when the
// patches before it are applied.
func appendix(text string, before []artifact.Patch, added string) artifact.Patch {
	lines := linesOf(after(text, before))
	content := textOf(append([]string{""}, trimBlank(linesOf(normal(added)))...))
	return artifact.Patch{Type: UpdateFileRange, StartLine: len(lines) + 1, EndLine: len(lines), NewContent: &content, ExpectedBeforeHash: Hash("")}
}

// after is a page with patches applied that were made for it.
func after(text string, patches []artifact.Patch) string {
	for _, p := range patches {
		if next, err := edited(p, text, true); err == nil {
			text = next
		}
	}
	return text
}
