package pr

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mcpworks/internal/bounded"
	"mcpworks/packs/launch/internal/commitsvc"
)

// A Proposal is everything about a pull request that is known before it is made.
// Equal inputs give equal ones.
type Proposal struct {
	Branch                    string
	CommitMessage, CommitBody string
	Title, Body               string
	Paths                     []string // sorted
	Rollback                  []string
}

// The texts of a commit if the configuration has none.
const (
	defaultMessage = "Launch: {product_slug}"
	defaultBody    = "Pages made from {github_repo_url} at {github_ref}\nfor {site_repo_url} at {site_ref}."
)

// Propose writes a proposal.
func Propose(in Inputs) Proposal {
	p := Proposal{
		Branch: Branch(in.Config.ProductSlug, in.Facts.RepoSHA, in.RunID),
		Title:  bounded.Runes("Launch: "+oneLine(in.Config.ProductName), 200),
	}
	fill := in.words()
	p.CommitMessage = bounded.Runes(oneLine(fill.Replace(cmp.Or(in.Config.CommitService.CommitMessageTemplate, defaultMessage))), 200)
	p.CommitBody = fill.Replace(cmp.Or(in.Config.CommitService.CommitBodyTemplate, defaultBody))
	for _, change := range in.Changes {
		p.Paths = append(p.Paths, change.Path)
	}
	slices.Sort(p.Paths)
	p.Rollback = rollback(in, p.Branch)
	p.Body = body(in, p)
	return p
}

// words are what templates of commit texts may name. Refs are the commits that
// were used, whatever they were called (C-26).
func (in Inputs) words() *strings.Replacer {
	return strings.NewReplacer(
		"{product_slug}", in.Config.ProductSlug, "{run_id}", in.RunID, "{github_repo_url}", told(in.Config.GitHubRepoURL),
		"{github_ref}", in.Facts.RepoSHA, "{site_repo_url}", told(in.SiteRepoURL), "{site_ref}", in.Bundle.BaseSHA,
	)
}

// Branch is the branch of a run (C-30).
func Branch(productSlug, repoSHA, runID string) string {
	return fmt.Sprintf("%s%s/%.7s/%s", commitsvc.BranchPrefix, productSlug, repoSHA, short(runID))
}

var endOfRun = regexp.MustCompile(`_([0-9a-f]{8})$`)

// short is run_id_short: the last part of a generated id.
func short(runID string) string {
	if found := endOfRun.FindStringSubmatch(runID); found != nil {
		return found[1]
	}
	sum := sha256.Sum256([]byte(runID))
	return hex.EncodeToString(sum[:4])
}

// rollback says how to take the change back. It names nothing that is only known
// afterwards.
func rollback(in Inputs, branch string) []string {
	target := "the site's branch"
	if in.BaseRef != "" {
		target = code(in.BaseRef)
	}
	return []string{
		fmt.Sprintf("Before it is merged: close the pull request and delete the branch %s. Nothing else was changed.", code(branch)),
		fmt.Sprintf("After it was merged: on %s, run `git revert -m 1 <merge commit>`, or `git revert <commit>` if it was squashed or rebased, and push.", target),
		fmt.Sprintf("To check: `git diff %s HEAD` shows none of the paths under Changes.", in.Bundle.BaseSHA),
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
