package plan

import (
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	markdown "mcpworks/packs/launch/internal/gate/page"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/stage/write/body"
)

// crossLinks say how many links a page has to another section (6.4(9)), and
// which pages of it come first.
var crossLinks = []struct {
	from, to string
	most     int
	first    []string
}{
	{"products", "docs", 2, []string{"_index", "getting-started"}},
	{"products", "kb", 4, nil},
	{"docs", "reference", 2, []string{"api-overview"}},
	{"reference", "docs", 2, []string{"getting-started", "developer-guide"}},
	{"kb", "docs", 2, []string{"getting-started", "developer-guide"}},
	{"blog", "products", 1, []string{"overview"}},
	{"blog", "docs", 1, []string{"getting-started"}},
}

// ways lead from a page to others of its section.
var ways = map[string][]string{
	"installation":    {"getting-started"},
	"getting-started": {"developer-guide"},
	"overview":        {"installation", "getting-started"},
	"developer-guide": {"overview"},
}

// link connects the pages.
func (p *planner) link() {
	for _, s := range p.sections {
		for _, page := range s.pages {
			page.CrossLinks = nil
			p.linkWithin(s, page)
			for _, rule := range crossLinks {
				if rule.from == s.ID {
					p.linkTo(page, rule.to, rule.most, rule.first)
				}
			}
			if page.Role == toc {
				page.Strategy.ChildPages = p.children(s, page)
			}
		}
	}
	p.linkLimitations()
	p.linkTasks()
}

func (p *planner) section(id string) *section {
	for _, s := range p.sections {
		if s.ID == id {
			return s
		}
	}
	return nil
}

func (s *section) page(slug string) *page {
	for _, page := range s.pages {
		if page.Slug == slug {
			return page
		}
	}
	return nil
}

// linkTo links a page to the best pages of another section, by their whole
// addresses.
func (p *planner) linkTo(from *page, id string, most int, first []string) {
	s := p.section(id)
	if s == nil {
		return
	}
	place := func(page *page) int {
		if len(first) == 0 {
			return boolInt(page.Role != featureShowcase) // a page of one feature, if there is one
		}
		if at := slices.Index(first, page.Slug); at >= 0 {
			return at
		}
		return len(first)
	}
	pages := slices.SortedStableFunc(slices.Values(s.pages), func(a, b *page) int { return place(a) - place(b) })
	for _, to := range pages[:min(most, len(pages))] {
		from.CrossLinks = append(from.CrossLinks, artifact.CrossLink{Title: to.Title, URL: to.url})
	}
}

// linkWithin links a page to what comes after it in its section, the guide to
// the pages of its tasks, and the overview to those of single names.
func (p *planner) linkWithin(s *section, from *page) {
	slugs := ways[from.Slug]
	if from.task != "" && from.Role == workflowPage {
		slugs = []string{"installation", "developer-guide"}
	}
	if from.Slug == "api-overview" {
		for _, other := range s.pages {
			slugs = append(slices.Clone(slugs), other.Slug)
		}
	}
	if from.Role == comprehensiveGuide {
		for _, other := range s.pages {
			if other.task != "" {
				slugs = append(slices.Clone(slugs), other.Slug)
			}
		}
	}
	for _, slug := range slugs {
		if to := s.page(slug); to != nil && to != from {
			from.CrossLinks = append(from.CrossLinks, artifact.CrossLink{Title: to.Title, URL: to.URLPath})
		}
	}
}

// children are all other pages of a section.
func (p *planner) children(s *section, index *page) []artifact.ChildPage {
	var all []artifact.ChildPage
	for _, page := range s.pages {
		if page != index {
			all = append(all, artifact.ChildPage{Title: page.Title, URL: page.URLPath, Purpose: page.Purpose})
		}
	}
	return all
}

// linkLimitations leads pages with a heading for limitations, but without claims
// of their own below it, to the page that has them: they are said once.
func (p *planner) linkLimitations() {
	var home *page
	for _, page := range p.inTurn() {
		if home == nil && p.limits(page) && slices.Contains(anchors(page), body.LimitationsAnchor) {
			home = page
		}
	}
	if home == nil {
		return
	}
	for _, s := range p.sections {
		for _, page := range s.pages {
			if page != home && page.template.Has("LIMITATIONS") && !p.limits(page) {
				title := "Limitations of " + page.TokenMappings["PRODUCT_NAME"]
				page.CrossLinks = append(page.CrossLinks, artifact.CrossLink{Title: title, URL: p.address(page, home) + body.LimitationsAnchor})
			}
		}
	}
}

// mostTasks is how many tasks the product's page names.
const mostTasks = 8

// linkTasks leads the page of a product without a list of features to the tasks
// that the guide tells: they say what the product is for.
func (p *planner) linkTasks() {
	guides, landings := p.section("docs"), p.section(products)
	if guides == nil || landings == nil || guides.page("developer-guide") == nil {
		return
	}
	guide := guides.page("developer-guide")
	for _, page := range landings.pages {
		if !page.template.Has("TASKS") || len(p.library.Of(page.Page, body.Feature, body.Format, body.Trouble)) >= fewFeatures {
			continue
		}
		var links []artifact.CrossLink
		seen := map[string]bool{}
		for _, task := range p.library.Tasks() {
			title := body.Plain(task.Title)
			if anchor := markdown.Anchor(title); p.library.Tells(guide.Page, task) && anchor != "" && !seen[anchor] && len(links) < mostTasks {
				seen[anchor] = true
				links = append(links, artifact.CrossLink{Title: title, URL: guide.url + "#" + anchor})
			}
		}
		page.CrossLinks = append(page.CrossLinks, links...)
	}
}

// address is that of a page as another one links to it: without the host within
// a section.
func (p *planner) address(from, to *page) string {
	if from.Section == to.Section {
		return to.URLPath
	}
	return to.url
}

func (p *planner) limits(page *page) bool {
	return len(p.library.Of(page.Page, body.Limitation)) > 0
}

// anchors are those of the headings that a template has.
func anchors(page *page) []string {
	var all []string
	for _, part := range page.template.Parts {
		all = append(all, "#"+strings.ReplaceAll(strings.ToLower(part.Heading), " ", "-"))
	}
	return all
}

// collide reports pages with the same address (6.4(8)).
func (p *planner) collide(pages []artifact.Page) {
	type key struct{ section, url string }
	seen := map[key]string{}
	for _, page := range pages {
		at := key{page.Section, path.Clean(page.URLPath)}
		if other, taken := seen[at]; taken {
			p.report(issue.Blocker, CodeURLCollision, page.OutputPath, page.ID, "pages %s and %s have the same address %s", other, page.ID, page.URLPath)
			continue
		}
		seen[at] = page.ID
	}
}
