package fix

import (
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/gate/page"
	"mcpworks/packs/launch/internal/patch/frontmatter"
)

// productName spells the product as its facts do.
func productName(w *work) error {
	for n, line := range w.page.Lines {
		if !line.New || line.InCode() {
			continue
		}
		for _, name := range w.view.OtherNames(line.Bare) {
			if w.about(name) {
				w.lines[n] = outsideCode(line, name, w.view.Facts.ProductName)
			}
		}
	}
	return nil
}

// outsideCode replaces text where the line is not code.
func outsideCode(line page.Line, old, with string) string {
	var text strings.Builder
	at := 0
	for {
		next := strings.Index(line.Bare[at:], old)
		if next < 0 {
			return text.String() + line.Text[at:]
		}
		text.WriteString(line.Text[at:at+next] + with)
		at += next + len(old)
	}
}

// repoURL leads a link to the product's own repository.
func repoURL(w *work) error {
	for _, l := range w.page.Links {
		if w.page.New(l.Line) && w.about(l.Target) {
			w.lines[l.Line-1] = retarget(w.lines[l.Line-1], l.Target, w.view.RepoLink(l.Target))
		}
	}
	return nil
}

// canonicalURL puts the planned address into the front matter.
func canonicalURL(w *work) error {
	keys := []string{"canonical", "canonical_url", "permalink", "url"}
	at := slices.IndexFunc(keys, w.about)
	if at < 0 || w.plan == nil {
		return ErrUnfixable
	}
	address := w.plan.URLPath
	if given, _ := w.page.Values[keys[at]].(string); strings.Contains(given, "://") || strings.HasPrefix(keys[at], "canonical") {
		address = w.view.Profile.URL(w.plan.Section, address)
	}
	edited, err := frontmatter.Edit(w.page.Text, map[string]any{keys[at]: address})
	if err != nil {
		return ErrUnfixable
	}
	w.result = edited
	return nil
}
