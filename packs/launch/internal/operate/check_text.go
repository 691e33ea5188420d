package operate

import (
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/redact"
	"mcpworks/packs/launch/internal/siteprofile"
)

// checkSite wants the site that a run names itself to be one that it may read and
// that the commit service publishes to.
func (c *checking) checkSite() {
	if c.SiteRepoURL == "" || pipeline.Publishes(c.profile, c.SiteRepoURL) {
		return
	}
	c.add(Fault{"/site_repo_url", fmt.Sprintf("must be the site of the profile %s, %s, or an address that the profile takes: %s",
		c.profile.Name, pipeline.SiteOf(c.profile), takes(c.profile)), siteprofile.RepoPolicyViolation})
}

// takes says which addresses a profile takes.
func takes(profile *siteprofile.Profile) string {
	var forms []string
	for _, host := range profile.RepoPolicy.Hosts {
		forms = append(forms, "https://"+host+"/…")
	}
	if profile.LocalRepos() {
		forms = append(forms, "file:///…")
	}
	return strings.Join(forms, " or ")
}

// checkWords keeps text away that would mean something else where it is written:
// in front matter, in commits.
func (c *checking) checkWords() {
	if strings.ContainsFunc(c.ProductName, breaks) || strings.TrimSpace(c.ProductName) == "" {
		c.fail("/product_name", "must be one line of text without control characters")
	}
	for _, part := range []struct{ path, text string }{{"/commit_service/author_name", c.CommitService.AuthorName}, {"/commit_service/author_email", c.CommitService.AuthorEmail}} {
		if strings.ContainsFunc(part.text, breaks) || strings.ContainsAny(part.text, "<>") {
			c.fail(part.path, "must be one line of text without < and >")
		}
	}
}

// breaks says whether a character ends a line, or does something else than to be
// seen.
func breaks(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// checkFolders keeps what a run reads within its repositories.
func (c *checking) checkFolders() {
	for _, list := range []struct {
		path    string
		folders []string
	}{
		{"/ingestion/scan_directories", c.Ingestion.ScanDirectories}, {"/ingestion/example_directories", c.Ingestion.ExampleDirectories},
		{"/repo_hints/preferred_source_roots", c.RepoHints.PreferredSourceRoots}, {"/repo_hints/preferred_docs_roots", c.RepoHints.PreferredDocsRoots},
		{"/repo_hints/preferred_examples_roots", c.RepoHints.PreferredExamplesRoots},
	} {
		for i, folder := range list.folders {
			if !within(folder) {
				c.fail(fmt.Sprintf("%s/%d", list.path, i), "must be a folder of the repository, by its path from the top")
			}
		}
	}
	if !within(c.Hugo.ConfigDir) {
		c.fail("/hugo/config_dir", "must be a folder of the site, by its path from the top")
	}
}

func within(folder string) bool {
	return !path.IsAbs(folder) && !strings.ContainsAny(folder, "\\\x00") && fs.ValidPath(path.Clean(folder))
}

// checkTokens wants addresses to have no secrets in them, and tokens to go only
// where nobody else can read them.
func (c *checking) checkTokens() {
	for _, to := range []struct{ path, url, tokenEnv string }{
		{"/telemetry/endpoint_url", c.Config.Telemetry.EndpointURL, c.Config.Telemetry.AuthTokenEnv},
		{"/commit_service/endpoint_url", c.CommitService.EndpointURL, c.CommitService.GitHubTokenEnv},
	} {
		c.checkUser(to.path, to.url)
		if to.tokenEnv != "" && hostOf(to.url) != "" && !keepsTokens(to.url) {
			c.fail(to.path, "must begin with https://, since a token is sent there")
		}
	}
	for i, address := range c.ExtraEvidenceURLs {
		c.checkUser(fmt.Sprintf("/extra_evidence_urls/%d", i), address)
	}
}

func (c *checking) checkUser(path, address string) {
	if u, err := url.Parse(address); err != nil {
		c.fail(path, "must be a URL")
	} else if u.User != nil {
		c.fail(path, "must have no user and no password")
	}
}

// checkSecrets lets a run name only variables that the operator has for runs, and
// hold the value of none.
func (c *checking) checkSecrets() {
	given := *c.Config
	given.MCP = nil // no run does anything with it
	value, err := decoded(given)
	if err != nil {
		c.fail("", "cannot be read: %v", err)
		return
	}
	variables := redact.Variables(value)
	for _, at := range slices.Sorted(maps.Keys(variables)) {
		if name := variables[at]; !c.secrets.usable(at, name) {
			c.fail(at, "names the variable %s, which runs may not use for this; the operator allows it in secret_env", name)
		}
	}
	if value, err = decoded(c.Config); err != nil {
		return
	}
	redact.Strings(value, func(at, text string) {
		if c.secrets.redactor.Known(text) != text {
			c.fail(at, "has the value of a secret variable in it; only names of variables belong in a run_config")
		}
	})
}
