package gate

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/patch"
)

// navigation compares the site with the plan: all pages are there, no others,
// and readers find them.
func navigation(ctx context.Context, v *View, r *report) {
	for i := range v.Plan.Pages {
		plan := &v.Plan.Pages[i]
		if _, err := v.Page(plan.OutputPath); errors.Is(err, fs.ErrNotExist) {
			r.add(0, CodeMissingPage, plan.OutputPath, plan.ID, "the page %s is planned and does not exist", plan.ID)
		}
		for _, child := range plan.Strategy.ChildPages {
			if to := v.resolve(plan.OutputPath, child.URL); !to.outside && !to.found {
				r.add(0, CodeMenuLink, plan.OutputPath, child.URL, "the page lists %s, which does not exist", quoted(child.URL))
			}
		}
	}
	for _, file := range v.Changed { // generators make pages of other files, too
		if v.planned[file] == nil && exists(v.Site, file) && !v.explained(file) {
			r.add(0, CodeOrphanPage, file, "orphan", "the file was changed and is not planned")
		}
	}
	for p := range v.changedPages {
		for _, link := range menuLinks(p.Values["menu"]) {
			if to := v.resolve(p.Path, link); !to.outside && !to.found {
				r.add(1, CodeMenuLink, p.Path, link, "the menu leads to %s, which does not exist", quoted(link))
			}
		}
	}
	if ctx.Err() == nil {
		v.judgeReach(r)
	}
}

// explained says whether a page that is not planned may be changed: an index that
// got links, or what a person has done.
func (v *View) explained(file string) bool {
	return slices.ContainsFunc(v.Bundle.Patches, func(p artifact.Patch) bool {
		return p.Path == file && (p.Origin == patch.OriginManual || p.Origin == patch.OriginNavigation && v.inBase(file))
	})
}

// menuLinks are the targets in the setting menu of a page, which is a name, a
// list of names, or a table of entries by their names.
func menuLinks(menu any) []string {
	var links []string
	entries, isTable := menu.(map[string]any)
	if !isTable {
		return nil
	}
	for _, entry := range entries {
		if values, is := entry.(map[string]any); is {
			for _, key := range []string{"url", "pageRef", "pageref"} {
				if link, is := values[key].(string); is && link != "" {
					links = append(links, link)
				}
			}
		}
	}
	slices.Sort(links)
	return links
}

// judgeReach follows links from the index of each section. A section without an
// index has its pages listed by the generator.
func (v *View) judgeReach(r *report) {
	for _, section := range v.Profile.Sections {
		pages := slices.DeleteFunc(slices.Clone(v.Plan.Pages), func(p artifact.Page) bool { return p.Section != section.ID })
		var queue []string
		for _, plan := range pages {
			if index := v.indexOf(plan); index != "" && !slices.Contains(queue, index) {
				queue = append(queue, index)
			}
		}
		if len(queue) == 0 {
			continue
		}
		reached := v.follow(queue)
		for _, plan := range pages {
			if exists(v.Site, plan.OutputPath) && !reached[plan.OutputPath] && v.indexOf(plan) != "" {
				r.add(0, CodeUnreachable, plan.OutputPath, plan.ID, "no link leads from the index of its section to the page")
			}
		}
	}
}

// indexOf is the index page in the folder of a product, for one of its pages.
func (v *View) indexOf(plan artifact.Page) string {
	root, err := v.Profile.Root(plan.Section, v.Product, plan.Locale)
	if err != nil {
		return ""
	}
	names := []string{"_index.md", "index.md"}
	if base := path.Base(plan.OutputPath); strings.HasSuffix(base, "."+plan.Locale+".md") {
		names = []string{"_index." + plan.Locale + ".md", "index." + plan.Locale + ".md"}
	}
	for _, name := range names {
		if exists(v.Site, root+"/"+name) {
			return root + "/" + name
		}
	}
	return ""
}

// follow returns all pages of the plan and the index pages that links lead to.
func (v *View) follow(queue []string) map[string]bool {
	reached := map[string]bool{}
	for len(queue) > 0 {
		file := queue[0]
		queue = queue[1:]
		if reached[file] {
			continue
		}
		reached[file] = true
		p, err := v.Page(file)
		if err != nil {
			continue
		}
		for _, link := range p.Links {
			if to := v.resolve(file, link.Target); to.file != "" && v.planned[to.file] != nil {
				queue = append(queue, to.file)
			}
		}
	}
	return reached
}
