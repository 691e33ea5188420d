package write

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/patch/frontmatter"
	"mcpworks/packs/launch/internal/stage/write/body"
)

// longDescription is how many characters a description has at most.
const longDescription = 160

// unknownDay stands where a site wants a date and the run has none.
const unknownDay = "1970-01-01"

// frontMatter makes the settings of a page: what the plan says, and what the
// contract of the section wants beyond it.
func (w *writer) frontMatter(page artifact.Page, number int) (string, []issue.Issue) {
	contract := w.in.Contract.Sections[page.Section]
	values := map[string]any{"title": page.Title, "description": w.description(page)}
	has := func(key string) bool {
		return slices.Contains(contract.RequiredKeys, key) || slices.Contains(contract.OptionalKeys, key)
	}
	if has("permalink") {
		values["permalink"] = page.URLPath
	}
	if has("weight") {
		values["weight"] = 10 * w.place(page, number)
	}
	if page.Locale != w.in.DefaultLocale && w.in.DefaultLocale != "" || w.translated(page) {
		values["translationKey"] = page.Section + "/" + page.Slug
	}
	var issues []issue.Issue
	for _, key := range contract.RequiredKeys {
		if _, there := values[key]; there {
			continue
		}
		value, certain := w.value(page, contract, key)
		values[key] = value
		if !certain {
			issues = append(issues, issue.New(Stage, issue.Warn, CodeValueUnknown, page.OutputPath, key, "the section wants the key %s, and nothing of the run says its value", key))
		}
	}
	return encode(values), issues
}

// place is that of a page among those of its section and language, from 1.
func (w *writer) place(page artifact.Page, number int) int {
	n := 1
	for _, other := range w.in.Plan.Pages[:number] {
		if other.Section == page.Section && other.Locale == page.Locale {
			n++
		}
	}
	return n
}

// translated says that a page is there in other languages, too.
func (w *writer) translated(page artifact.Page) bool {
	return slices.ContainsFunc(w.in.Plan.Pages, func(other artifact.Page) bool {
		return other.Section == page.Section && other.Slug == page.Slug && other.Locale != page.Locale
	})
}

// value is what a required key has: what most pages of the section have, what the
// plan says, or the emptiest value of its type. Certain is false for that.
func (w *writer) value(page artifact.Page, contract artifact.SectionFrontmatter, key string) (value any, certain bool) {
	if value, ok := contract.DefaultValues[key]; ok && key != "date" {
		return value, true
	}
	switch {
	case key == "date" || contract.KeyTypes[key] == "date":
		return day(cmp.Or(w.in.Date, unknownDay)), w.in.Date != ""
	case key == "url":
		return page.URLPath, true
	case key == "slug":
		return strings.Trim(page.Slug, "_"), true
	case key == "keywords" || key == "tags" || key == "categories":
		if contract.KeyTypes[key] == "array_string" {
			return page.SEOKeywords, true
		}
	case key == "linkTitle" || key == "linktitle" || key == "seoTitle" || key == "seo_title" || key == "head_title":
		return page.Title, true
	case key == "head_description" || key == "summary":
		return w.description(page), true
	case key == "draft":
		return false, true
	}
	switch contract.KeyTypes[key] {
	case "integer", "number":
		return 0, false
	case "boolean":
		return false, false
	case "array_string":
		return []string{}, false
	case "object":
		return map[string]any{}, false
	}
	return "", false
}

// day is a date that is not written as a text.
func day(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!timestamp", Value: text}
}

// description is the product's introduction on a page that has it, and what the
// template says otherwise.
func (w *writer) description(page artifact.Page) string {
	var said []string
	for _, claim := range w.library.Of(page, body.Intro) {
		said = append(said, body.Plain(w.library.Named(claim.Text)))
	}
	if len(said) > 0 {
		return cut(strings.Join(said, " "), longDescription)
	}
	return cut(page.Purpose, longDescription)
}

// cut shortens a text: after a sentence if there is one that fits, else after a
// word.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	text = string([]rune(text)[:most-3])
	if at := strings.LastIndex(text, ". "); at > most/3 {
		return text[:at+1]
	}
	if at := strings.LastIndex(text, " "); at > 0 {
		text = text[:at]
	}
	return strings.TrimRight(text, " ,;:") + "..."
}

// encode writes settings: the title, the description, and the rest by name.
func encode(values map[string]any) string {
	rank := func(key string) int {
		if at := slices.Index([]string{"title", "description"}, key); at >= 0 {
			return at
		}
		return 2
	}
	keys := slices.SortedFunc(maps.Keys(values), func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
	var text bytes.Buffer
	text.WriteString("---\n")
	for _, key := range keys {
		encoder := yaml.NewEncoder(&text)
		encoder.SetIndent(2)
		if err := encoder.Encode(map[string]any{key: frontmatter.Plain(values[key])}); err != nil {
			panic(err) // strings, numbers and lists of them can always be written
		}
	}
	text.WriteString("---\n")
	return text.String()
}
