package plan

import (
	"cmp"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/stage/write/body"
)

// catalog are the snippets that pages may show, best first.
func (p *planner) catalog() []artifact.Snippet {
	if p.usableCode != nil {
		return p.usableCode
	}
	usable := slices.DeleteFunc(slices.Clone(p.in.Snippets.Snippets), func(s artifact.Snippet) bool { return !body.Usable(s) })
	slices.SortStableFunc(usable, func(a, b artifact.Snippet) int {
		return cmp.Or(cmp.Compare(b.Relevance, a.Relevance), cmp.Compare(len(a.Code), len(b.Code)), cmp.Compare(a.ID, b.ID))
	})
	p.usableCode = usable
	return usable
}

// usable are the best snippets about a task.
func (p *planner) usable(task artifact.Workflow, most int) []artifact.Snippet {
	found := slices.DeleteFunc(slices.Clone(p.catalog()), func(s artifact.Snippet) bool { return !p.library.About(s, task) })
	return found[:min(len(found), most)]
}

func (p *planner) show(page *page, snippet artifact.Snippet) {
	page.SnippetIDs = append(page.SnippetIDs, snippet.ID)
	page.RequiredSnippetTags = append(page.RequiredSnippetTags, snippet.Tags...)
	p.shown[snippet.ID] = true
}

// giveSnippets gives a page its code (6.4(7)): the first steps one snippet, the
// guide one for each task, the blog one, and an index none.
func (p *planner) giveSnippets(page *page) {
	switch {
	case page.Role == comprehensiveGuide:
		for _, task := range p.library.Tasks() {
			for _, snippet := range p.usable(task, 1) {
				if !slices.Contains(page.SnippetIDs, snippet.ID) {
					p.show(page, snippet)
				}
			}
		}
	case page.Role == toc || !page.template.Has("SNIPPETS") || len(page.SnippetIDs) > 0:
	case page.Slug == "installation":
		if len(p.in.Facts.Distribution) == 0 {
			p.showFirst(page, func(s artifact.Snippet) bool { return slices.Contains(s.Tags, "install") })
		}
	default:
		p.showFirst(page, p.isStart)
	}
}

// showFirst shows the best snippet of a kind: one that is about the first steps,
// else one that no page shows yet.
func (p *planner) showFirst(page *page, fits func(artifact.Snippet) bool) {
	var found []artifact.Snippet
	for _, snippet := range p.catalog() {
		if fits(snippet) {
			found = append(found, snippet)
		}
	}
	slices.SortStableFunc(found, func(a, b artifact.Snippet) int {
		return cmp.Or(cmp.Compare(boolInt(!first(a)), boolInt(!first(b))), cmp.Compare(boolInt(p.shown[a.ID]), boolInt(p.shown[b.ID])))
	})
	if len(found) > 0 {
		p.show(page, found[0])
	}
}

func first(s artifact.Snippet) bool { return slices.Contains(s.Tags, "quickstart") }

// commands are languages of commands and data: no program to begin with.
var commands = []string{"bash", "sh", "shell", "console", "text", "json", "yaml", "toml", "xml", "ini", "html", "css", "diff", "dockerfile", "powershell", "batch"}

// isStart says that a snippet is a program that a reader can begin with.
func (p *planner) isStart(s artifact.Snippet) bool {
	return !slices.Contains(commands, s.Language) || slices.Contains(s.Tags, "quickstart") && !slices.Contains(s.Tags, "install")
}
