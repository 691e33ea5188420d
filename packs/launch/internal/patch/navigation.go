package patch

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/issue"
)

// The codes of what can be said about navigation.
const (
	IndexOutOfScope = "LINKER_INDEX_OUT_OF_SCOPE"
	IndexMissing    = "LINKER_INDEX_MISSING"
	IndexBroken     = "LINKER_INDEX_BROKEN"
)

// linkHeadings are where links to new pages go, best first.
var linkHeadings = []string{"Links and Resources", "Related Links", "See also"}

// navigation links index pages to new pages. An index that is a draft itself gets
// its links before it is created; an existing one gets a patch.
func (b *builder) navigation() (patches []artifact.Patch, issues []issue.Issue, err error) {
	for _, index := range b.options.Indexes {
		pages := b.newPages(index)
		if len(pages) == 0 {
			continue
		}
		file, note, err := b.indexFile(index)
		if err != nil {
			return nil, nil, err
		}
		if file == "" {
			issues = append(issues, *note)
			continue
		}
		patches = append(patches, b.link(index, file, pages)...)
	}
	return patches, issues, nil
}

// newPages are the drafts below an index that the site does not have and that
// are no index pages themselves.
func (b *builder) newPages(index Index) []Draft {
	var pages []Draft
	for _, draft := range b.drafts {
		below := strings.HasPrefix(draft.Path, index.Dir+"/")
		if below && draft.Section == index.Section && b.there[draft.Path] == nil && !b.isIndex(draft.Path) && draft.URL != "" {
			pages = append(pages, draft)
		}
	}
	return pages
}

func (b *builder) isIndex(file string) bool {
	return strings.HasPrefix(path.Base(file), "_index.") || slices.ContainsFunc(b.options.Indexes, func(index Index) bool {
		return path.Dir(file) == index.Dir && slices.Contains(index.names(), path.Base(file))
	})
}

func (i Index) names() []string {
	if len(i.Names) == 0 {
		return []string{"_index.md", "index.md"}
	}
	return i.Names
}

// indexFile chooses the index page, or says why there is none to be used.
func (b *builder) indexFile(index Index) (string, *issue.Issue, error) {
	for _, name := range index.names() {
		file := path.Join(index.Dir, name)
		if err := b.tree.Decide(file); err != nil {
			if refusal, refused := fence.Refused(err); refused {
				note := issue.New("linker", issue.Info, IndexOutOfScope, file, index.Section, "no links are added to the index page: it %s", refusal.Reason)
				return "", &note, nil
			}
			return "", nil, err
		}
		there, err := b.look(file)
		if err != nil {
			return "", nil, err
		}
		if there != nil && endless(*there) {
			note := issue.New("linker", issue.Warn, IndexBroken, file, index.Section, "no links are added to the index page: its front matter has no end")
			return "", &note, nil
		}
		if there != nil || b.draftOf(file) != nil {
			return file, nil, nil
		}
	}
	note := issue.New("linker", issue.Info, IndexMissing, index.Dir, index.Section, "the section has no index page to link its new pages from")
	return "", &note, nil
}

func (b *builder) draftOf(file string) *Draft {
	if at := slices.IndexFunc(b.drafts, func(d Draft) bool { return d.Path == file }); at >= 0 {
		return &b.drafts[at]
	}
	return nil
}

// link adds links to those pages that an index does not link to yet.
func (b *builder) link(index Index, file string, pages []Draft) []artifact.Patch {
	draft := b.draftOf(file)
	created := draft != nil && (b.there[file] == nil || Stamped(*b.there[file]))
	text := b.soon(file, draft, created)
	links := missingLinks(text, pages)
	if links == "" {
		return nil
	}
	p := linkPatch(text, links)
	linked, err := edited(p, text, true)
	if err != nil {
		return nil // the page has the heading, so that the links fit
	}
	if created {
		draft.Content = linked
		return nil
	}
	b.linked[file] = linked
	p.Path, p.Section, p.Origin = file, index.Section, OriginNavigation
	return []artifact.Patch{p}
}

// soon is an index page as it will be when the patches before the links are
// applied.
func (b *builder) soon(file string, draft *Draft, created bool) string {
	if text, known := b.linked[file]; known {
		return text
	}
	if created {
		return draft.Content
	}
	text := normal(*b.there[file])
	if draft != nil {
		text = after(text, b.patchesOf(*draft))
	}
	return text
}

// linkPatch puts links under the first heading for them, or under a new one at
// the end.
func linkPatch(text, links string) artifact.Patch {
	lines, all := linesOf(text), headings(text)
	for _, heading := range linkHeadings {
		if _, found := findSection(all, lines, heading); found {
			return artifact.Patch{Type: UpdateByAnchor, Anchor: heading, NewContent: &links}
		}
	}
	return appendix(text, nil, "## Related Links\n\n"+links)
}

// missingLinks writes a list of links to the pages that a text has no link to.
func missingLinks(text string, pages []Draft) string {
	targets := linkTargets(text)
	var list strings.Builder
	for _, page := range pages {
		if slices.ContainsFunc(targets, func(target string) bool { return leadsTo(target, page) }) {
			continue
		}
		fmt.Fprintf(&list, "- [%s](%s)\n", plainTitle(page.Title), page.URL)
	}
	return list.String()
}

// target is what a link leads to: in Markdown, as a reference, in HTML or as a
// shortcode. Links in code count too; then there is one link less to be added.
var target = regexp.MustCompile(`(?m)\]\(\s*<?([^)\s>]+)|^ {0,3}\[[^\]\n]+\]:\s*<?([^\s>]+)|\bhref\s*=\s*["']?([^"'\s>]+)|\{\{[<%]\s*(?:rel)?ref\s+"?([^"\s>%]+)`)

// linkTargets are the targets of all links on a page.
func linkTargets(text string) []string {
	var targets []string
	for _, found := range target.FindAllStringSubmatch(text, -1) {
		targets = append(targets, strings.Join(found[1:], ""))
	}
	return targets
}

// leadsTo says whether a link is one to a page: by its URL, or by its slug.
func leadsTo(target string, page Draft) bool {
	target, _, _ = strings.Cut(target, "#")
	if strings.TrimSuffix(target, "/") == strings.TrimSuffix(page.URL, "/") {
		return true
	}
	last := path.Base(strings.TrimSuffix(target, "/"))
	return page.Slug != "" && strings.TrimSuffix(last, ".md") == page.Slug
}

// plainTitle is a title that cannot end the text of a link or begin a marker.
func plainTitle(title string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "<", `\<`, "`", "\\`", "{{", `\{\{`).Replace(strings.Join(strings.Fields(title), " "))
}
