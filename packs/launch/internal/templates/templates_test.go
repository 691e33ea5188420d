package templates_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"mcpworks/packs/launch/internal/rulesets"
	"mcpworks/packs/launch/internal/templates"
)

// trigger is what makes a line a statement that needs evidence (10.2).
var trigger = regexp.MustCompile(`(?i)__PRODUCT_NAME__|^it\b|this (library|package|tool)|\b(supports|provides|enables|allows|can|reads|writes|converts|imports|exports|requires|runs|installs|includes|offers|handles)\b`)

// 6.5, 10.2: no connecting sentence says what a product can do, and each is on
// the list of those that need no evidence.
func TestSentences(t *testing.T) {
	set, err := templates.Open("templates.v1")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := rulesets.Open("ruleset.v1")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, section := range rules.Sections("") {
		for _, page := range section.Mandatory {
			for _, tier := range []string{"minimal", "standard", "rich"} {
				found, ok := set.Find(templates.Query{Section: section.ID, Role: page.Role, Slug: page.Slug, Tier: tier})
				if !ok {
					t.Errorf("no template for %s/%s", section.ID, page.Slug)
					continue
				}
				for _, sentence := range found.Sentences() {
					seen++
					if trigger.MatchString(sentence) || !set.Exempt("  "+sentence+"\n", nil) {
						t.Errorf("%s: %q", found.Path, sentence)
					}
				}
			}
		}
		for _, policy := range section.Optional {
			if _, ok := set.Find(templates.Query{Section: section.ID, Role: policy.Role, Slug: "any", Tier: "rich"}); !ok {
				t.Errorf("no template for %s/%s", section.ID, policy.Source)
			}
		}
	}
	if seen == 0 || set.Exempt("The tool supports everything.", nil) {
		t.Error("the list is empty, or everything is on it")
	}
}

const page = "---\nrole: toc\ntitle: T\ndescription: D\n---\n"

// 6.4(10): family before profile before default, then slug, then tier, then path.
func TestFind(t *testing.T) {
	slugged := strings.Replace(page, "role", "slug: s\nrole", 1)
	tiered := strings.Replace(page, "role", "variant: rich\nrole", 1)
	dir := fstest.MapFS{
		"templates.v1/default/docs/a.md":   {Data: []byte(page)},
		"templates.v1/default/docs/b.md":   {Data: []byte(page)},
		"templates.v1/default/docs/t.md":   {Data: []byte(tiered)},
		"templates.v1/default/docs/s.md":   {Data: []byte(slugged)},
		"templates.v1/acme/docs/p.md":      {Data: []byte(page)},
		"templates.v1/cells/docs/f.md":     {Data: []byte(page)},
		"templates.v1/default/blog/a.md":   {Data: []byte(page)},
		"templates.v1/default/docs/README": {Data: []byte("no template")},
	}
	set, err := templates.Open("templates.v1", dir)
	if err != nil {
		t.Fatal(err)
	}
	for want, query := range map[string]templates.Query{
		"default/docs/a.md": {Section: "docs", Role: "toc", Slug: "x", Tier: "standard"},
		"default/docs/t.md": {Section: "docs", Role: "toc", Slug: "x", Tier: "rich"},
		"default/docs/s.md": {Section: "docs", Role: "toc", Slug: "s", Tier: "rich"},
		"acme/docs/p.md":    {Section: "docs", Role: "toc", Slug: "s", Tier: "rich", Profile: "acme"},
		"cells/docs/f.md":   {Section: "docs", Role: "toc", Slug: "s", Tier: "rich", Profile: "acme", Family: "cells"},
		"default/blog/a.md": {Section: "blog", Role: "toc", Slug: "s", Tier: "rich", Profile: "acme", Family: "cells"},
	} {
		found, ok := set.Find(query)
		if !ok || found.Path != "templates.v1/"+want {
			t.Errorf("%s: %+v", want, found)
			continue
		}
		if again, ok := set.At(found.Path); !ok || again != found || len(found.Digest) != 64 {
			t.Errorf("%s is not at its path", want)
		}
	}
	if _, ok := set.Find(templates.Query{Section: "docs", Role: "landing"}); ok {
		t.Error("a template for another role was found")
	}
}

// 8.7: unknown tokens are an error wherever they stand, and so is a file that is
// no template.
func TestRefused(t *testing.T) {
	var unknown *templates.UnknownTokenError
	for _, text := range []string{
		page + "__BODY_COLOUR__\n", page + "## About __COLOUR__\n", page + "A sentence with __BODY_INTRO__ in it.\n",
		strings.Replace(page, "title: T", "title: __COLOUR__", 1),
	} {
		dir := fstest.MapFS{"templates.v1/default/docs/a.md": {Data: []byte(text)}}
		if _, err := templates.Open("templates.v1", dir); !errors.As(err, &unknown) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"", "## Heading\n", "---\nrole: toc\n---\n", "---\ncolour: red\n---\n"} {
		dir := fstest.MapFS{"templates.v1/default/docs/a.md": {Data: []byte(text)}}
		if _, err := templates.Open("templates.v1", dir); err == nil {
			t.Errorf("accepted %q", text)
		}
	}
	if _, err := templates.Fill("__PRODUCT_NAME__", nil); !errors.As(err, &unknown) {
		t.Errorf("filled a token without a name: %v", err)
	}
	for _, name := range []string{"../x", "templates.v9", ""} {
		if _, err := templates.Open(name); err == nil {
			t.Errorf("opened %q", name)
		}
	}
}
