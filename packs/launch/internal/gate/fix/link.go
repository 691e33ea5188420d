package fix

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/gate"
)

// link leads a link to the planned page with its slug, or to the one heading that
// is meant; else its text stays and the link goes.
func link(w *work) error {
	var gone []int
	for _, l := range w.page.Links {
		if !w.about(l.Target) || !w.page.New(l.Line) {
			continue
		}
		better := w.better(l.Target)
		n := l.Line - 1
		w.lines[n] = retarget(w.lines[n], l.Target, better)
		if better == "" && w.view.Uncited(w.file, w.lines[n]) {
			gone = append(gone, n) // without its link it would be a statement
		}
	}
	if len(gone) > 0 {
		w.drop(gone...)
	}
	return nil
}

// retarget changes the target of a link; an empty one leaves its text alone.
func retarget(line, target, better string) string {
	pattern := regexp.MustCompile(`!?\[([^\]]*)\]\(\s*<?` + regexp.QuoteMeta(target) + `>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`)
	if better == "" {
		line = pattern.ReplaceAllString(line, "$1")
		return strings.ReplaceAll(line, "<"+target+">", "`"+target+"`")
	}
	line = pattern.ReplaceAllString(line, "[$1]("+strings.ReplaceAll(better, "$", "$$")+")")
	return strings.ReplaceAll(line, "<"+target+">", "<"+better+">")
}

// better is where a broken link should lead, or empty.
func (w *work) better(target string) string {
	parsed, err := url.Parse(target)
	if err != nil {
		return ""
	}
	if w.issue.Code == gate.CodeLinkAnchor {
		to := w.view.Resolve(w.file, target)
		anchor := w.heading(to.File, to.Anchor)
		if anchor == "" {
			return ""
		}
		parsed.Fragment = anchor
		return parsed.String()
	}
	slug := strings.TrimSuffix(path.Base(strings.TrimSuffix(parsed.Path, "/")), ".md")
	found, same := "", 0
	for _, page := range w.view.Plan.Pages {
		if page.Slug != slug || w.plan != nil && page.Locale != w.plan.Locale {
			continue
		}
		if same++; w.plan != nil && page.Section == w.plan.Section {
			return page.URLPath
		}
		found = w.view.Profile.URL(page.Section, page.URLPath)
	}
	if same != 1 {
		return ""
	}
	return found
}

// heading is the one heading of a page that an anchor was meant for.
func (w *work) heading(file, anchor string) string {
	p, err := w.view.Page(file)
	if err != nil || anchor == "" {
		return ""
	}
	var meant []string
	for _, title := range p.Titles {
		if strings.HasPrefix(title.ID, anchor) || strings.HasPrefix(anchor, title.ID) && title.ID != "" || strings.EqualFold(title.ID, anchor) {
			meant = append(meant, title.ID)
		}
	}
	if meant = slices.Compact(meant); len(meant) != 1 {
		return ""
	}
	return meant[0]
}
