package operate

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"mcpworks/internal/secret"
	"mcpworks/internal/version"
	"mcpworks/packs/launch/internal/commitsvc"
	"mcpworks/packs/launch/internal/commitsvc/inprocess"
	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/pr"
	"mcpworks/packs/launch/internal/taskcard"
)

// works is the real executor: the pipeline, with the commit service in this
// process or the one that a run names.
type works struct {
	*pipeline.Pipeline
	commits *commitsvc.Server
}

// Pipeline makes the real executor. It is for Options.Executor.
func Pipeline(rooms Rooms) (Executor, error) {
	git := rooms.Git
	if rooms.LocalGit != nil {
		git = rooms.LocalGit
	}
	if err := os.MkdirAll(filepath.Join(rooms.DataDir, "remotes"), 0o700); err != nil {
		return nil, err
	}
	token := secret.New(rand.Text()) // of this process, for its own service
	commits, err := commitsvc.New(commitsvc.Config{
		Dir: filepath.Join(rooms.DataDir, "commitsvc"), Git: git, Now: rooms.Clock, Log: rooms.Logger, Sites: rooms.site,
		PerHour: -1, // the only caller is this process
		Verify:  commitsvc.Tokens(commitsvc.Token{Secret: token, Grant: commitsvc.Grant{Scopes: []string{commitsvc.ScopeCommit, commitsvc.ScopeOpenPR}}}),
	})
	if err != nil {
		return nil, err
	}
	made, err := pipeline.New(rooms.Store, pipeline.Options{
		Folder: rooms.DataDir, Git: rooms.Git, LocalGit: rooms.LocalGit, Profiles: rooms.Profiles, Version: version.Number,
		AllowedHosts: rooms.AllowedHosts, Clock: rooms.Clock, Secret: rooms.Secret, Noted: rooms.Noted, Wait: rooms.Wait,
		Taskcard: func(id string, broadPaths bool) *taskcard.Report {
			cards := rooms.Cards
			cards.BroadPaths = broadPaths
			report, err := cards.Get(id, true)
			if err != nil {
				return nil
			}
			return &report
		},
		Service: func(c *config.Config) (pr.Service, error) {
			if strings.HasPrefix(c.CommitService.EndpointURL, embedded) {
				return commitsvc.NewClient(commitsvc.ClientConfig{URL: "http://localhost", Token: token, Transport: inprocess.Transport(commits)})
			}
			return commitsvc.NewClient(commitsvc.ClientConfig{
				URL: c.CommitService.EndpointURL, Token: secret.New(rooms.CommitToken(c.CommitService.GitHubTokenEnv)),
			})
		},
	})
	if err != nil {
		return nil, errors.Join(err, commits.Close())
	}
	return works{made, commits}, nil
}

// embedded begins addresses of what is in this process.
const embedded = "embedded:"

// Close ends the commit service.
func (w works) Close() error { return w.commits.Close() }

// site finds the bare repository that pull requests to a site go to: that of
// its profile, whether the site is here or comes from a remote (11.4, 18.2).
func (r Rooms) site(repoURL string) (commitsvc.Site, bool) {
	for _, name := range r.Profiles.Names() {
		profile, _ := r.Profiles.Get(name)
		site := commitsvc.Site{Name: name, Dir: filepath.Join(r.DataDir, "remotes", name+".git")}
		switch {
		case repoURL == pipeline.EmbeddedURL(name):
			return site, true
		case profile.SiteRepoURL != "" && repoURL == profile.SiteRepoURL:
			site.Remote = repoURL
			return site, true
		}
	}
	return r.otherSite(repoURL)
}

// otherSite is for a site that a run names itself, which the policy of a profile
// allows: it has a bare repository of its own.
func (r Rooms) otherSite(repoURL string) (commitsvc.Site, bool) {
	for _, name := range r.Profiles.Names() {
		if profile, _ := r.Profiles.Get(name); pipeline.AdmitsSite(profile, repoURL) {
			sum := sha256.Sum256([]byte(repoURL))
			own := "site-" + hex.EncodeToString(sum[:6])
			return commitsvc.Site{Name: own, Dir: filepath.Join(r.DataDir, "remotes", own+".git"), Remote: repoURL}, true
		}
	}
	return commitsvc.Site{}, false
}
