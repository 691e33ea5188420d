package pipeline

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
	"mcpworks/packs/launch/internal/siteprofile"
)

// inputs are the repositories of a run at their commits: the payload of
// INPUTS_CLONED.
type inputs struct {
	Repo      source  `json:"repo"`
	Site      source  `json:"site"`
	Workflows *source `json:"workflows,omitempty"`
}

// A source is one of them, with what its remote said.
type source struct {
	URL           string `json:"url"`
	RequestedRef  string `json:"requested_ref"`
	SHA           string `json:"sha"`
	Branch        string `json:"branch,omitempty"` // the one that was asked for; empty if it was a commit, a tag or nothing
	DefaultBranch string `json:"default_branch,omitempty"`
	LatestTag     string `json:"latest_tag,omitempty"`
	Date          string `json:"date,omitempty"` // the day of the commit
}

// embedded begins the address of a site that is only here (18.2).
const embedded = "embedded:"

// EmbeddedURL is the address of the embedded remote of a profile. It names no
// folder.
func EmbeddedURL(profile string) string { return embedded + profile }

// readInputs are the inputs that the log has.
func readInputs(s *snapshot.Snapshot) (inputs, error) {
	var in inputs
	if err := json.Unmarshal(s.Inputs, &in); err != nil {
		return in, fmt.Errorf("read the inputs of a run: %w", err)
	}
	return in, nil
}

// clone finds the commits that the run is about, and makes sure that they are
// here. What the remotes say is asked for once and then stands in the log; only a
// run that is sent back to its beginning asks again.
func (j *job) clone(ctx context.Context) error {
	begun, cloned, err := j.begun()
	if err != nil {
		return err
	}
	reads := map[string]string{"run_config": j.held.Snapshot().ConfigSHA256, "begun": strconv.FormatInt(begun, 10)}
	err = j.perform(ctx, task{scoutWorker, "clone", reads, func(ctx context.Context) ([]string, error) {
		if cloned { // by a process that was killed before it could say so
			return nil, nil
		}
		if err := j.authorised(ctx); err != nil {
			return nil, err
		}
		in, err := j.fetchAll(ctx)
		if err != nil {
			return nil, err
		}
		return nil, j.held.Append(ctx, eventlog.Draft{Type: snapshot.InputsCloned, Payload: in})
	}})
	if err != nil {
		return err
	}
	for _, section := range j.config.RequiredSections {
		if err := j.setSection(ctx, section, state.NotStarted); err != nil {
			return err
		}
	}
	in, err := readInputs(j.held.Snapshot())
	if err != nil {
		return err
	}
	hash, err := j.inputsHash(in)
	if err != nil {
		return err
	}
	return j.held.Advance(ctx, snapshot.Change{New: state.ClonedInputs, InputsHash: hash})
}

// begun is the event with which the run came to its beginning, for the last time;
// cloned says whether its inputs were cloned since.
func (j *job) begun() (seq int64, cloned bool, err error) {
	err = j.store.Events(j.held.ID(), func(e eventlog.Event) {
		var change snapshot.Change
		switch e.Type {
		case snapshot.RunCreated:
			seq = e.Seq
		case snapshot.RunStateChanged:
			if json.Unmarshal(e.Payload, &change) == nil && change.New == state.Created {
				seq, cloned = e.Seq, false
			}
		case snapshot.InputsCloned:
			cloned = true
		}
	})
	return seq, cloned, err
}

func (j *job) fetchAll(ctx context.Context) (in inputs, err error) {
	if _, err := j.profile.Repo(j.config.GitHubRepoURL); err != nil { // again, right before the clone (8.3)
		return in, err
	}
	if err := siteprofile.CheckRef(j.config.GitHubRef, j.config.ValidationProfile == "prod"); err != nil && j.config.GitHubRef != "" {
		return in, &Fault{Code: "POLICY_FLOATING_REF_DETECTED", Message: "github_ref cannot be used", Blocked: true, Err: err}
	}
	if in.Repo, err = j.fetch(ctx, j.config.GitHubRepoURL, j.config.GitHubRef); err != nil {
		return in, unfetched("product", j.config.GitHubRepoURL, j.config.GitHubRef, err)
	}
	if in.Site, err = j.fetch(ctx, j.siteURL(), j.config.SiteRef); err != nil {
		return in, unfetched("site", j.siteURL(), j.config.SiteRef, err)
	}
	if address := cmp.Or(j.config.WorkflowsRepoURL, j.profile.WorkflowsRepoURL); address != "" {
		workflows, err := j.fetch(ctx, address, j.config.WorkflowsRef)
		if err != nil {
			return in, unfetched("workflows", address, j.config.WorkflowsRef, err)
		}
		in.Workflows = &workflows
	}
	return in, nil
}

