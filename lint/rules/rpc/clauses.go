package rpc

import "mcpworks/lint"

// onMessages is a demand about messages of all kinds, or of one: a section of the
// overview, which in the first revision is a page of its own.
func onMessages(revisions lint.Revisions, section, demand string) []lint.Clause {
	first := "basic/messages"
	if section != "messages" {
		first += "#" + section
	}
	return []lint.Clause{
		{Revisions: revisions &^ lint.A, Page: "basic#" + section, Demand: demand},
		{Revisions: revisions & lint.A, Page: first, Demand: demand},
	}
}
