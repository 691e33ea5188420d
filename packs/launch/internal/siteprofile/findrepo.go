package siteprofile

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Probe asks whether a repository can be read, and for the commit it is at.
type Probe func(ctx context.Context, repoURL string) (headSHA string, err error)

// probeTime bounds each question.
const probeTime = 10 * time.Second

// FindRepo looks for the repository of a product: in the catalogue, then by the
// names it could have, each probed in turn (C-28). If there is none, the error is
// an *InputError with the URLs that were tried.
func (p *Profile) FindRepo(ctx context.Context, family, platform string, probe Probe) (Repo, string, error) {
	var tried []string
	var last error // why the last one could not be had
	for _, candidate := range p.candidates(family, platform) {
		repo, err := p.Repo(candidate)
		if err != nil {
			continue
		}
		tried = append(tried, repo.URL)
		limited, cancel := context.WithTimeout(ctx, probeTime)
		sha, err := probe(limited, repo.URL)
		cancel()
		if err == nil {
			return repo, sha, nil
		}
		if ctx.Err() != nil {
			return Repo{}, "", ctx.Err()
		}
		last = err
	}
	return Repo{}, "", p.noRepo(family, platform, tried, last)
}

// noRepo says where the repository of a product was looked for, and what to do
// instead.
func (p *Profile) noRepo(family, platform string, tried []string, last error) error {
	e := &InputError{Code: InvalidInput, Missing: []string{"github_repo_url"}}
	what := "no repository is known for " + p.ProductName(family, platform) + " in the profile " + p.Name
	if len(tried) > 0 {
		what = fmt.Sprintf("no repository of %s could be read; these were asked: %s (of the last one: %v)", p.ProductName(family, platform), strings.Join(tried, ", "), last)
		e.Suggested = map[string][]string{"github_repo_url": tried}
	}
	e.Message = what + "; start from the repository itself instead"
	return e
}

// candidates are where a product can be: the entry of the catalogue alone, or
// else all that the templates give.
func (p *Profile) candidates(family, platform string) []string {
	for _, known := range p.ProductRepos {
		if known.Family == family && known.Platform == platform {
			return []string{known.Repo}
		}
	}
	f, _ := p.Family(family)
	var urls []string
	for _, template := range p.RepoCandidates {
		if made := fill(template, f, p.platformOrNone(platform), true); !slices.Contains(urls, made) {
			urls = append(urls, made)
		}
	}
	return urls
}
