// Package review looks at drafts as a careful reader would, before they become
// part of a site (W5.5, 6.6). What can be put right by rule is put right.
package review

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
)

// Stage is the name that issues of this stage carry.
const Stage = "reviewer"

// CodeRejected says that the drafts are not fit to go on with.
const CodeRejected = "REVIEWER_REJECTED"

// The verdicts.
const (
	Pass         = "PASS"
	NeedsChanges = "NEEDS_CHANGES"
	Reject       = "REJECT"
)

// maxRounds is how often drafts are put right and looked at again.
const maxRounds = 3

// Inputs are all that the stage looks at.
type Inputs struct {
	Plan     artifact.PagePlan
	Manifest artifact.DraftManifest
	Files    map[string][]byte // the drafts by their paths
	Facts    artifact.ProductFacts
	Evidence artifact.EvidenceMap
	Snippets artifact.SnippetCatalog
	Contract artifact.FrontmatterContract
}

// Outputs are the documents of the stage, with the drafts as they are now.
type Outputs struct {
	Report   artifact.ReviewReport
	Manifest artifact.DraftManifest
	Files    map[string][]byte
}

// Run reviews the drafts. It is a pure function of its inputs.
func Run(ctx context.Context, in Inputs) (Outputs, []issue.Issue, error) {
	r := newReviewer(in)
	report := artifact.ReviewReport{SchemaVersion: artifact.Version, PagesReviewed: len(in.Manifest.Drafts)}
	var pages []verdict
	for round := 1; ; round++ {
		if err := ctx.Err(); err != nil {
			return Outputs{}, nil, err
		}
		pages = r.look()
		report.DimensionScores = worst(pages)
		report.OverallStatus = statusOf(report.DimensionScores)
		if report.OverallStatus == Pass || round > maxRounds {
			break
		}
		fixed := r.fix(pages, round)
		if len(fixed) == 0 {
			break
		}
		report.FixResults = append(report.FixResults, fixed...)
	}
	report.OK = report.OverallStatus == Pass
	report.SeverityCounts = map[string]int{"blocker": 0, "error": 0, "warn": 0, "info": 0}
	for _, page := range pages {
		if statusOf(page.scores()) == Pass {
			report.PagesPassed++
		} else {
			report.PagesFailed++
		}
		for _, f := range page.findings {
			report.Issues = append(report.Issues, f.Issue)
			report.SeverityCounts[string(f.Severity)]++
		}
	}
	issue.Sort(report.Issues, []string{Stage})
	issues := slices.Clone(report.Issues)
	if report.OverallStatus == Reject {
		issues = append(issues, issue.New(Stage, issue.Warn, CodeRejected, "", "", "the reviewer would not accept %d of %d pages", report.PagesFailed, report.PagesReviewed))
	}
	return Outputs{Report: report, Manifest: r.manifest(), Files: r.files}, issues, nil
}

// A reviewer is the work on one set of drafts.
type reviewer struct {
	in       Inputs
	files    map[string][]byte
	plan     map[string]artifact.Page
	claims   map[string]bool
	snippets map[string]bool // code that the catalogue has
}

func newReviewer(in Inputs) *reviewer {
	r := &reviewer{in: in, files: maps.Clone(in.Files), plan: map[string]artifact.Page{}, claims: map[string]bool{}, snippets: map[string]bool{}}
	for _, page := range in.Plan.Pages {
		r.plan[page.ID] = page
	}
	for _, claim := range in.Evidence.Claims {
		r.claims[claim.ID] = true
	}
	for _, snippet := range in.Snippets.Snippets {
		r.snippets[trimCode(snippet.Code)] = true
	}
	return r
}

// look reviews every draft.
func (r *reviewer) look() []verdict {
	var pages []verdict
	for _, draft := range r.in.Manifest.Drafts {
		p := parse(draft, r.plan[draft.PageID], string(r.files[draft.DraftPath]))
		v := verdict{page: p}
		for _, check := range checks {
			v.findings = append(v.findings, check(r, p)...)
		}
		pages = append(pages, v)
	}
	return pages
}

// fix applies the rules that put findings right, to all pages that have any.
func (r *reviewer) fix(pages []verdict, round int) []artifact.FixResult {
	var results []artifact.FixResult
	for _, v := range pages {
		counts := map[string]int{}
		for _, f := range v.findings {
			if f.fix != nil {
				counts[f.Code]++
			}
		}
		before := string(r.files[v.page.draft.DraftPath])
		text := before
		for _, code := range slices.Sorted(maps.Keys(counts)) {
			text = fixes[code](text)
		}
		if text == before {
			continue
		}
		r.files[v.page.draft.DraftPath] = []byte(text)
		for _, code := range slices.Sorted(maps.Keys(counts)) {
			results = append(results, artifact.FixResult{Path: v.page.draft.OutputPath, Check: code, Round: round, Count: counts[code]})
		}
	}
	return results
}

// manifest is that of the drafts as they are now.
func (r *reviewer) manifest() artifact.DraftManifest {
	manifest := r.in.Manifest
	manifest.Drafts = slices.Clone(manifest.Drafts)
	for i := range manifest.Drafts {
		draft := &manifest.Drafts[i]
		if string(r.files[draft.DraftPath]) == string(r.in.Files[draft.DraftPath]) {
			continue
		}
		draft.WordCount = 0
		for _, l := range parse(*draft, artifact.Page{}, string(r.files[draft.DraftPath])).lines {
			draft.WordCount += len(strings.Fields(marker.ReplaceAllString(l.text, "")))
		}
		sum := sha256.Sum256(r.files[draft.DraftPath])
		draft.SHA256 = hex.EncodeToString(sum[:])
	}
	return manifest
}
