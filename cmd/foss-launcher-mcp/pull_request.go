package main

import (
	"path/filepath"
	"regexp"
)

// A pullRequest is what came of a run.
type pullRequest struct {
	RunID     string `json:"run_id"`
	URL       string `json:"pr_url"`
	Branch    string
	Commit    string `json:"commit_sha"`
	Number    int    `json:"pr_number"`
	NoChanges bool   `json:"no_changes"`
}

func pullRequestText(p *page, pr pullRequest) {
	p.fact("Run", "%s", pr.RunID)
	if pr.NoChanges {
		p.fact("Result", "the site has all of it already, so there is no pull request")
		return
	}
	pr.facts(p)
	pr.next(p)
}

// keptHere is the address of a pull request on a site that is kept in the data
// directory, under the name of its profile.
var keptHere = regexp.MustCompile(`^urn:launcher:pr:([A-Za-z0-9_][A-Za-z0-9._-]*):[0-9]+$`)

// site is the repository of the site, if it is here.
func (pr pullRequest) site(p *page) string {
	if match := keptHere.FindStringSubmatch(pr.URL); match != nil {
		return filepath.Join(p.dataDir, "remotes", match[1]+".git")
	}
	return ""
}

func (pr pullRequest) facts(p *page) {
	if site := pr.site(p); site != "" {
		p.fact("Request", "number %d, in the site kept in %s", pr.Number, site)
	} else if pr.URL != "" {
		p.fact("Request", "%s", pr.URL)
	}
	p.fact("Branch", "%s", pr.Branch)
	if pr.Commit != "" {
		p.fact("Commit", "%s", pr.Commit)
	}
}

func (pr pullRequest) next(p *page) {
	if site := pr.site(p); site != "" && pr.Commit != "" {
		p.heading("To look at what it changes:")
		p.line("  %s", joined([]string{"git", "-C", site, "show", "--stat", pr.Commit}))
	}
}