// siteURL is the address of the site's repository.
func (j *job) siteURL() string {
	return cmp.Or(j.config.SiteRepoURL, j.profile.SiteRepoURL, EmbeddedURL(j.profile.Name))
}

// fetch resolves a ref and gets its commit.
func (j *job) fetch(ctx context.Context, address, ref string) (source, error) {
	if err := j.admit(address); err != nil {
		return source{}, err
	}
	if strings.HasPrefix(address, embedded) {
		return j.fetchEmbedded(ctx, address, ref)
	}
	got, err := gitrepo.NewCache(j.gitFor(address), j.cacheFolder()).Fetch(ctx, address, ref)
	if err != nil {
		return source{}, err
	}
	made := source{URL: address, RequestedRef: ref, SHA: got.SHA, DefaultBranch: got.Refs.DefaultBranch, LatestTag: got.Refs.LatestTag()}
	if _, ok := got.Refs.Resolve("refs/heads/" + strings.TrimPrefix(ref, "refs/heads/")); ok {
		made.Branch = strings.TrimPrefix(ref, "refs/heads/")
	}
	if at, err := got.Repo.Committed(ctx, got.SHA); err == nil { // a commit without a date is none of the run's business
		made.Date = at.Format(time.DateOnly)
	}
	return made, nil
}

func (j *job) fetchEmbedded(ctx context.Context, address, ref string) (source, error) {
	repo, err := j.options.Git.Embedded(ctx, j.embeddedFolder())
	if err != nil {
		return source{}, err
	}
	got := source{URL: address, RequestedRef: ref, DefaultBranch: gitrepo.EmbeddedBranch, SHA: ref}
	if gitrepo.IsSHA(ref) {
		return got, nil
	}
	got.Branch = strings.TrimPrefix(ref, "refs/heads/")
	sha, ok, err := repo.Resolve(ctx, "refs/heads/"+cmp.Or(got.Branch, gitrepo.EmbeddedBranch))
	if err == nil && !ok {
		err = &gitrepo.Error{Kind: gitrepo.UnknownRef, Op: "resolve the ref", Err: errors.New("the site has no such branch")}
	}
	got.SHA = sha
	return got, err
}

// admit refuses sites and workflows that neither the profile names nor its
// policy allows. The product's repository is judged by its name as well.
func (j *job) admit(address string) error {
	known := []string{j.config.GitHubRepoURL, j.profile.SiteRepoURL, j.profile.WorkflowsRepoURL, EmbeddedURL(j.profile.Name)}
	if slices.Contains(known, address) {
		return nil
	}
	if AdmitsSite(j.profile, address) {
		return nil
	}
	return &siteprofile.PolicyError{Code: siteprofile.RepoPolicyViolation, Reason: "the repository of the site or of workflows is not one that the site profile allows"}
}

// AdmitsSite says whether the policy of a profile allows a repository of a site or
// of workflows that the profile does not name.
func AdmitsSite(profile *siteprofile.Profile, address string) bool {
	if isLocal(address) {
		return profile.LocalRepos()
	}
	at, err := url.Parse(address)
	return err == nil && at.Scheme == "https" && at.User == nil && slices.Contains(profile.RepoPolicy.Hosts, strings.ToLower(at.Hostname()))
}

func isLocal(address string) bool {
	return strings.HasPrefix(address, "file:") || filepath.IsAbs(address)
}

// gitFor is the git that may talk to a remote.
func (j *job) gitFor(address string) *gitrepo.Git {
	if isLocal(address) && j.options.LocalGit != nil && (j.profile.LocalRepos() || address == j.profile.SiteRepoURL) {
		return j.options.LocalGit
	}
	return j.options.Git
}

func (j *job) cacheFolder() string { return filepath.Join(j.options.Folder, "cache", "git") }

func (j *job) embeddedFolder() string {
	return filepath.Join(j.options.Folder, "remotes", j.profile.Name+".git")
}

// repository opens the repository of a source. What is here is not fetched
// again, so that a run goes on without the network; what was lost is.
func (j *job) repository(ctx context.Context, from source) (*gitrepo.Repo, error) {
	if strings.HasPrefix(from.URL, embedded) {
		return j.options.Git.Embedded(ctx, j.embeddedFolder())
	}
	git := j.gitFor(from.URL)
	sum := sha256.Sum256([]byte(from.URL))
	repo, err := git.Open(filepath.Join(j.cacheFolder(), hex.EncodeToString(sum[:])+".git"))
	if gitrepo.KindOf(err) == gitrepo.NotFound {
		got, err := gitrepo.NewCache(git, j.cacheFolder()).Fetch(ctx, from.URL, from.SHA)
		return got.Repo, err
	}
	if err != nil {
		return nil, err
	}
	return repo, repo.Fetch(ctx, from.URL, from.SHA)
}
