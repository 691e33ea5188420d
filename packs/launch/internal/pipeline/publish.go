package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/commitsvc"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/pr"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
	"mcpworks/packs/launch/internal/siteprofile"
)

// SiteOf is the address of the site that a profile has.
func SiteOf(profile *siteprofile.Profile) string {
	return cmp.Or(profile.SiteRepoURL, EmbeddedURL(profile.Name))
}

// Publishes says whether the site of a run with this profile may have an address:
// it is the profile's own, or its policy allows it.
func Publishes(profile *siteprofile.Profile, address string) bool {
	return address == SiteOf(profile) || address == EmbeddedURL(profile.Name) || AdmitsSite(profile, address)
}

// publish opens the pull request and ends the run (W9). If the site has changed
// since it was cloned, the run fails at its beginning: whoever resumes it has it
// made for the site as it is then (11.2). A run with a site_ref that is no branch
// would be made from the same commit again: it ends.
func (j *job) publish(ctx context.Context) error {
	_, err := j.openPR(ctx, pr.Options{})
	if failed, is := errors.AsType[*commitsvc.Failure](err); is && failed.Code == commitsvc.BaseMoved && j.held.Snapshot().State == state.ReadyForPR {
		if from, err := readInputs(j.held.Snapshot()); err == nil && j.config.SiteRef != "" && from.Site.Branch == "" {
			return &Fault{Code: failed.ErrorCode(), Stage: publishWorker, Message: "the site has changed since the commit that site_ref names: start a run with another site_ref, or without one", Err: failed}
		}
		return errors.Join(j.held.Return(ctx, state.Created, "the site has changed"), err)
	}
	return err
}

// OpenPR opens the pull request of a run that is ready for it, for whoever holds
// it (3.5), and ends the run. One that is open already is returned as it is. If
// the service refuses, the run stays as it was.
func (p *Pipeline) OpenPR(ctx context.Context, held *run.Held, options pr.Options) (pr.Outcome, error) {
	j, err := p.job(held)
	if err != nil {
		return pr.Outcome{}, err
	}
	s := held.Snapshot()
	switch {
	case s.State == state.Done && s.PR == nil:
		return pr.Outcome{NoChanges: true}, nil
	case s.State == state.Done:
		outcome := pr.Outcome{CommitSHA: s.PR.CommitSHA}
		return outcome, j.load(map[string]any{artifact.PullRequestName: &outcome.Document})
	case s.State != state.ReadyForPR && s.State != state.PROpened:
		return pr.Outcome{}, &state.IllegalError{State: s.State, Reason: "pull requests are opened in READY_FOR_PR"}
	}
	return j.openPR(ctx, options)
}

func (j *job) openPR(ctx context.Context, options pr.Options) (outcome pr.Outcome, err error) {
	in, err := j.prInputs(ctx)
	if err != nil {
		return outcome, err
	}
	service, err := j.service(in.SiteRepoURL)
	if err != nil {
		return outcome, err
	}
	reads, err := j.reading(artifact.PatchBundleName, artifact.ValidationReportName)
	if err != nil {
		return outcome, err
	}
	reads["log"] = j.held.Snapshot().LastHash // asking again is safe, and finds out how it ended
	err = j.perform(ctx, task{publishWorker, "", reads, func(ctx context.Context) ([]string, error) {
		by := commitsvc.WithAuthor(ctx, commitsvc.Author{Name: j.config.CommitService.AuthorName, Email: j.config.CommitService.AuthorEmail})
		var err error
		if outcome, err = pr.Open(by, in, service, journal{j}, options); err != nil || outcome.NoChanges {
			return nil, err
		}
		return j.keep(ctx, publishWorker, map[string]any{artifact.PullRequestName: outcome.Document})
	}})
	if err != nil {
		return outcome, err
	}
	if outcome.NoChanges {
		return outcome, j.held.Advance(ctx, snapshot.Change{New: state.Done, Reason: "no changes"})
	}
	if j.held.Snapshot().State == state.ReadyForPR {
		if err := j.held.Advance(ctx, snapshot.Change{New: state.PROpened}); err != nil {
			return outcome, err
		}
	}
	if err := j.rollback(ctx, outcome); err != nil {
		return outcome, err
	}
	return outcome, j.held.Advance(ctx, snapshot.Change{New: state.Done})
}

// service is who commits. In prod a site of the network needs a service that is
// not this process (11.1).
func (j *job) service(site string) (pr.Service, error) {
	here := strings.HasPrefix(j.config.CommitService.EndpointURL, embedded)
	if here && j.config.ValidationProfile == "prod" && !strings.HasPrefix(site, embedded) && !isLocal(site) {
		return nil, &Fault{Code: "POLICY_NETWORK_UNAUTHORIZED_HOST", Stage: publishWorker, Message: "in prod the embedded commit service does not commit to remote sites", Blocked: true}
	}
	if j.options.Service == nil {
		return nil, &Fault{Code: "COMMIT_SERVICE_NETWORK_FAILED", Stage: publishWorker, Message: "there is no commit service", Resumable: true}
	}
	service, err := j.options.Service(j.config)
	if err != nil {
		return nil, &Fault{Code: "COMMIT_SERVICE_NETWORK_FAILED", Stage: publishWorker, Message: "the commit service cannot be used", Resumable: true, Err: err}
	}
	return service, nil
}

