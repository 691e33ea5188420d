package plan

import (
	"cmp"
	"path"
	"slices"
	"strings"

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
		return cmp.Or(cmp.Compare(b.Relevance, a.Relevance), cmp.Compare(a.Source.Path, b.Source.Path), cmp.Compare(a.Source.StartLine, b.Source.StartLine), cmp.Compare(a.ID, b.ID))
	})
	p.usableCode = usable
	return usable
}

// usable is the code of a task as its text has it, or else the best code about
// it. Of code without words below other code there is only what that prints.
func (p *planner) usable(task artifact.Workflow, most int) []artifact.Snippet {
	var found []artifact.Snippet
	below, last := "", artifact.Snippet{}
	for _, step := range task.Steps {
		snippet, ok := p.library.Snippet(step.SnippetID)
		if !ok || !body.Usable(snippet) {
			continue
		}
		_, said := p.library.Claim(step.ClaimID)
		if said || step.Name != below || follows(last, snippet) {
			found = append(found, snippet)
			below, last = step.Name, snippet
		}
	}
	if len(found) == 0 {
		found = slices.DeleteFunc(slices.Clone(p.catalog()), func(s artifact.Snippet) bool { return !p.library.About(s, task) })
	}
	return found[:min(len(found), most)]
}

// follows says that right after a program comes how it is called, or what it reads
// or prints.
func follows(last, next artifact.Snippet) bool {
	near := last.Source.Path == next.Source.Path && next.Source.StartLine > last.Source.EndLine && next.Source.StartLine <= last.Source.EndLine+4
	return near && !slices.Contains(commands, last.Language) && slices.Contains(commands, next.Language)
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
		p.showTasks(page)
	case page.Role == toc || !page.template.Has("SNIPPETS") || len(page.SnippetIDs) > 0:
	case page.Slug == "getting-started" && p.showQuick(page):
	case page.Slug == "installation":
		if len(p.in.Facts.Distribution) == 0 {
			p.showFirst(page, func(s artifact.Snippet) bool { return slices.Contains(s.Tags, "install") })
		}
	default:
		p.showFirst(page, p.isStart)
	}
}

// codePerTask is how many pieces of code a page has of one task.
const codePerTask = 4

// guideLines is how many lines of code the guide has at most. A file may change by
// 500 lines, and nobody reads more on one page.
const guideLines = 300

// showTasks shows the code of the tasks that have no page of their own, while
// there is room: first of those that something is said about.
func (p *planner) showTasks(guide *page) {
	tasks := slices.SortedStableFunc(slices.Values(p.library.Tasks()), func(a, b artifact.Workflow) int {
		return boolInt(len(a.ClaimIDs) == 0) - boolInt(len(b.ClaimIDs) == 0)
	})
	lines, bare := 0, 0
	for _, task := range tasks {
		if p.hasPage(task) {
			continue
		}
		code, isBare, shown := p.usable(task, codePerTask), len(task.ClaimIDs) == 0, 0
		for _, snippet := range code {
			size := 1 + strings.Count(snippet.Code, "\n")
			if bare < fewBare && !slices.Contains(guide.SnippetIDs, snippet.ID) && !isLong(snippet) && lines+size <= guideLines && p.speaksOf(task) {
				lines += size
				shown++
				p.show(guide, snippet)
			}
		}
		bare += boolInt(isBare && shown > 0)
		if len(code) > 0 && shown == 0 { // words about code that is not there
			for _, id := range task.ClaimIDs {
				p.given[id] = true
			}
		}
	}
}

// fewBare is how many examples without a word about them the guide has.
const fewBare = 6

// speaksOf says that the guide can say what the documents say about a task, or
// that they say nothing.
func (p *planner) speaksOf(task artifact.Workflow) bool {
	return len(task.ClaimIDs) == 0 || slices.ContainsFunc(task.ClaimIDs, func(id string) bool { _, ok := p.library.Claim(id); return ok })
}

// hasPage says that a task has a page of its own.
func (p *planner) hasPage(task artifact.Workflow) bool {
	return slices.ContainsFunc(p.sections, func(s *section) bool {
		return slices.ContainsFunc(s.pages, func(page *page) bool { return page.task == task.Tag && page.Role == workflowPage })
	})
}

// showQuick shows the code of the first steps, if it is more than declarations.
func (p *planner) showQuick(page *page) bool {
	quick, ok := p.library.Quick()
	if !ok {
		return false
	}
	found := p.usable(quick, codePerTask)
	if !slices.ContainsFunc(found, func(s artifact.Snippet) bool { return p.standing(s) > declares }) {
		return false
	}
	for _, snippet := range found {
		p.show(page, snippet)
	}
	return true
}

// showFirst shows the best snippet of a kind: one that stands on its own, that is
// about the first steps, and that no page shows yet.
func (p *planner) showFirst(page *page, fits func(artifact.Snippet) bool) {
	var found []artifact.Snippet
	for _, snippet := range p.catalog() {
		if fits(snippet) {
			found = append(found, snippet)
		}
	}
	slices.SortStableFunc(found, func(a, b artifact.Snippet) int {
		return cmp.Or(
			cmp.Compare(boolInt(p.standing(a) < uses), boolInt(p.standing(b) < uses)), cmp.Compare(boolInt(isLong(a)), boolInt(isLong(b))),
			cmp.Compare(boolInt(!first(a)), boolInt(!first(b))), cmp.Compare(boolInt(p.shown[a.ID]), boolInt(p.shown[b.ID])), cmp.Compare(p.standing(b), p.standing(a)),
			cmp.Compare(b.Relevance, a.Relevance), cmp.Compare(boolInt(!isMain(a)), boolInt(!isMain(b))))
	})
	if len(found) > 0 && (p.standing(found[0]) > declares || len(found) == 1) {
		p.show(page, found[0])
	}
}

// isMain says that a snippet is in the file that holds the examples of a package.
func isMain(s artifact.Snippet) bool { return path.Base(s.Source.Path) == "example_test.go" }

func first(s artifact.Snippet) bool { return slices.Contains(s.Tags, "quickstart") }

// commands are languages of commands and data: no program to begin with.
var commands = []string{"bash", "sh", "shell", "console", "text", "json", "yaml", "toml", "xml", "ini", "html", "css", "diff", "dockerfile", "powershell", "batch"}

// isStart says that a snippet is a program that a reader can begin with.
func (p *planner) isStart(s artifact.Snippet) bool {
	return !slices.Contains(commands, s.Language) || slices.Contains(s.Tags, "quickstart") && !slices.Contains(s.Tags, "install")
}
