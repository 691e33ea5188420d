// Package pr makes the pull request of a run: the last stage, W9 (11.3).
//
// Propose writes everything that a reviewer reads, from the run's documents and
// without asking anybody. Open hands it to the commit service. Open may be
// called again after any failure, and in another process: it asks for the same
// branch, commit and pull request with the same keys.
package pr

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/commitsvc"
	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/patch"
)

// Inputs are the documents of a run that is ready for its pull request.
type Inputs struct {
	RunID  string
	Config *config.Config
	// SiteRepoURL is the site as the commit service knows it.
	SiteRepoURL string
	// BaseRef is the branch of the site that the pull request goes to; empty
	// means the site's own.
	BaseRef  string
	Facts    artifact.ProductFacts
	Evidence artifact.EvidenceMap
	Plan     artifact.PagePlan
	Report   artifact.ValidationReport
	Bundle   artifact.PatchBundle
	// Changes are what the bundle does to the site.
	Changes []patch.Change
	// PageURL is the whole address of a page; nil leaves it at the path.
	PageURL func(section, urlPath string) string
}

// Embedded is the endpoint_url of the commit service in this process.
const Embedded = "embedded:"

// A Service commits; a *commitsvc.Client is one.
type Service interface {
	Commit(context.Context, commitsvc.CommitRequest) (commitsvc.CommitResponse, error)
	OpenPR(context.Context, commitsvc.OpenPRRequest) (commitsvc.OpenPRResponse, error)
}

// An Intent is what is about to be asked for.
type Intent struct {
	CommitKey, OpenPRKey string
	Branch               string
	Draft                bool
}

// A Journal keeps what happened, in the run's event log.
type Journal interface {
	// Intent is called before anything is asked for; it returns when the intent
	// is on disk. If there is an earlier one with the same commit key it returns
	// that: what was asked for once is asked for in the same words again.
	Intent(context.Context, Intent) (Intent, error)
	// Committed and Opened are called when the service has answered.
	Committed(ctx context.Context, branch, sha string) error
	Opened(ctx context.Context, url string, number int) error
}

// Options are what the caller of launch_open_pr says.
type Options struct {
	Draft    bool
	Approval *commitsvc.Approval // nil: nobody was asked
}

// An Outcome is what came of it.
type Outcome struct {
	NoChanges bool // the site is as the run wants it: there is no pull request
	CommitSHA string
	// Document is pr.json. With Diff it is what the gate rollback judges.
	Document artifact.PullRequest
	Diff     []string // the files that the commit changes, sorted
}

// Errors that callers act on.
var (
	// ErrNotReady: the run may not be published.
	ErrNotReady = errors.New("the last validation report is not ok")
	// ErrRemoteSite: in prod the embedded service must not stand in for the host
	// of a remote site (11.1).
	ErrRemoteSite = errors.New("the embedded commit service serves no remote site in prod")
)

