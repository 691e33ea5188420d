package operate

import (
	"context"

	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/siteprofile"
)

// ProductConfig is what the URL of a product page says, and what follows from
// it (8.5).
type ProductConfig struct {
	Site          string   `json:"site"`
	ProductSlug   string   `json:"product_slug"` // as the URL has it
	Platform      string   `json:"platform"`
	Locale        string   `json:"locale"`
	Family        string   `json:"family"`
	SiteProfile   string   `json:"site_profile"`
	GitHubRepoURL string   `json:"github_repo_url"`
	GitHubRef     string   `json:"github_ref"`
	LayoutMode    string   `json:"layout_mode"`
	AllowedPaths  []string `json:"allowed_paths"`
}

// StartProduct begins a run from the URL of a product page.
func (l *Launcher) StartProduct(ctx context.Context, by Caller, url, key string) (Started, error) {
	page, err := l.profiles.ProductURL(url)
	if err != nil {
		return Started{}, err
	}
	b, err := l.begin(by, startProduct, key, map[string]any{"url": url})
	if err != nil {
		return Started{}, err
	}
	answer, again, err := b.replay(ctx)
	if err != nil {
		return Started{}, err
	}
	var cfg *config.Config
	if !again {
		if cfg, err = l.configOfProduct(ctx, page); err != nil {
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
	answer.DerivedConfig = ProductConfig{
		Site: page.Site, ProductSlug: page.Product, Platform: page.Platform, Locale: page.Locale, Family: cfg.Family, SiteProfile: cfg.SiteProfile,
		GitHubRepoURL: cfg.GitHubRepoURL, GitHubRef: cfg.GitHubRef, LayoutMode: cfg.LayoutMode, AllowedPaths: cfg.AllowedPaths,
	}
	return answer, nil
}

// configOfProduct finds the repository of the product, at the commit it is at.
func (l *Launcher) configOfProduct(ctx context.Context, page siteprofile.ProductURL) (*config.Config, error) {
	repo, sha, err := page.Profile.FindRepo(ctx, page.Family, page.Platform, func(ctx context.Context, url string) (string, error) {
		repo, err := page.Profile.Repo(url)
		if err != nil {
			return "", err
		}
		git, err := l.gitFor(repo)
		if err != nil {
			return "", err
		}
		refs, err := git.LsRemote(ctx, url)
		return refs.Head, err
	})
	if err != nil {
		return nil, err
	}
	return derive(product{
		profile: page.Profile, slug: page.ProductSlug(), family: page.Family, platform: page.Platform, locale: page.Locale, repo: repo.URL, sha: sha,
	})
}
