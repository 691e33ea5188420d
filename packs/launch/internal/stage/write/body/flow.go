package body

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"mcpworks/packs/launch/internal/artifact"
)

// Quick is the workflow of the first steps, if there is one.
func (l *Library) Quick() (artifact.Workflow, bool) {
	at := slices.IndexFunc(l.Facts.Workflows, func(w artifact.Workflow) bool { return w.Tag == quickstart })
	if at < 0 {
		return artifact.Workflow{}, false
	}
	return l.Facts.Workflows[at], true
}

// flow is what a page has of a workflow, in its order: the steps of a list as a
// list, or else sentences with the code between them.
func (l *Library) flow(w artifact.Workflow, page artifact.Page) string {
	rest := bullets(l.besides(w, page))
	if claims := l.listed(w, page); len(claims) > 1 {
		return joined(numbered(claims), rest, l.codeOf(w, page))
	}
	var parts, sentences []string
	end := func() {
		if len(sentences) > 0 {
			parts = append(parts, strings.Join(sentences, "\n"))
		}
		sentences = nil
	}
	below, code := w.Title, listing{library: l}
	for _, step := range w.Steps {
		snippet, shown := l.onPage(step, page)
		claim, ok := l.byID[step.ClaimID]
		said := ok && slices.Contains(page.RequiredClaimIDs, claim.ID) && inFlow(claim)
		if title := Inline(Plain(step.Name)); (said || shown) && step.Name != below && step.Name != w.Title && step.Name != claim.Text && title != "" {
			end()
			parts, below, code = append(parts, "### "+title), step.Name, listing{library: l}
		}
		if said {
			sentences = append(sentences, claim.Statement())
		}
		if shown {
			end()
			parts = append(parts, code.show(snippet))
		}
	}
	end()
	return joined(joined(parts...), rest)
}

// besides are the claims of a page that belong to a task without being one of its
// steps.
func (l *Library) besides(w artifact.Workflow, page artifact.Page) []Claim {
	return slices.DeleteFunc(l.Of(page, Workflow), func(c Claim) bool {
		return l.TaskOf(c.ID) != w.Tag || slices.ContainsFunc(w.Steps, func(s artifact.WorkflowStep) bool { return s.ClaimID == c.ID })
	})
}

// inFlow says that a claim is printed with its workflow and nowhere else.
func inFlow(c Claim) bool { return c.Category == Workflow || c.Category == Quickstart }

// onPage is the code of a step, if the page shows it.
func (l *Library) onPage(step artifact.WorkflowStep, page artifact.Page) (artifact.Snippet, bool) {
	snippet, ok := l.snippets[step.SnippetID]
	return snippet, ok && Usable(snippet) && slices.Contains(page.SnippetIDs, step.SnippetID)
}

// listed are the claims of a page that are steps of a list: those that a workflow
// names its steps by.
func (l *Library) listed(w artifact.Workflow, page artifact.Page) []Claim {
	var claims []Claim
	for _, step := range w.Steps {
		claim, ok := l.byID[step.ClaimID]
		if ok && step.Name == claim.Text && slices.Contains(page.RequiredClaimIDs, claim.ID) && inFlow(claim) {
			claims = append(claims, claim)
		}
	}
	return claims
}

// codeOf is the code of a workflow on a page.
func (l *Library) codeOf(w artifact.Workflow, page artifact.Page) string {
	var parts []string
	code := listing{library: l}
	for _, step := range w.Steps {
		if snippet, shown := l.onPage(step, page); shown {
			parts = append(parts, code.show(snippet))
		}
	}
	return joined(parts...)
}

// about are the workflows that a page prints step by step.
func (l *Library) about(page artifact.Page) []artifact.Workflow {
	quick, ok := l.Quick()
	switch {
	case page.Role == "comprehensive_guide":
		return l.Tasks()
	case page.Slug == "getting-started" && ok:
		return []artifact.Workflow{quick}
	}
	slug := strings.TrimPrefix(page.Slug, "in-depth-")
	for _, task := range l.Tasks() {
		if (page.Role == "workflow_page" || slug != page.Slug) && TaskSlug(task) == slug {
			return []artifact.Workflow{task}
		}
	}
	return nil
}

// inText says that a page shows a snippet within what it says of a workflow.
func (l *Library) inText(id string, page artifact.Page) bool {
	return slices.ContainsFunc(l.about(page), func(w artifact.Workflow) bool {
		return slices.ContainsFunc(w.Steps, func(s artifact.WorkflowStep) bool { return s.SnippetID == id })
	})
}

// complete adds the sentences that cannot stand alone, where the text of their
// workflow has what they lean on.
func (l *Library) complete(pending map[string]Claim) {
	kept := map[string]bool{} // in the text of a workflow
	for _, claim := range l.claims {
		kept[claim.ID] = inFlow(claim)
	}
	for _, w := range l.Facts.Workflows {
		follows := false
		for _, step := range w.Steps {
			claim, waits := pending[step.ClaimID]
			switch {
			case step.ClaimID == "":
			case waits && l.groups[claim.ID].flow == w.Tag && l.continues(claim, step, follows):
				l.claims = append(l.claims, claim)
				delete(pending, claim.ID)
				kept[claim.ID], follows = true, true
			default:
				follows = kept[step.ClaimID]
			}
		}
	}
}

// longSentence is how many characters a sentence of a text may have.
const longSentence = 400

// continues says whether a claim can stand where its workflow has it: after the
// sentence that it leans on, and before the code that it speaks of.
func (l *Library) continues(claim Claim, step artifact.WorkflowStep, follows bool) bool {
	snippet, ok := l.snippets[step.SnippetID]
	shows := ok && Usable(snippet)
	text := strings.TrimSpace(claim.Text)
	switch {
	case utf8.RuneCountInString(text) > longSentence || len(strings.Fields(text)) <= fewestWords || order.MatchString(text):
		return false
	case elsewhere.MatchString(text) && !(shows && ahead.MatchString(text)):
		return false
	}
	return follows || !dangling.MatchString(text) || shows && presents.MatchString(text)
}

var (
	// ahead speaks of what comes next.
	ahead = regexp.MustCompile(`(?i)\b(?:below|the following|as follows)\b`)
	// presents is the beginning of a sentence that leads to code.
	presents = regexp.MustCompile(`(?i)^(?:here(?:'s|\x{2019}s| is| are)|for example|for instance|e\.g\.|the following)\b`)
)

// LeadsTo is the code that a claim speaks of, if it says nothing without it.
func (l *Library) LeadsTo(id string) (snippet string) {
	claim := l.byID[id]
	if !inFlow(claim) || !presents.MatchString(claim.Text) && !ahead.MatchString(claim.Text) {
		return ""
	}
	for _, w := range l.Facts.Workflows {
		for _, step := range w.Steps {
			if step.ClaimID == id {
				return step.SnippetID
			}
		}
	}
	return ""
}
