package scout_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/stage/scout"
)

var hugoSite = map[string]string{
	"configs/docs.acme.example/common.toml": "defaultContentLanguage = 'de'\n[languages.de]\nweight = 1\n[languages.fr]\n[languages.ru]\ndisabled = true\n",
	"configs/docs.acme.example/cells.toml":  "DefaultContentLanguageInSubdir = true\n[permalinks]\nposts = '/:year/:slug/'\n[permalinks.page]\nkb = '/:slug/'\n",
	"configs/kb.acme.example/words.yml":     "defaultContentLanguage: xx\noutputs:\n  home: [HTML, JSON]\ntaxonomies: {tag: tags}\n",
	"configs/kb.acme.example/home.yaml":     "title: Home\n",
	"configs/kb.acme.example/broken.toml":   "= = =",
	"configs/README.md":                     "not a configuration",
	"content/docs/_index.md":                "---\ntitle: Docs\nweight: 1\ndraft: false\ntype: page\ndate: 2024-01-01\n---\n",
	"content/docs/a.md":                     "---\r\ntitle: A\r\nweight: 2\r\ndraft: false\r\ntype: page\r\ndate: 2024-01-02\r\ntags: [x, y]\r\nextra: 1\r\n---\r\nText\r\n",
	"content/docs/b.md":                     "+++\ntitle = 'B'\nweight = 1.5\ndraft = false\ntype = 'page'\ndate = 2024-01-02\nextra = 'text'\n[params]\na = 1\n+++\n",
	"content/docs/c.md":                     "{\"title\": \"C\", \"weight\": 3, \"draft\": true, \"type\": \"page\", \"date\": \"2024-03-04\", \"empty\": null}\nText\n",
	"content/docs/d.md":                     "no front matter\n",
	"content/docs/e.md":                     "---\n\t broken: [\n---\n",
}

// 6.1: what the pages of a section begin with.
func TestFrontmatterContract(t *testing.T) {
	out, issues := run(t, inputs(fixtures.Sparse(), hugoSite))
	want := artifact.FrontmatterContract{
		SchemaVersion: artifact.Version, SiteRepoURL: "https://github.com/acme/site", SiteSHA: fixtures.SiteSHA,
		Sections: map[string]artifact.SectionFrontmatter{
			"docs": {
				SampleSize: 4, RequiredKeys: []string{"date", "draft", "title", "type", "weight"}, OptionalKeys: []string{"empty", "extra", "params", "tags"},
				KeyTypes: map[string]string{"title": "string", "weight": "number", "draft": "boolean", "type": "string", "date": "date", "tags": "array_string",
					"extra": "unknown", "params": "object", "empty": "unknown"},
				DefaultValues: map[string]any{"type": "page"},
			},
			"kb": {
				RequiredKeys: []string{"description", "title"}, OptionalKeys: []string{"draft", "permalink", "weight"}, DefaultValues: map[string]any{},
				KeyTypes: map[string]string{"title": "string", "description": "string", "weight": "integer", "draft": "boolean", "permalink": "string"},
			},
		},
	}
	if diff := cmp.Diff(want, out.Frontmatter); diff != "" {
		t.Error(diff)
	}
	if !slices.ContainsFunc(issues, func(i issue.Issue) bool {
		return i.Code == scout.CodeUnreadable && i.Location.Path == "content/docs/e.md"
	}) {
		t.Errorf("issues: %v", issues)
	}
}

// 6.1: at most 50 pages count, and nine in ten make a date required.
func TestFrontmatterSamples(t *testing.T) {
	site := map[string]string{}
	for i := range 60 {
		date := "date: 2024-01-01\n"
		if i%10 == 0 {
			date = ""
		}
		site[fmt.Sprintf("content/docs/%02d.md", i)] = fmt.Sprintf("---\ntitle: t%d\nlayout: %s\n%s---\n", i, map[bool]string{true: "odd", false: "page"}[i < 5], date)
	}
	out, _ := run(t, inputs(fixtures.Sparse(), site))
	docs := out.Frontmatter.Sections["docs"]
	if docs.SampleSize != 50 || !slices.Equal(docs.RequiredKeys, []string{"date", "layout", "title"}) {
		t.Errorf("%+v", docs)
	}
	if diff := cmp.Diff(map[string]any{"layout": "page", "date": "2024-01-01"}, docs.DefaultValues); diff != "" {
		t.Error(diff)
	}
}

