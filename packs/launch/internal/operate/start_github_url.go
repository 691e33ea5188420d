package operate

import (
	"context"

	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/siteprofile"
)

// Hints are what the caller of a quickstart knows himself.
type Hints struct {
	Family         string `json:"family,omitempty"`
	TargetPlatform string `json:"target_platform,omitempty"`
	SiteProfile    string `json:"site_profile,omitempty"`
	Ref            string `json:"ref,omitempty"`
}

// RepoConfig is what a repository says about itself, and what follows from it
// (8.6). Confidence is there when it was looked at for this answer.
type RepoConfig struct {
	Family         string      `json:"family"`
	TargetPlatform string      `json:"target_platform"`
	Locales        []string    `json:"locales"`
	LayoutMode     string      `json:"layout_mode"`
	AllowInference bool        `json:"allow_inference"`
	GitHubRepoURL  string      `json:"github_repo_url"`
	GitHubRef      string      `json:"github_ref"`
	ProductSlug    string      `json:"product_slug"`
	SiteProfile    string      `json:"site_profile"`
	AllowedPaths   []string    `json:"allowed_paths"`
	Confidence     *Confidence `json:"confidence,omitempty"`
}

// Confidence says how sure the two guesses are, from 0 to 1.
type Confidence struct {
	Family         float64 `json:"family"`
	TargetPlatform float64 `json:"target_platform"`
}

// StartGitHub begins a run from the URL of a repository.
func (l *Launcher) StartGitHub(ctx context.Context, by Caller, url string, hints Hints, key string) (Started, error) {
	arguments := map[string]any{"github_repo_url": url}
	if hints != (Hints{}) {
		arguments["hints"] = hints
	}
	b, err := l.begin(by, startGitHub, key, arguments)
	if err != nil {
		return Started{}, err
	}
	answer, again, err := b.replay(ctx)
	if err != nil {
		return Started{}, err
	}
	var confidence *Confidence
	var cfg *config.Config
	if !again {
		if cfg, confidence, err = l.configOfRepo(ctx, url, hints); err != nil {
			return Started{}, err
		}
		if answer, err = b.create(ctx, cfg); err != nil {
			return Started{}, err
		}
	}
	if answer.Replay {
		if cfg, err = l.configOf(ctx, answer.RunID); err != nil {
			return Started{}, err
		}
	}
	answer.DerivedConfig = RepoConfig{
		Family: cfg.Family, TargetPlatform: cfg.TargetPlatform, Locales: cfg.Locales, LayoutMode: cfg.LayoutMode, AllowInference: cfg.AllowInference,
		GitHubRepoURL: cfg.GitHubRepoURL, GitHubRef: cfg.GitHubRef, ProductSlug: cfg.ProductSlug, SiteProfile: cfg.SiteProfile,
		AllowedPaths: cfg.AllowedPaths, Confidence: confidence,
	}
	return answer, nil
}

// configOfRepo looks at a repository and infers what it is about.
func (l *Launcher) configOfRepo(ctx context.Context, url string, hints Hints) (*config.Config, *Confidence, error) {
	profile, repo, err := l.profileFor(url, hints.SiteProfile)
	if err != nil {
		return nil, nil, err
	}
	if hints.Ref != "" {
		if err := siteprofile.CheckRef(hints.Ref, false); err != nil {
			return nil, nil, &siteprofile.InputError{Code: siteprofile.InvalidInput, Message: err.Error()}
		}
	}
	told := siteprofile.Hints{Family: hints.Family, Platform: hints.TargetPlatform}
	if err := profile.CheckHints(told); err != nil {
		return nil, nil, err
	}
	evidence, sha, err := l.look(ctx, repo, hints.Ref)
	if err != nil {
		return nil, nil, err
	}
	inferred := profile.Infer(evidence, told)
	if err := profile.Ambiguous(inferred); err != nil {
		return nil, nil, err
	}
	family, _ := inferred.Family.Decided()
	platform, _ := inferred.Platform.Decided()
	slug := siteprofile.Slug(family.Value + "-" + platform.Value)
	name := ""
	if profile.Families.Any { // the family is the product
		slug = siteprofile.Slug(family.Value)
		name = evidence.Title(slug)
	}
	cfg, err := derive(product{
		profile: profile, slug: slug, name: name, family: family.Value, platform: platform.Value, locale: profile.DefaultLocale, repo: repo.URL, sha: sha,
	})
	return cfg, &Confidence{family.Confidence, platform.Confidence}, err
}

// profileFor is the profile that the caller names, or that knows the repository
// (18.5).
func (l *Launcher) profileFor(url, name string) (*siteprofile.Profile, siteprofile.Repo, error) {
	if name == "" {
		return l.profiles.ForRepo(url)
	}
	profile, ok := l.profiles.Get(name)
	if !ok {
		return nil, siteprofile.Repo{}, &siteprofile.InputError{
			Code: siteprofile.InvalidInput, Message: "there is no such site profile",
			Missing: []string{"site_profile"}, Suggested: map[string][]string{"site_profile": l.profiles.Names()},
		}
	}
	repo, err := profile.Repo(url)
	return profile, repo, err
}
