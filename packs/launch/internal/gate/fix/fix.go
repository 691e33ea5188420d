// Package fix puts right what gates have found, by rules, one issue at a time
// (10.4). It plans patches and applies nothing.
//
// A rule never adds a statement that is not a claim of the page's plan. What no
// such statement can replace is taken away.
package fix

import (
	"errors"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gate/page"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/stage/write/body"
)

// ErrUnfixable says that no rule can put an issue right.
var ErrUnfixable = errors.New("no rule can put the issue right")

// Next is the issue to work on: the first open one in a report that stands
// against its verdict and that a rule may put right.
func Next(report artifact.ValidationReport, strictness string) (issue.Issue, bool) {
	for _, i := range report.Issues { // they are in order
		if i.Status == issue.Open && i.Fixable && gate.Breaks(i, report.Profile, strictness) {
			return i, true
		}
	}
	return issue.Issue{}, false
}

// Patches plans what puts one issue right, on top of the patches that made the
// site what the view shows: they are for the end of the bundle, and get their
// ids there. None means that there is nothing to change (FIX_NO_DIFF).
//
// Drafts are the pages as they were written, by their paths in the site.
func Patches(v *gate.View, i issue.Issue, drafts map[string]string) ([]artifact.Patch, error) {
	rule, known := rules[i.Code]
	if !known || i.Location == nil {
		return nil, ErrUnfixable
	}
	w := &work{view: v, issue: i, file: i.Location.Path, plan: v.Planned(i.Location.Path)}
	var before *string
	if i.Code == gate.CodeMissingPage {
		draft, written := drafts[w.file]
		if !written || w.plan == nil {
			return nil, ErrUnfixable
		}
		w.result = draft
	} else {
		p, err := v.Page(w.file)
		if err != nil {
			return nil, ErrUnfixable // it is not about a page
		}
		w.page, before = p, &p.Text
		for _, line := range p.Lines {
			w.lines = append(w.lines, line.Text)
		}
		if err := rule(w); err != nil {
			return nil, err
		}
		if w.result == "" {
			w.result = strings.Join(w.lines, "\n") + "\n"
		}
	}
	patches := patch.Edit(w.file, before, &w.result)
	for n := range patches {
		patches[n].Origin, patches[n].IssueID = patch.OriginFix, i.ID
		if w.plan != nil {
			patches[n].Section, patches[n].PageID = w.plan.Section, w.plan.ID
		}
	}
	return patches, nil
}

// work is what a rule works on: the lines of a page, or its whole text.
type work struct {
	view   *gate.View
	issue  issue.Issue
	file   string
	plan   *artifact.Page // nil if the page is not planned
	page   *page.Page
	lines  []string // to be changed
	result string   // instead of the lines, if it is set
}

// about says whether the issue is about a subject.
func (w *work) about(subject string) bool {
	return issue.ID(w.issue.Gate, w.issue.Code, w.file, subject) == w.issue.ID
}

// rules are the fixers by the codes of issues.
var rules = map[string]func(*work) error{
	gate.CodeToken:        tokens,
	gate.CodeFrontMissing: frontMatter, gate.CodeFrontInvalid: frontMatter, gate.CodeFrontRequired: frontKey, gate.CodeFrontType: frontKey, gate.CodeFrontContract: frontKey,
	gate.CodeLint:         form,
	gate.CodeLinkInternal: link, gate.CodeLinkRelative: link, gate.CodeLinkAnchor: link,
	gate.CodeUncited: statement, gate.CodeInvalidClaim: statement, gate.CodeMismatch: statement, gate.CodeEvidence: statement, gate.CodeContradicted: statement,
	gate.CodeCoverage:       coverage,
	gate.CodeSnippetUnknown: snippet, gate.CodeSnippetLanguage: snippet, gate.CodeSnippetSyntax: snippet,
	gate.CodeProductName: productName, gate.CodeRepoURL: repoURL, gate.CodeCanonicalURL: canonicalURL, gate.CodeRequiredHeading: requiredHeading,
	gate.CodeLimitations: limitations, gate.CodeDistribution: distribution,
	gate.CodeMissingPage: nil, // the draft is taken as it is
	gate.CodeTOCSnippets: contentsCode, gate.CodeTOCChildren: contentsChildren, gate.CodeForbiddenTopic: forbiddenTopic, gate.CodeQuotaExceeded: quota,
}

// library renders claims as the writer does.
func (w *work) library() *body.Library {
	return body.NewLibrary(w.view.Facts, w.view.Evidence, w.view.Catalog, w.view.Config.AllowInference)
}

// drop takes lines away, given by their indexes, and empty lines that would
// follow each other.
func (w *work) drop(indexes ...int) {
	var kept []string
	front := w.page.BodyLine() - 1
	for n, line := range w.lines {
		switch {
		case slices.Contains(indexes, n):
		case n > front && strings.TrimSpace(line) == "" && len(kept) > 0 && strings.TrimSpace(kept[len(kept)-1]) == "" && !w.code(n):
		default:
			kept = append(kept, line)
		}
	}
	for len(kept) > 0 && strings.TrimSpace(kept[len(kept)-1]) == "" {
		kept = kept[:len(kept)-1]
	}
	w.lines = kept
}

// code says whether a line of the page as it was is code.
func (w *work) code(n int) bool { return n < len(w.page.Lines) && w.page.Lines[n].InCode() }

// insert puts a block between the lines, with an empty line around it.
func (w *work) insert(at int, block ...string) {
	if at > 0 && strings.TrimSpace(w.lines[at-1]) != "" {
		block = append([]string{""}, block...)
	}
	if at < len(w.lines) && strings.TrimSpace(w.lines[at]) != "" {
		block = append(block, "")
	}
	w.lines = slices.Concat(w.lines[:at], block, w.lines[at:])
}
