package auth

import (
	"regexp"

	"mcpworks/lint"
)

var stdioNoOAuth = lint.Rule{
	ID: "AUTH-007", Slug: "stdio-no-oauth",
	Title:    "a server on stdio does not send its user to log in",
	Severity: lint.Info, Strength: lint.Should,
	Revisions: lint.B | lint.C | lint.D | lint.E, Transports: lint.Stdio, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.B | lint.C | lint.D | lint.E, Page: "basic#auth", Demand: "What HTTP has for authorization is not for stdio, where credentials should come with the environment."},
	},
	What: "Looks through what the process writes to standard error for the address of a login page of OAuth, with client_id and response_type in its query.",
	Why:  "Most clients do not show standard error. The server waits for a login that nobody knows of, and where there is no browser there can be none.",
	Bad:  "stderr: Open https://auth.example.com/authorize?response_type=code&client_id=abc in your browser",
	Good: "stderr: set EXAMPLE_TOKEN to use this server",
	Fix:  "Take credentials from the environment or a file, and offer logging in as a command of its own.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks() {
			for _, s := range t.Steps {
				for i := range s.Events {
					v.Saw()
					if line := s.Events[i].Stderr; isLogin(line) {
						v.Fail(lint.Finding{
							Message: "the process asks on standard error to log in with a browser", Likely: true, Revision: t.Revision,
							Evidence: lint.Evidence{Talk: t.Phase, Step: s.Label(), Received: line, Note: "on standard error"},
						})
					}
				}
			}
		}
	},
}

var address = regexp.MustCompile(`https?://[^\s"'<>]+\?[^\s"'<>]+`)

// isLogin says whether a line has the address of a login page of OAuth.
func isLogin(line string) bool {
	for _, found := range address.FindAllString(line, -1) {
		if clientID.MatchString(found) && responseType.MatchString(found) {
			return true
		}
	}
	return false
}

var (
	clientID     = regexp.MustCompile(`[?&]client_id=`)
	responseType = regexp.MustCompile(`[?&]response_type=(code|token)`)
)
