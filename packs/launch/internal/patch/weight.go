package patch

import (
	"path"
	"strings"

	"mcpworks/packs/launch/internal/patch/frontmatter"
)

// weigh gives new pages a weight behind their siblings, ten apart.
func (b *builder) weigh() error {
	heaviest := map[string]int64{}
	for i := range b.drafts {
		draft := &b.drafts[i]
		if b.there[draft.Path] != nil || leafless(path.Base(draft.Path)) {
			continue
		}
		dir := path.Dir(draft.Path)
		if _, known := heaviest[dir]; !known {
			most, err := b.heaviest(dir)
			if err != nil {
				return err
			}
			heaviest[dir] = most
		}
		values, err := frontmatter.Values(draft.Content)
		if _, weighed := values["weight"]; err != nil || weighed {
			continue
		}
		heavier, err := frontmatter.Edit(draft.Content, map[string]any{"weight": heaviest[dir] + 10})
		if err != nil {
			continue // the gate of front matter has a word on it
		}
		heaviest[dir] += 10
		draft.Content = heavier
	}
	return nil
}

// maxSiblings bounds how many pages are read for their weights.
const maxSiblings = 1000

// heaviest is the largest weight of the pages in a directory, those of drafts
// included; 0 if there is none.
func (b *builder) heaviest(dir string) (int64, error) {
	names, err := b.tree.Names(dir)
	if err != nil {
		return 0, err
	}
	most := int64(0)
	for _, name := range names[:min(len(names), maxSiblings)] {
		if path.Ext(name) != ".md" || leafless(name) {
			continue
		}
		text, err := b.look(path.Join(dir, name))
		if err != nil {
			return 0, err
		}
		if text != nil {
			most = max(most, weightOf(normal(*text)))
		}
	}
	for _, draft := range b.drafts {
		if path.Dir(draft.Path) == dir && !leafless(path.Base(draft.Path)) {
			most = max(most, weightOf(draft.Content))
		}
	}
	return most, nil
}

// leafless are the pages that stand for their directory: they have no siblings
// in it.
func leafless(name string) bool {
	return strings.HasPrefix(name, "_index.") || strings.HasPrefix(name, "index.")
}

func weightOf(text string) int64 {
	values, err := frontmatter.Values(text)
	if err != nil {
		return 0
	}
	switch weight := values["weight"].(type) {
	case int:
		return int64(weight)
	case int64:
		return weight
	}
	return 0
}
