package operate

import (
	"cmp"
	"encoding/json"

	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/siteprofile"
)

// A product is what a quickstart has found out.
type product struct {
	profile                        *siteprofile.Profile
	slug, family, platform, locale string
	name                           string // empty: as the profile makes it
	repo, sha                      string
}

// derive makes a whole config: all sections of the profile, and no path but
// those of the product.
func derive(p product) (*config.Config, error) {
	sections := p.profile.SectionIDs()
	paths, err := p.profile.AllowedPaths(sections, siteprofile.Product{Family: p.family, Platform: p.platform}, []string{p.locale})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(map[string]any{
		"schema_version": "2.0", "product_slug": p.slug, "product_name": cmp.Or(p.name, p.profile.ProductName(p.family, p.platform)),
		"family": p.family, "target_platform": p.platform, "locales": []string{p.locale},
		"github_repo_url": p.repo, "github_ref": p.sha, "site_profile": p.profile.Name,
		"required_sections": sections, "allowed_paths": paths,
	})
	if err != nil {
		return nil, err
	}
	return config.Parse(text)
}
