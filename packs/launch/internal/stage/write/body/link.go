package body

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
)

// children lists the pages that a table of contents leads to.
func children(page artifact.Page) string {
	var list strings.Builder
	for _, child := range page.Strategy.ChildPages {
		fmt.Fprintf(&list, "- [%s](%s) - %s\n", Inline(child.Title), child.URL, Inline(child.Purpose))
	}
	return list.String()
}

// links lists the links of a page that belong into a block.
func (l *Library) links(page artifact.Page, outline Outline, block string) string {
	var list strings.Builder
	for _, link := range page.CrossLinks {
		if l.blockOf(link, outline) == block {
			fmt.Fprintf(&list, "- [%s](%s)\n", Inline(link.Title), link.URL)
		}
	}
	return list.String()
}

// LimitationsAnchor is where the limitations of a product are on its page.
const LimitationsAnchor = "#limitations"

// blockOf decides by its address where a link stands: one to another section
// has a host, and those to tasks stand together.
func (l *Library) blockOf(link artifact.CrossLink, outline Outline) string {
	slug := path.Base(link.URL)
	switch {
	case strings.HasSuffix(link.URL, LimitationsAnchor):
		return "LIMITS"
	case strings.Contains(link.URL, "#") && outline.Has("TASKS"):
		return "TASKS"
	case !strings.HasPrefix(link.URL, "/"):
		return "LINKS"
	case slug == installation && outline.Has("BEFORE"):
		return "BEFORE"
	case outline.Has("TASKS") && slices.ContainsFunc(l.Tasks(), func(w artifact.Workflow) bool { return TaskSlug(w) == slug }):
		return "TASKS"
	}
	return "NEXT"
}

func (l *Library) repositoryLink() string {
	if repo := l.repository(); repo != "" {
		return fmt.Sprintf("- [Source code](%s)\n", repo)
	}
	return ""
}
