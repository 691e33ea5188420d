package main

import (
	"cmp"
	"fmt"
)

// An issue is something that is wrong with a run, as a status or as a report of
// the gates has it.
type issue struct {
	ID       string `json:"issue_id"`
	Severity string
	Gate     string
	Title    string
	Message  string
	Path     string
	Line     int
	Location struct {
		Path string
		Line int
	}
	Status    string
	Fixable   bool
	Suggested string `json:"suggested_fix"`
}

// what is what all issues have in common that are told together.
func (i issue) what() [4]string {
	return [4]string{i.Severity, i.Gate, cmp.Or(i.Title, i.Message), i.Suggested}
}

// place is where the issue is.
func (i issue) place() string {
	path, line := cmp.Or(i.Path, i.Location.Path), cmp.Or(i.Line, i.Location.Line)
	if line > 0 {
		return fmt.Sprintf("%s:%d", path, line)
	}
	return path
}

// mostIssues is how many are told.
const mostIssues = 50

// issuesText tells issues in their order, those with the same message together.
func issuesText(p *page, heading string, issues []issue, total int) {
	if total == 0 {
		return
	}
	p.heading("%s: %d", heading, total)
	const indent = len("  blocker  ")
	for at, i := range issues[:min(len(issues), mostIssues)] {
		if at == 0 || issues[at-1].what() != i.what() {
			p.paragraph("  "+i.Severity, indent, i.Gate+": "+cmp.Or(i.Title, i.Message))
			if i.Suggested != "" {
				p.paragraph("", indent, "do: "+i.Suggested)
			}
		}
		switch place := i.place(); {
		case i.Fixable && place != "":
			p.line("%*s%s (can be put right by fix)", indent, "", place)
		case i.Fixable:
			p.line("%*sit can be put right by fix", indent, "")
		case place != "":
			p.line("%*s%s", indent, "", place)
		}
	}
	if rest := total - min(len(issues), mostIssues); rest > 0 {
		p.line("%*sand %d more; --json has them all", indent, "", rest)
	}
}