// 6.1: the configuration of the site.
func TestSiteContext(t *testing.T) {
	in := inputs(fixtures.Sparse(), hugoSite)
	in.Site.RequestedRef = "main"
	in.Workflows = &scout.Source{URL: "https://github.com/acme/flows", RequestedRef: "v1", SHA: strings.Repeat("b", 40)}
	out, issues := run(t, in)
	if out.Site.Workflows.ResolvedSHA != strings.Repeat("b", 40) || out.Site.Site.RequestedRef != "main" {
		t.Errorf("%+v", out.Site)
	}
	wantMatrix := []artifact.BuildEntry{
		{Subdomain: "docs.acme.example", Family: "cells", ConfigPath: "configs/docs.acme.example/cells.toml"},
		{Subdomain: "kb.acme.example", Family: "broken", ConfigPath: "configs/kb.acme.example/broken.toml"},
		{Subdomain: "kb.acme.example", Family: "words", ConfigPath: "configs/kb.acme.example/words.yml"},
	}
	if diff := cmp.Diff(wantMatrix, out.Site.Hugo.BuildMatrix); diff != "" {
		t.Error(diff)
	}
	if len(out.Site.Hugo.ConfigFiles) != 5 || len(out.Site.Hugo.HugoConfigFingerprint) != 64 || out.Site.Hugo.ConfigFiles[0].Bytes != int64(len(hugoSite["configs/docs.acme.example/cells.toml"])) {
		t.Errorf("%+v", out.Site.Hugo)
	}
	want := artifact.HugoFacts{
		SchemaVersion: artifact.Version, Languages: []string{"de", "fr"}, DefaultLanguage: "de", DefaultLanguageInSubdir: true,
		Permalinks: map[string]string{"posts": "/:year/:slug/", "page.kb": "/:slug/"}, Outputs: map[string]any{"home": []any{"HTML", "JSON"}},
		Taxonomies:  map[string]string{"tag": "tags"},
		SourceFiles: []string{"configs/docs.acme.example/cells.toml", "configs/docs.acme.example/common.toml", "configs/kb.acme.example/words.yml"},
	}
	if diff := cmp.Diff(want, out.Hugo); diff != "" {
		t.Error(diff)
	}
	if !slices.ContainsFunc(issues, func(i issue.Issue) bool { return strings.HasSuffix(i.Location.Path, "broken.toml") }) {
		t.Errorf("issues: %v", issues)
	}
}

// 6.1, 18.20: a site without Hugo has empty facts and no complaint.
func TestSiteWithoutHugo(t *testing.T) {
	in := inputs(fixtures.Sparse(), map[string]string{"content/docs/_index.md": "x"})
	in.Config.Generator = "none"
	out, issues := run(t, in)
	if out.Site.Hugo != nil || out.Hugo.DefaultLanguage != "en" || len(out.Hugo.Languages) != 0 || len(issues) != 0 {
		t.Errorf("%+v %+v %v", out.Site, out.Hugo, issues)
	}
	in.Config.Generator = "hugo"
	if _, issues := run(t, in); len(issues) != 1 || issues[0].Code != scout.CodeNoHugoConfig || issues[0].Severity != issue.Error {
		t.Errorf("issues: %v", issues)
	}
	in.Site.Files = fixtures.FS(map[string]string{"hugo.toml": "baseURL = '/'\n", "config/_default/languages.toml": "[en]\nweight=1\n[ja]\nweight=2\n"})
	out, issues = run(t, in)
	if !slices.Equal(out.Hugo.Languages, []string{"en", "ja"}) || len(issues) != 0 {
		t.Errorf("%+v, %v", out.Hugo, issues)
	}
}

// Pages and configurations are a stranger's bytes.
func FuzzSite(f *testing.F) {
	for _, text := range hugoSite {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in := inputs(map[string]string{"README.md": text, "docs/x.md": text, "pyproject.toml": text, "package.json": text},
			map[string]string{"content/docs/a.md": text, "configs/h/a.toml": text, "configs/h/b.yml": text, "configs/h/c.json": text})
		out, _, err := scout.Run(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(out); err != nil {
			t.Fatal(err)
		}
	})
}

// 9.3, 6.1: the stamp of earlier launches is no setting of the site, even if every
// page has one.
func TestStampIsNoSetting(t *testing.T) {
	page := "---\ntitle: Docs\nlaunch_sha256: " + strings.Repeat("a", 64) + "\n---\n"
	out, _ := run(t, inputs(fixtures.Sparse(), map[string]string{"content/docs/a.md": page, "content/docs/b.md": page}))
	docs := out.Frontmatter.Sections["docs"]
	want := artifact.SectionFrontmatter{
		SampleSize: 2, RequiredKeys: []string{"title"}, OptionalKeys: []string{}, KeyTypes: map[string]string{"title": "string"}, DefaultValues: map[string]any{"title": "Docs"},
	}
	if diff := cmp.Diff(want, docs); diff != "" {
		t.Error(diff)
	}
}
