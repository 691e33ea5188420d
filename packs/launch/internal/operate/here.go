package operate

import (
	"context"
	"path"
	"strings"

	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
	"mcpworks/packs/launch/internal/siteprofile"
)

// here lists what keeps this process from fetching the repositories of a run that
// another one has begun: settings of its own, which the other had.
func (l *Launcher) here(cfg *config.Config) (faults []Fault) {
	profile, ok := l.profiles.Get(cfg.SiteProfile)
	if !ok {
		return nil // the run fails by that
	}
	for _, repo := range []struct{ path, url string }{
		{"/github_repo_url", cfg.GitHubRepoURL}, {"/site_repo_url", cfg.SiteRepoURL}, {"/workflows_repo_url", cfg.WorkflowsRepoURL},
	} {
		local := path.IsAbs(repo.url) || strings.HasPrefix(strings.ToLower(repo.url), "file:")
		if local && !profile.LocalRepos() && repo.url != profile.SiteRepoURL {
			faults = append(faults, Fault{repo.path, "is on this machine, and this process takes such repositories only with allow_local_repos", siteprofile.RepoInvalidProtocol})
		}
		if host := hostOf(repo.url); host != "" && !l.allowed(host) {
			faults = append(faults, Fault{repo.path, "has the host " + host + ", which is not in the network_allowlist of this process", "NETWORK_BLOCKED"})
		}
	}
	return faults
}

// mayResume refuses to let a run go on whose repositories have still to be
// fetched, if this process cannot. Nothing is changed by it.
func (l *Launcher) mayResume(ctx context.Context, runID string, forceFrom state.State) error {
	current, err := l.store.Status(ctx, runID)
	if err != nil || l.executor == nil {
		return err
	}
	fetches := forceFrom == state.Created || current.State == state.Created || current.State == state.Failed && current.StableState == state.Created
	if !fetches || current.State == state.Failed && (current.Failure == nil || !current.Failure.Resumable) {
		return nil
	}
	cfg, err := l.configOf(ctx, runID)
	if err != nil {
		return nil // the run fails by that
	}
	if faults := l.here(cfg); faults != nil {
		return &RefusedError{faults}
	}
	return nil
}

// leaves ends a run at its beginning that this process cannot work on. Another
// process, or this one with other settings, can resume it.
func (l *Launcher) leaves(ctx context.Context, held *run.Held) (bool, error) {
	if held.Snapshot().State != state.Created {
		return false, nil
	}
	cfg, err := l.configOf(ctx, held.ID())
	if err != nil {
		return false, nil // the executor tells it
	}
	faults := l.here(cfg)
	if faults == nil {
		return false, nil
	}
	first := faults[0]
	return true, held.Fail(ctx, snapshot.Failure{Class: "BLOCKED", ErrorCode: first.Policy, Message: strings.TrimPrefix(first.Path, "/") + " " + first.Message, Resumable: true})
}