// Open opens the pull request. An error of the service is a *commitsvc.Failure,
// and so is a missing approval.
func Open(ctx context.Context, in Inputs, service Service, journal Journal, options Options) (Outcome, error) {
	if !in.Report.OK {
		return Outcome{}, ErrNotReady
	}
	if len(in.Changes) == 0 {
		return Outcome{NoChanges: true}, nil
	}
	if in.Config.ValidationProfile == "prod" && in.Config.CommitService.EndpointURL == Embedded && strings.HasPrefix(in.SiteRepoURL, "https://") {
		return Outcome{}, ErrRemoteSite
	}
	if err := approved(in.Config, options.Approval); err != nil {
		return Outcome{}, err
	}
	proposal := Propose(in)
	intent := Intent{
		CommitKey: commitsvc.Key(commitsvc.ForCommit, in.RunID, in.Bundle.TreeHashAfter),
		OpenPRKey: commitsvc.Key(commitsvc.ForOpenPR, in.RunID, in.Bundle.TreeHashAfter),
		Branch:    proposal.Branch, Draft: options.Draft,
	}
	noted, err := journal.Intent(ctx, intent)
	if err != nil {
		return Outcome{}, fmt.Errorf("note what is about to be committed: %w", err)
	}
	intent.Draft = noted.Draft // the rest follows from the run and its patches, and a log may hide keys
	made, err := service.Commit(ctx, proposal.commitRequest(in, intent, options.Approval))
	if err != nil {
		return Outcome{}, err
	}
	if err := journal.Committed(ctx, proposal.Branch, made.CommitSHA); err != nil {
		return Outcome{}, fmt.Errorf("note the commit: %w", err)
	}
	opened, err := service.OpenPR(ctx, proposal.openRequest(in, intent))
	if err != nil {
		return Outcome{}, err
	}
	number := 0
	if opened.Number != nil {
		number = *opened.Number
	}
	if err := journal.Opened(ctx, opened.URL, number); err != nil {
		return Outcome{}, fmt.Errorf("note the pull request: %w", err)
	}
	return Outcome{
		CommitSHA: made.CommitSHA, Diff: proposal.Paths, Document: artifact.PullRequest{
			SchemaVersion: artifact.Version, RunID: in.RunID, BaseRef: in.Bundle.BaseSHA, BranchName: proposal.Branch,
			CommitSHAs: []string{made.CommitSHA}, URL: opened.URL, Number: number, AffectedPaths: slices.Clone(proposal.Paths),
			RollbackSteps: proposal.Rollback, Body: proposal.Body, ValidationSummary: summary(in.Report),
		},
	}, nil
}

// approved refuses what needs a person's yes and has none (11.3). In prod it is
// needed unless the configuration says otherwise.
func approved(c *config.Config, approval *commitsvc.Approval) error {
	needed := c.ValidationProfile == "prod"
	if c.CommitService.RequireApproval != nil {
		needed = *c.CommitService.RequireApproval
	}
	no := func(code, message string) error {
		return &commitsvc.Failure{Code: code, Status: http.StatusForbidden, Message: message}
	}
	switch {
	case approval != nil && !approval.Approved:
		return no(commitsvc.ApprovalDenied, "a person has not agreed to this pull request")
	case approval == nil && needed:
		return no(commitsvc.ApprovalRequired, "a person has to agree to this pull request")
	}
	return nil
}

func summary(report artifact.ValidationReport) artifact.ValidationSummary {
	s := artifact.ValidationSummary{OK: report.OK, Profile: report.Profile}
	for _, gate := range report.Gates {
		switch {
		case gate.Status == "skipped":
		case gate.OK:
			s.GatesPassed++
		default:
			s.GatesFailed++
		}
	}
	return s
}

func (p Proposal) commitRequest(in Inputs, intent Intent, approval *commitsvc.Approval) commitsvc.CommitRequest {
	request := commitsvc.CommitRequest{
		SchemaVersion: commitsvc.Version, RunID: in.RunID, IdempotencyKey: intent.CommitKey, RepoURL: in.SiteRepoURL,
		BaseRef: in.baseRef(), BranchName: p.Branch, AllowedPaths: in.Config.AllowedPaths,
		CommitMessage: p.CommitMessage, CommitBody: p.CommitBody, PatchBundle: in.Bundle,
	}
	if approval != nil {
		request.Governance = &commitsvc.Governance{Approval: *approval}
	}
	return request
}

func (p Proposal) openRequest(in Inputs, intent Intent) commitsvc.OpenPRRequest {
	return commitsvc.OpenPRRequest{
		SchemaVersion: commitsvc.Version, RunID: in.RunID, IdempotencyKey: intent.OpenPRKey, RepoURL: in.SiteRepoURL,
		BaseRef: in.baseRef(), BranchName: p.Branch, Title: p.Title, Body: p.Body, Draft: intent.Draft,
	}
}

func (in Inputs) baseRef() string {
	if in.BaseRef != "" {
		return in.BaseRef
	}
	return in.Bundle.BaseSHA
}
