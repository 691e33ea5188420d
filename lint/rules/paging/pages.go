package paging

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// lists has the member that holds the list, and the member that names its
// elements, by method.
var lists = map[string]struct{ member, name string }{
	mcp.MethodListTools:             {"tools", "name"},
	mcp.MethodListResources:         {"resources", "uri"},
	mcp.MethodListResourceTemplates: {"resourceTemplates", "uriTemplate"},
	mcp.MethodListPrompts:           {"prompts", "name"},
}

// methods are the lists in the order in which findings come.
var methods = []string{mcp.MethodListTools, mcp.MethodListResources, mcp.MethodListResourceTemplates, mcp.MethodListPrompts}

// A page is a result of a list.
type page struct {
	answer *lint.Message
	method string
}

// pages are the results of one pass over a list, in order.
func pages(t *lint.Talk, stepName, method string) []page {
	var pages []page
	for _, s := range t.StepsOf(stepName) {
		if s.About != method {
			continue
		}
		if answer := s.Answer(); answer != nil && answer.HasResult() {
			pages = append(pages, page{answer, method})
		}
	}
	return pages
}

// next is the cursor of the page after this one; ok is false if this is the
// last.
func (p page) next() (cursor string, ok bool) {
	return lint.Text(lint.Member(p.answer.Result, "nextCursor"))
}

// names are those of the elements.
func (p page) names() []string {
	var names []string
	list := lint.Member(p.answer.Result, lists[p.method].member)
	if rawjson.KindOf(list) != rawjson.Array {
		return nil
	}
	for element := range rawjson.Elements(list) {
		name, _ := lint.Text(lint.Member(element, lists[p.method].name))
		names = append(names, name)
	}
	return names
}

func subject(method string) lint.Subject { return lint.Subject{Kind: "method", Name: method} }

// onePage says that a rule is not about a server whose lists were all read and
// have one page each.
func onePage(v *lint.View) {
	for _, t := range v.Talks(step.Main) {
		for _, method := range methods {
			if first := t.Step(step.List, method); first != nil && first.Answer() != nil && first.Answer().HasResult() {
				v.NotApplicable("no list has more than one page")
			}
		}
	}
}
