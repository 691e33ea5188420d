package body

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
)

// workflows has a heading for each task with its steps and its code, or with a
// link to the page that it has for itself.
func (l *Library) workflows(page artifact.Page) string {
	var parts []string
	for _, task := range l.Tasks() {
		if part := joined(l.taskLink(task, page), l.steps(task, page), l.taskCode(task, page)); part != "" {
			parts = append(parts, "### "+Inline(Plain(task.Title))+"\n\n"+part)
		}
	}
	return strings.Join(parts, "\n\n")
}

// taskLink is the link of a page to that of a task.
func (l *Library) taskLink(task artifact.Workflow, page artifact.Page) string {
	for _, link := range page.CrossLinks {
		if strings.HasPrefix(link.URL, "/") && path.Base(link.URL) == TaskSlug(task) {
			return fmt.Sprintf("- [%s](%s)", Inline(link.Title), link.URL)
		}
	}
	return ""
}

// TaskSlug is the slug of the page that a task has for itself.
func TaskSlug(task artifact.Workflow) string { return Slug(task.Title, 8) }

// steps are the claims of a task on a page: numbered if the task has them as
// steps.
func (l *Library) steps(task artifact.Workflow, page artifact.Page) string {
	claims := slices.DeleteFunc(l.Of(page, Workflow), func(c Claim) bool { return l.TaskOf(c.ID) != task.Tag })
	if len(claims) > 1 && l.ordered(task, claims) {
		return numbered(claims)
	}
	return bullets(claims)
}

// ordered says that the claims are steps of a task that follow each other in one
// document.
func (l *Library) ordered(task artifact.Workflow, claims []Claim) bool {
	for _, claim := range claims {
		step := slices.ContainsFunc(task.Steps, func(s artifact.WorkflowStep) bool { return s.ClaimID == claim.ID })
		if !step || claim.Path != claims[0].Path {
			return false
		}
	}
	return true
}

// taskCode is the code of a page that is about a task.
func (l *Library) taskCode(task artifact.Workflow, page artifact.Page) string {
	for _, id := range page.SnippetIDs {
		if snippet, ok := l.snippets[id]; ok && l.About(snippet, task) && Usable(snippet) {
			return l.shown(snippet)
		}
	}
	return ""
}

// About says whether a snippet belongs to a task.
func (l *Library) About(snippet artifact.Snippet, task artifact.Workflow) bool {
	return slices.Contains(snippet.Tags, task.Tag) || slices.ContainsFunc(task.Steps, func(s artifact.WorkflowStep) bool { return s.SnippetID == snippet.ID })
}

// otherSteps are claims about work that belong to no task that the page has a
// heading for.
func (l *Library) otherSteps(page artifact.Page, outline Outline) []Claim {
	return slices.DeleteFunc(l.Of(page, Workflow), func(c Claim) bool { return outline.Has("WORKFLOWS") && l.TaskOf(c.ID) != "" })
}
