package paging

import (
	"strings"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var noOverlap = lint.Rule{
	ID: "PAGE-004", Slug: "no-overlap",
	Title:    "pages do not overlap, and nothing is lost between them",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Passive,
	What: "Reads each list that has several pages twice, to its end. No element is on two pages, and both passes have the same elements, unless the server says in between that the list has changed. Lists of one page are left to other rules.",
	Why:  "Clients put the pages together. What is on two of them is shown twice, and what falls between two does not exist for people and models.",
	Bad:  `page 1: a, b; page 2: b, c`,
	Good: `page 1: a, b; page 2: c`,
	Fix:  "Sort the list by something that does not change, and let the cursor say where the next page begins.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Main) {
			for _, method := range methods {
				if all := pages(t, step.List, method); len(all) > 1 {
					v.Saw()
					checkOverlap(v, all)
					checkLoss(v, t, all, pages(t, step.ListAgain, method))
				}
			}
		}
		onePage(v)
	},
}

func checkOverlap(v *lint.View, all []page) {
	on := map[string]int{}
	for i, p := range all {
		for _, name := range p.names() {
			if before, known := on[name]; known && before != i {
				v.Failf(p.answer, subject(p.method), "an element is on two pages")
				return
			}
			on[name] = i
		}
	}
}

func checkLoss(v *lint.View, t *lint.Talk, first, second []page) {
	method := first[0].method
	if changed(t, method) {
		return
	}
	if len(second) == 0 || !ended(first) || !ended(second) {
		v.NotVerified("a list was not read twice to its end")
		return
	}
	once, twice := nameSet(first), nameSet(second)
	for name := range once {
		if !twice[name] {
			v.Failf(second[len(second)-1].answer, subject(method), "the second pass lacks elements of the first")
			break
		}
	}
	for name := range twice {
		if !once[name] {
			v.Failf(first[len(first)-1].answer, subject(method), "the first pass lacks elements of the second")
			break
		}
	}
}

func nameSet(all []page) map[string]bool {
	names := map[string]bool{}
	for _, p := range all {
		for _, name := range p.names() {
			names[name] = true
		}
	}
	return names
}

func ended(all []page) bool {
	_, more := all[len(all)-1].next()
	return !more
}

// changed says whether the server has announced another list.
func changed(t *lint.Talk, method string) bool {
	kind, _, _ := strings.Cut(method, "/")
	for _, m := range t.Messages() {
		if m.FromServer && m.MethodName() == "notifications/"+kind+"/list_changed" {
			return true
		}
	}
	return false
}
