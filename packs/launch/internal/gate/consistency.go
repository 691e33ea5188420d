package gate

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate/page"
)

// consistency demands that names and addresses are the same everywhere, and that
// pages have their headings and sections their pages.
func consistency(ctx context.Context, v *View, r *report) {
	v.consistentDocuments(r)
	for p := range v.plannedPages {
		if ctx.Err() != nil {
			return
		}
		v.consistentPage(p, r)
	}
	for _, section := range v.Config.RequiredSections {
		if !slices.ContainsFunc(v.Plan.Pages, func(p artifact.Page) bool { return p.Section == section }) {
			r.add(0, CodeRequiredSection, "", section, "section %s is required and has no page", quoted(section))
		}
	}
}

func (v *View) consistentDocuments(r *report) {
	differ := func(code, document, got, want string) {
		if v.have[document] && got != want {
			r.add(0, code, document, got, "%s has %s instead of %s", document, quoted(got), quoted(want))
		}
	}
	differ(CodeProductName, artifact.ProductFactsName, v.Facts.ProductName, v.Config.ProductName)
	differ(CodeProductName, artifact.PagePlanName, v.Plan.ProductSlug, v.Config.ProductSlug)
	differ(CodeRepoURL, artifact.ProductFactsName, repoName(v.Facts.RepoURL), repoName(v.Config.GitHubRepoURL))
	differ(CodeRepoURL, artifact.EvidenceMapName, repoName(v.Evidence.RepoURL), repoName(v.Config.GitHubRepoURL))
	differ(CodeRepoURL, artifact.RepoInventoryName, repoName(v.Inventory.RepoURL), repoName(v.Config.GitHubRepoURL))
}

// repoName is the address of a repository as it is compared.
func repoName(address string) string {
	return strings.TrimSuffix(strings.TrimSuffix(address, "/"), ".git")
}

func (v *View) consistentPage(p sitePage, r *report) {
	if template, known := v.Templates.At(p.Plan.TemplatePath); p.Plan.TemplateDigest != "" && (!known || template.Digest != p.Plan.TemplateDigest) {
		r.add(0, CodeTemplateChanged, p.Path, p.Plan.TemplatePath, "the template %s is not what it was when the page was planned", quoted(p.Plan.TemplatePath))
	}
	for _, heading := range p.Plan.RequiredHeadings {
		if !p.hasHeading(heading) {
			r.add(0, CodeRequiredHeading, p.Path, heading, "the page has no heading %s", quoted(heading))
		}
	}
	for _, key := range []string{"canonical", "canonical_url", "permalink", "url"} {
		if got, is := p.Values[key].(string); is && got != "" && got != p.Plan.URLPath && got != v.Profile.URL(p.Plan.Section, p.Plan.URLPath) {
			r.add(1, CodeCanonicalURL, p.Path, key, "%s in the front matter is %s, but the page is at %s", key, quoted(got), quoted(p.Plan.URLPath))
		}
	}
	for _, line := range p.Lines {
		if !line.New || line.InCode() || line.Kind == page.Blank {
			continue
		}
		for _, name := range v.OtherNames(line.Bare) {
			r.add(line.Number, CodeProductName, p.Path, name, "the product is called %s and not %s", quoted(v.Facts.ProductName), quoted(name))
		}
	}
	for _, link := range p.Links {
		if want := v.RepoLink(link.Target); p.New(link.Line) && want != link.Target {
			r.add(link.Line, CodeRepoURL, p.Path, link.Target, "the link to the repository should be %s", quoted(want))
		}
	}
}

// hasHeading says whether a page has a heading, whatever its letter case.
func (p sitePage) hasHeading(heading string) bool {
	return HasHeading(p.Page, heading)
}

func sameHeading(a, b string) bool { return strings.EqualFold(page.Plain(a), page.Plain(b)) }

// OtherNames are the ways in which a line spells a product's name of several
// words differently, unless the claim of the line does so, too.
func (v *View) OtherNames(line string) []string {
	words := strings.Fields(v.Facts.ProductName)
	if len(words) < 2 {
		return nil
	}
	for i := range words {
		words[i] = regexp.QuoteMeta(words[i])
	}
	pattern, err := regexp.Compile(`(?i)\b` + strings.Join(words, `\s+`) + `\b`)
	if err != nil {
		return nil
	}
	var said strings.Builder
	for _, id := range Markers(line) {
		claim, _ := v.Claim(id)
		said.WriteString(claim.Text + "\n")
	}
	var names []string
	for _, name := range pattern.FindAllString(line, -1) {
		if name != v.Facts.ProductName && !strings.Contains(said.String(), name) {
			names = append(names, name)
		}
	}
	return names
}

// RepoLink is a link to the product's repository as it should be: that owner, at
// the commit that was read. Other links stay as they are.
func (v *View) RepoLink(link string) string {
	repo, err := url.Parse(repoName(v.Facts.RepoURL))
	if err != nil || repo.Host == "" {
		return link
	}
	given, err := url.Parse(link)
	if err != nil || !strings.EqualFold(given.Host, repo.Host) {
		return link
	}
	want := strings.Split(strings.Trim(repo.Path, "/"), "/")
	got := strings.Split(strings.Trim(given.Path, "/"), "/")
	if len(want) < 2 || len(got) < 2 || !strings.EqualFold(strings.TrimSuffix(got[1], ".git"), want[1]) {
		return link
	}
	rest := got[2:]
	if len(rest) > 1 && rest[0] == "blob" {
		rest[1] = v.Facts.RepoSHA
	}
	if len(rest) == 0 && given.RawQuery == "" && given.Fragment == "" {
		return repo.String() + strings.Repeat("/", strings.Count(link, "/")-strings.Count(strings.TrimSuffix(link, "/"), "/"))
	}
	fixed := *given
	fixed.Scheme, fixed.Host = repo.Scheme, repo.Host
	fixed.Path = "/" + strings.Join(append(slices.Clone(want[:2]), rest...), "/")
	fixed.RawPath = ""
	if strings.HasSuffix(given.Path, "/") {
		fixed.Path += "/"
	}
	if same, err := url.Parse(link); err == nil && same.Scheme == fixed.Scheme && same.Host == fixed.Host && same.Path == fixed.Path {
		return link // only escaped in another way
	}
	return fixed.String()
}
