package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/rulesets"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/taskcard"
	"mcpworks/packs/launch/internal/templates"
)

// A job is the work on one run, with what it was told and the rules of its site.
type job struct {
	*Pipeline
	held      *run.Held
	config    *config.Config
	profile   *siteprofile.Profile // with the layout of the run
	rules     *rulesets.Ruleset
	templates *templates.Set
	card      *taskcard.Report // that authorises the run; nil if it names none
	fence     *fence.Fence     // of the run, within what its card allows
	discarded []string         // files whose edits by hand were put back
}

// job reads what a run was told. That it cannot be understood is a fault of the
// run: it was checked when the run was made, so the server has changed since.
func (p *Pipeline) job(held *run.Held) (*job, error) {
	text, err := held.Root().ReadFile(run.ConfigName)
	if err != nil {
		return nil, fmt.Errorf("read run_config: %w", err)
	}
	j := &job{Pipeline: p, held: held}
	if j.config, err = config.FromYAML(text); err != nil {
		return nil, &Fault{Code: "SCHEMA_VALIDATION_FAILED", Message: "run_config cannot be read", Err: err}
	}
	refuse := func(what string, err error) error {
		return &Fault{Code: CodeConfig, Message: what, Resumable: true, Err: err}
	}
	profile, ok := p.options.Profiles.Get(j.config.SiteProfile)
	if !ok {
		return nil, refuse("the site profile of the run does not exist", nil)
	}
	if j.profile, err = laidOut(profile, j.config.SiteLayout); err != nil {
		return nil, refuse("site_layout does not fit the site profile", err)
	}
	if j.rules, err = rulesets.Open(j.config.RulesetVersion, p.options.Rulesets...); err != nil {
		return nil, refuse("the ruleset of the run cannot be read", err)
	}
	if j.templates, err = templates.Open(j.config.TemplatesVersion, p.options.Templates...); err != nil {
		return nil, refuse("the templates of the run cannot be read", err)
	}
	if err := j.narrow(); err != nil {
		return nil, refuse("the taskcard of the run does not authorise it any more", err)
	}
	if j.fence, err = fence.New(j.config.AllowedPaths); err != nil {
		return nil, refuse("allowed_paths are not valid", err)
	}
	return j, nil
}

// taskcardValidated is the event that says which card authorises a run (13).
const taskcardValidated = "TASKCARD_VALIDATED"

// narrow makes allowed_paths what both the run and its taskcard allow. Whatever
// asks for the paths of the run from here on, the fence, the gate write_scope or
// the commit service, gets these (13).
func (j *job) narrow() error {
	if j.config.TaskcardID == "" {
		return nil
	}
	if j.options.Taskcard != nil {
		j.card = j.options.Taskcard(j.config.TaskcardID, j.profile.BroadPaths)
	}
	switch {
	case j.card == nil:
		return errors.New("it is not there")
	case !j.card.Valid():
		return fmt.Errorf("it is not valid: %s %s", j.card.Errors[0].Code, j.card.Errors[0].Message)
	case !j.card.Card.Active():
		return fmt.Errorf("it is not active: its status is %q", j.card.Card.Status)
	}
	if j.config.AllowedPaths = j.card.Card.Within(j.config.AllowedPaths); len(j.config.AllowedPaths) == 0 {
		return errors.New("it allows nothing of allowed_paths")
	}
	return nil
}

// authorised notes the taskcard of the run in its log.
func (j *job) authorised(ctx context.Context) error {
	if j.card == nil {
		return nil
	}
	return j.held.Append(ctx, eventlog.Draft{Type: taskcardValidated, Payload: map[string]any{
		"taskcard_id": j.config.TaskcardID, "status": j.card.Card.Status, "allowed_paths": j.config.AllowedPaths,
	}})
}

// laidOut is a profile with the layout that a run has asked for.
func laidOut(profile *siteprofile.Profile, layout *config.SiteLayout) (*siteprofile.Profile, error) {
	if layout == nil {
		return profile, nil
	}
	return profile.With(siteprofile.Override{
		ContentRoot: layout.ContentRoot, Roots: layout.SubdomainRoots, Localization: layout.Localization.ModeBySection,
	})
}

// inputsHash names everything that decides what comes out of the run, as it is
// now (4.2).
func (j *job) inputsHash(in inputs) (string, error) {
	return j.config.InputsHash(config.Inputs{
		RepoSHA: in.Repo.SHA, SiteSHA: in.Site.SHA, SiteRepoURL: in.Site.URL,
		TemplatesDigest: j.templates.Digest, RulesetDigest: j.rules.Digest, ProfileDigest: j.profile.Digest(), LauncherVersion: j.options.Version,
	})
}

// product is where the pages of the run go. The platform is the one that was
// asked for, or the one that the repository has.
func (j *job) product(platformFamily string) (siteprofile.Product, error) {
	word := cmp.Or(j.config.TargetPlatform, j.config.PlatformFamily, platformFamily)
	var detected []string
	platform, known := j.profile.Platform(word)
	if known {
		detected = []string{platform.Name}
	}
	layout, err := siteprofile.ChooseLayout(j.config.LayoutMode, j.config.TargetPlatform, detected)
	if err != nil {
		return siteprofile.Product{}, &Fault{Code: CodeConfig, Message: "the layout needs a platform", Err: err}
	}
	product := siteprofile.Product{Family: j.config.Family}
	if layout == siteprofile.V2 {
		product.Platform = cmp.Or(platform.Name, j.config.TargetPlatform)
	}
	return product, nil
}
