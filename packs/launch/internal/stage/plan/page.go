package plan

import (
	"cmp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/stage/write/body"
	"mcpworks/packs/launch/internal/templates"
)

// addPage adds a page to a section, with the template for it; nil if there is
// none.
func (p *planner) addPage(s *section, slug, role, subject string) *page {
	template, found := p.in.Templates.Find(templates.Query{
		Family: p.in.Product.Family, Profile: p.in.Profile.Name, Section: s.ID, Role: role, Slug: slug, Tier: p.tier,
	})
	if !found {
		p.report(issue.Blocker, CodeTemplateMissing, "", s.ID+"/"+slug, "section %s has no template for a page with the role %s (%s)", s.ID, role, slug)
		return nil
	}
	added := &page{template: template}
	added.Page = artifact.Page{
		ID: s.ID + "/" + slug, Section: s.ID, Slug: slug, Role: role, TemplatePath: template.Path, TemplateVariant: p.tier,
		TokenMappings: map[string]string{
			"PRODUCT_NAME": body.Plain(p.in.Facts.ProductName), "PRODUCT_SLUG": p.in.Facts.ProductSlug, "REPO_URL": p.in.Facts.RepoURL,
			"VERSION": body.Plain(p.in.Facts.Version), "FAMILY": p.in.Product.Family, "PLATFORM": p.in.Product.Platform, "SECTION": s.ID, "SUBJECT": subject,
		},
	}
	s.pages = append(s.pages, added)
	return added
}

func (p *planner) incomplete(section string) {
	p.report(issue.Blocker, CodePlanIncomplete, "", section, "section %s is required and has no pages", section)
}

// locales are those of the run, the default one first.
func (p *planner) locales() []string {
	locales := slices.Clone(p.in.Config.Locales)
	if len(locales) == 0 {
		return []string{p.in.Profile.DefaultLocale}
	}
	slices.SortStableFunc(locales, func(a, b string) int {
		return boolInt(a != p.in.Profile.DefaultLocale) - boolInt(b != p.in.Profile.DefaultLocale)
	})
	return slices.Compact(locales)
}

// place finds the file and the address of a page in a language (8.4), and with
// them the names in its texts.
func (p *planner) place(page *page, locale string) {
	slug := page.Slug
	if slug == "_index" || slug == "index" {
		slug = ""
	}
	at := siteprofile.Page{Product: p.in.Product, Section: page.Section, Locale: locale, Slug: slug, Style: p.in.Styles[page.Section]}
	file, err := p.in.Profile.Path(at)
	var url string
	if err == nil {
		url, err = p.in.Profile.URLPath(at, p.in.DefaultInSubdir)
	}
	if err != nil {
		p.report(issue.Blocker, CodePathInvalid, "", page.ID, "page %s has no place in the site: %v", page.ID, err)
		return
	}
	page.Locale, page.OutputPath, page.URLPath, page.url = locale, file, url, p.in.Profile.URL(page.Section, url)
	page.TokenMappings["LOCALE"] = locale
	page.Title, page.Purpose = p.fill(page, page.template.Title), p.fill(page, page.template.Description)
	page.SEOKeywords = keywords(page)
}

// fill puts the names into a text of the template, all of which Open has checked.
// A text that begins with its subject begins with a capital letter; the name of
// a product stays as it is.
func (p *planner) fill(page *page, text string) string {
	filled, err := templates.Fill(text, page.TokenMappings)
	if err != nil {
		p.report(issue.Blocker, CodePathInvalid, "", page.ID, "page %s: %v", page.ID, err)
	}
	if strings.HasPrefix(text, "__SUBJECT__") && filled != "" {
		return strings.ToUpper(filled[:1]) + filled[1:]
	}
	return filled
}

// keywords are what people look for when they need a page.
func keywords(page *page) []string {
	name := page.TokenMappings["PRODUCT_NAME"]
	words := []string{name}
	if subject := cmp.Or(page.TokenMappings["SUBJECT"], strings.ReplaceAll(strings.Trim(page.Slug, "_"), "-", " ")); subject != "" && subject != "index" {
		words = append(words, name+" "+strings.ToLower(subject))
	}
	if platform := page.TokenMappings["PLATFORM"]; platform != "" {
		words = append(words, name+" "+platform)
	}
	return words
}

// headings are those of the template that will have something below them
// (6.4(6)).
func (p *planner) headings() {
	for _, s := range p.sections {
		for _, page := range s.pages {
			page.RequiredHeadings = nil
			for _, part := range page.template.Parts {
				if part.Heading != "" && p.library.Fills(part, page.Page, page.template) {
					page.RequiredHeadings = append(page.RequiredHeadings, p.fill(page, part.Heading))
				}
			}
			slices.Sort(page.RequiredSnippetTags)
			page.RequiredSnippetTags = slices.Compact(page.RequiredSnippetTags)
		}
	}
}
