package body

import (
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
)

// workflows has a heading for each task with its steps and its code. Tasks with
// pages of their own are not among them.
func (l *Library) workflows(page artifact.Page) string {
	var parts []string
	for _, task := range l.Tasks() {
		if part := l.flow(task, page); part != "" {
			parts = append(parts, "### "+Inline(Plain(task.Title))+"\n\n"+part)
		}
	}
	return strings.Join(parts, "\n\n")
}

// Tells says that a page tells a task.
func (l *Library) Tells(page artifact.Page, task artifact.Workflow) bool {
	return l.flow(task, page) != ""
}

// TaskSlug is the slug of the page that a task has for itself.
func TaskSlug(task artifact.Workflow) string { return Slug(task.Title, 8) }

// About says whether a snippet belongs to a task.
func (l *Library) About(snippet artifact.Snippet, task artifact.Workflow) bool {
	return slices.Contains(snippet.Tags, task.Tag) || slices.ContainsFunc(task.Steps, func(s artifact.WorkflowStep) bool { return s.SnippetID == snippet.ID })
}

// otherSteps are claims about work that belong to no task that the page has a
// heading for.
func (l *Library) otherSteps(page artifact.Page, outline Outline) []Claim {
	return slices.DeleteFunc(l.Of(page, Workflow), func(c Claim) bool { return outline.Has("WORKFLOWS") && l.TaskOf(c.ID) != "" })
}
