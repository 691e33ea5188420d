package tools

import (
	"regexp"

	"mcpworks/internal/bounded"
	"mcpworks/lint"
)

var nameClients = lint.Rule{
	ID: "TOOL-005", Slug: "name-clients",
	Title:    "names of tools fit the limits of clients",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Compares the name of every tool with ^[A-Za-z0-9_-]{1,64}$, which the APIs of Anthropic and OpenAI demand, and does the same with mcp__<server>__ before it, as Claude Code writes it (limits as published in 2025). The server is called as it calls itself.",
	Why:  "Clients put the name of the server in front and send the result to the model API. What is too long or has a dot is refused there, with all other tools.",
	Bad:  `{"name":"repository.pull_requests.list_with_comments_and_reviews_of_author"}`,
	Good: `{"name":"list_pull_requests"}`,
	Fix:  "Shorten the name; the server's name need not be part of it.",
	Check: func(v *lint.View) {
		for _, item := range listed(v) {
			if item.Name == "" {
				continue // TOOL-001
			}
			v.Saw()
			server, _ := lint.Text(lint.Member(item.Message.Talk().Server(), "name"))
			prefix := "mcp__" + others.ReplaceAllString(bounded.Runes(server, 64), "_") + "__"
			switch {
			case !accepted.MatchString(item.Name):
				failItem(v, item, "/name", "the name is not of 1 to 64 letters, digits, _ and -")
			case server != "" && len(prefix)+len(item.Name) > 64:
				failItem(v, item, "/name", "the name with %s before it has more than 64 characters", prefix)
			}
		}
	},
}

var (
	accepted = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	others   = regexp.MustCompile(`[^A-Za-z0-9_-]`)
)