func (j *job) prInputs(ctx context.Context) (pr.Inputs, error) {
	in := pr.Inputs{RunID: j.held.ID(), Config: j.config, PageURL: j.profile.URL}
	err := j.load(map[string]any{
		artifact.ProductFactsName: &in.Facts, artifact.EvidenceMapName: &in.Evidence, artifact.PagePlanName: &in.Plan,
		artifact.ValidationReportName: &in.Report, artifact.PatchBundleName: &in.Bundle,
	})
	if err != nil {
		return in, err
	}
	if !in.Report.OK || in.Report.TreeHash != in.Bundle.TreeHashAfter {
		return in, &Fault{Code: "ORCHESTRATOR_ILLEGAL_STATE", Stage: publishWorker, Message: "the last validation report is not ok for the present patches", Resumable: true}
	}
	from, err := readInputs(j.held.Snapshot())
	if err != nil {
		return in, err
	}
	in.SiteRepoURL, in.BaseRef = from.Site.URL, from.Site.Branch
	base, closeBase, err := j.behindFence(ctx, baseFolder)
	if err != nil {
		return in, err
	}
	defer closeBase()
	result, err := patch.Plan(base, in.Bundle, patch.Rules{AllowDelete: true})
	if err != nil {
		return in, err
	}
	in.Changes = result.Changes
	return in, nil
}

// rollback has the gate of that name judge pr.json (C-42).
func (j *job) rollback(ctx context.Context, outcome pr.Outcome) error {
	view, closeView, err := j.prView(ctx, outcome)
	if err != nil {
		return err
	}
	defer closeView()
	view.Watch = j.watchGates(ctx, publishWorker, true)
	report, err := gate.Only(ctx, view, gate.Rollback)
	if err != nil {
		return err
	}
	if err := j.report(ctx, []string{gate.Rollback}, report.Issues); err != nil {
		return err
	}
	for _, i := range report.Issues {
		if gate.Breaks(i, report.Profile, j.config.CIStrictness) {
			return &Fault{Code: i.Code, Stage: publishWorker, Message: i.Message, Blocked: true, Resumable: true}
		}
	}
	return nil
}

func (j *job) prView(ctx context.Context, outcome pr.Outcome) (*gate.View, func(), error) {
	if err := j.rebuild(ctx); err != nil {
		return nil, nil, err
	}
	view, closeView, err := j.view(ctx, siteFolder)
	if err != nil {
		return nil, nil, err
	}
	text, err := artifact.Encode(outcome.Document)
	if err != nil {
		closeView()
		return nil, nil, err
	}
	in := view.Input
	in.Documents[artifact.PullRequestName], in.Changed = text, outcome.Diff
	return gate.NewView(in), closeView, nil
}

// A journal keeps in the log what was asked of the commit service.
type journal struct{ *job }

// intentEvent is the payload of COMMIT_INTENT.
type intentEvent struct {
	Key       string `json:"idempotency_key"`
	OpenPRKey string `json:"open_pr_idempotency_key"`
	Branch    string `json:"branch"`
	Draft     bool   `json:"draft"`
}

// Intent notes what is about to be asked for, or returns what was asked for
// before with the same key.
func (l journal) Intent(ctx context.Context, intent pr.Intent) (pr.Intent, error) {
	var earlier *intentEvent
	err := l.store.Events(l.held.ID(), func(e eventlog.Event) {
		var noted intentEvent
		if e.Type == snapshot.CommitIntent && json.Unmarshal(e.Payload, &noted) == nil && noted.Key == intent.CommitKey {
			earlier = &noted
		}
	})
	if err != nil {
		return intent, err
	}
	if earlier != nil {
		return pr.Intent{CommitKey: earlier.Key, OpenPRKey: earlier.OpenPRKey, Branch: earlier.Branch, Draft: earlier.Draft}, nil
	}
	note := intentEvent{intent.CommitKey, intent.OpenPRKey, intent.Branch, intent.Draft}
	return intent, l.held.Append(ctx, eventlog.Draft{Type: snapshot.CommitIntent, Payload: note})
}

// Committed notes the commit.
func (l journal) Committed(ctx context.Context, branch, sha string) error {
	return l.held.Append(ctx, eventlog.Draft{Type: snapshot.CommitCreated, Payload: snapshot.PullRequest{Branch: branch, CommitSHA: sha}})
}

// Opened notes the pull request.
func (l journal) Opened(ctx context.Context, url string, number int) error {
	return l.held.Append(ctx, eventlog.Draft{Type: snapshot.PROpened, Payload: snapshot.PullRequest{URL: url, Number: int64(number)}})
}
