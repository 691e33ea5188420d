package siteprofile

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"mcpworks/packs/launch/internal/fence"
)

func load(t interface{ Fatal(...any) }) *Set {
	set, err := Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func profile(t interface{ Fatal(...any) }, name string) *Profile {
	p, ok := load(t).Get(name)
	if !ok {
		t.Fatal("no profile " + name)
	}
	return p
}

// 8.1, 8.2: what comes with the program.
func TestBuiltinProfiles(t *testing.T) {
	if names := load(t).Names(); !slices.Equal(names, []string{"aspose.org", "default"}) {
		t.Errorf("%v", names)
	}
	aspose, standard := profile(t, "aspose.org"), profile(t, "default")
	if len(aspose.Families.List) != 22 || len(aspose.Platforms) != 13 || aspose.Generator != "hugo" || aspose.SiteRepoURL == "" || len(aspose.Locales) != 7 {
		t.Errorf("%+v", aspose)
	}
	if !standard.Families.Any || standard.AllowLocalRepos || standard.SiteRepoURL != "" || standard.Generator != "none" {
		t.Errorf("%+v", standard)
	}
	for _, p := range []*Profile{aspose, standard} {
		if want := []string{"products", "docs", "reference", "kb", "blog"}; !slices.Equal(p.SectionIDs(), want) {
			t.Errorf("%s: sections %v", p.Name, p.SectionIDs())
		}
	}
	for family, want := range map[string]string{"3d": "Aspose.3D FOSS for Python", "tex": "Aspose.TeX FOSS for Python"} {
		if got := aspose.ProductName(family, "python"); got != want {
			t.Errorf("%q", got)
		}
	}
	if got := aspose.ProductName("cells", "net"); got != "Aspose.Cells FOSS for .NET" {
		t.Errorf("%q", got)
	}
}

// 18.1: name and sections are enough; all else is that of default.
func TestProfileInheritsFromDefault(t *testing.T) {
	set, err := Load(fstest.MapFS{
		"zoo.yaml":   {Data: []byte("name: zoo\nsections:\n  guide: {root: content/guide, url_prefix: /g/}\n  blog: {root: content/blog, url_prefix: /blog/, localization: filename}\n")},
		"alpha.yaml": {Data: []byte("name: alpha\nallow_local_repos: true\nrequires_taskcard: true\nbroad_paths: true\nrepo_policy: {hosts: [git.alpha.example]}\nsections: {docs: {root: d}}\nfamilies: [one, two]\n")},
		"notes.txt":  {Data: []byte("not a profile")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"aspose.org", "default", "alpha", "zoo"}; !slices.Equal(set.Names(), want) {
		t.Errorf("%v", set.Names())
	}
	zoo, _ := set.Get("zoo")
	if zoo.DefaultLocale != "en" || !zoo.Families.Any || !slices.Equal(zoo.SectionIDs(), []string{"guide", "blog"}) || len(zoo.URLPatterns) != 2 || zoo.URLPatterns[1].Path != "/{locale?}/{product}/{platform}/{page?}/" || len(zoo.Platforms) != 13 {
		t.Errorf("%+v", zoo)
	}
	alpha, _ := set.Get("alpha")
	if !alpha.AllowLocalRepos || !alpha.RequiresTaskcard || !alpha.BroadPaths || alpha.RepoPolicy.Hosts[0] != "git.alpha.example" || alpha.RepoPolicy.Patterns[0] != "{org}/{repo}" || alpha.Families.Any || alpha.Families.List[0].Title != "One" {
		t.Errorf("%+v", alpha)
	}
	if standard, _ := set.Get("default"); standard.AllowLocalRepos || standard.RepoPolicy.Hosts[0] != "github.com" {
		t.Error("a profile has changed the one it inherits from")
	}
}

func TestProfileStandsInForBuiltin(t *testing.T) {
	set, err := Load(fstest.MapFS{"default.yaml": {Data: []byte("name: default\nallow_local_repos: true\nsections: {docs: {root: d}}\n")}})
	if err != nil {
		t.Fatal(err)
	}
	if p, _ := set.Get("default"); !p.AllowLocalRepos || !slices.Equal(set.Names(), []string{"aspose.org", "default"}) {
		t.Errorf("%v", set.Names())
	}
}

// 8.2, 18.1: profiles are checked, and all faults are told.
func TestProfileFaults(t *testing.T) {
	const good = "name: x\nsections: {docs: {root: content/docs}}\n"
	if _, err := Parse([]byte(good), profile(t, "default")); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"sections: {docs: {root: d}}":             "name must match",
		"name: ../x\nsections: {docs: {root: d}}": "name must match",
		"name: x":                                          "sections must not be empty",
		"name: x\nsections: []":                            "must be a table",
		good + "colour: red":                               "colour",
		good + "locales: [en]\nlocales: [de]":              "already defined",
		good + "default_locale: de":                        "default_locale",
		good + "locales: [en, ../x]":                       "locale",
		good + "generator: jekyll":                         "generator must be",
		good + "generator: command":                        "generator_command",
		good + "base_url: http://x":                        "base_url",
		good + "families: all":                             "families must be",
		good + "families: []":                              "families must be",
		good + "families: [A/B]":                           "must match",
		good + "platforms: {go: {}}":                       "no adapter",
		good + "platforms: {go: {adapter: go, colour: 1}}": "colour",
		good + "platforms: {a: {adapter: x, aliases: [b]}, b: {adapter: x}}":                "stands for both",
		good + "repo_policy: {patterns: ['{org}']}":                                         "owner and a name",
		good + "repo_policy: {patterns: ['{org}/{what}']}":                                  "not understood",
		good + "repo_policy: {patterns: ['{org}/(a|b)']}":                                   "not understood",
		good + "repo_policy: {patterns: []}":                                                "must not be empty",
		good + "repo_policy: {hosts: ['a b']}":                                              "host",
		good + "product_repos: [{family: a, platform: go, repo: 'http://x'}]":               "REPO_URL_INVALID_PROTOCOL",
		good + "repo_candidates: ['git@x:y']":                                               "https",
		good + "url_patterns: [shop]":                                                       "not known",
		good + "url_patterns: [{section: docs, path: '/{x}/'}]":                             "not understood",
		good + "---\nname: y\n":                                                             "more than one document",
		"name: x\nsections: {docs: {root: ../d}}":                                           "not a folder",
		"name: x\nsections: {docs: {root: /}}":                                              "not a folder",
		"name: x\nsections: {docs: {root: .git}}":                                           "not a folder",
		"name: x\nsections: {docs: {root: 'a*'}}":                                           "not a folder",
		"name: x\nsections: {docs: {root: d, localization: map}}":                           "localization",
		"name: x\nsections: {docs: {root: d, page_style: round}}":                           "page_style",
		"name: x\nsections: {docs: {root: d, url_prefix: x}}":                               "url_prefix",
		"name: x\nsections: {a: {root: d}, b: {root: e}}":                                   "same URLs",
		"name: x\nsections: {a: {root: d, url_prefix: /a/}, b: {root: d, url_prefix: /b/}}": "same root",
		"name: x\nsections: {a: {root: d}, a: {root: e}}":                                   "twice",
	} {
		if _, err := Parse([]byte(text), profile(t, "default")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	_, err := Parse([]byte("name: X\ngenerator: x\nsections: {docs: {root: ..}}"), profile(t, "default"))
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("not all faults are told: %v", err)
	}
	if _, err := Load(fstest.MapFS{"a.yaml": {Data: []byte(good)}}); err == nil || !strings.Contains(err.Error(), `must be "a"`) {
		t.Errorf("a file with another name: %v", err)
	}
}

// 8.2: the digest follows what is said, not how.
func TestDigest(t *testing.T) {
	base := profile(t, "default")
	digest := func(text string) string {
		p, err := Parse([]byte(text), base)
		if err != nil {
			t.Fatal(err)
		}
		return p.Digest()
	}
	a := digest("name: x\nsections: {docs: {root: d}}\n")
	if a != digest("# comment\nsections:\n  docs:\n    root: d/\nname: x\n") || a == digest("name: x\nsections: {docs: {root: e}}\n") || len(a) != 64 {
		t.Error(a)
	}
}

// 8.4: the three examples of the contract, and the inverse.
func TestLayoutExamples(t *testing.T) {
	p := profile(t, "aspose.org")
	for _, c := range []struct {
		page   Page
		layout Layout
		path   string
		url    string
	}{
		{Page{Product{"cells", "python"}, "docs", "en", []string{"developer-guide"}, "quickstart", Flat}, V2, "content/docs.aspose.org/cells/en/python/developer-guide/quickstart.md", "/cells/python/developer-guide/quickstart/"},
		{Page{Product{"words", ""}, "products", "fr", nil, "", ""}, V1, "content/products.aspose.org/words/fr/_index.md", "/fr/words/"},
		{Page{Product{"words", "python"}, "blog", "en", nil, "announcement", Bundle}, V2, "content/blog.aspose.org/words/python/announcement/index.md", "/words/python/announcement/"},
		{Page{Product{"words", "python"}, "blog", "de", nil, "announcement", Bundle}, V2, "content/blog.aspose.org/words/python/announcement/index.de.md", "/de/words/python/announcement/"},
		{Page{Product{"words", "python"}, "blog", "de", nil, "", ""}, V2, "content/blog.aspose.org/words/python/_index.de.md", "/de/words/python/"},
		{Page{Product{"words", "python"}, "blog", "ja", nil, "a", Flat}, V2, "content/blog.aspose.org/words/python/a.ja.md", "/ja/words/python/a/"},
		{Page{Product{"words", "python"}, "kb", "en", nil, "faq", Flat}, V2, "content/kb.aspose.org/words/en/python/faq.md", "/words/python/faq/"},
	} {
		path, err := p.Path(c.page)
		if err != nil || path != c.path {
			t.Errorf("%+v: %s, %v", c.page, path, err)
		}
		if url, err := p.URLPath(c.page, false); err != nil || url != c.url {
			t.Errorf("%+v: %s, %v", c.page, url, err)
		}
		back, err := p.Locate(c.path, c.layout)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if url, err := p.URLPath(back, false); err != nil || url != c.url || back.Product != c.page.Product || back.Slug != c.page.Slug || back.Style != c.page.Style {
			t.Errorf("%s is located as %+v, %v", c.path, back, err)
		}
	}
	// C-20: all languages, the default one too.
	if url, _ := p.URLPath(Page{Product{"cells", "python"}, "docs", "en", nil, "a", ""}, true); url != "/en/cells/python/a/" {
		t.Error(url)
	}
	if url := p.URL("docs", "/cells/"); url != "https://docs.aspose.org/cells/" {
		t.Error(url)
	}
	for _, bad := range []string{"content/docs.aspose.org/cells/xx/python/a.md", "content/docs.aspose.org/cells/a.md", "static/a.md", "content/docs.aspose.org/cells/en/python/a.txt", "content/docs.aspose.org/cells/en/python/A.md", "content/docs.aspose.orgx/cells/en/python/a.md"} {
		if page, err := p.Locate(bad, V2); err == nil {
			t.Errorf("%s is located as %+v", bad, page)
		}
	}
}

// 18.3: the sections of default share a host, so that a prefix tells them apart.
func TestLayoutOfDefault(t *testing.T) {
	p := profile(t, "default")
	page := Page{Product{"acme-tool", "python"}, "docs", "en", nil, "installation", ""}
	path, err := p.Path(page)
	if err != nil || path != "content/docs/acme-tool/en/python/installation.md" {
		t.Errorf("%s, %v", path, err)
	}
	url, err := p.URLPath(page, false)
	if err != nil || url != "/docs/acme-tool/python/installation/" || p.URL("docs", url) != "https://site.example/docs/acme-tool/python/installation/" {
		t.Errorf("%s, %v", url, err)
	}
	page.Section, page.Slug = "blog", "announcement"
	if path, _ := p.Path(page); path != "content/blog/acme-tool/en/python/announcement/index.md" {
		t.Error(path)
	}
	one, err := Parse([]byte("name: one\nfamily_segment: false\nsections: {docs: {root: content, localization: none}}\n"), p)
	if err != nil {
		t.Fatal(err)
	}
	page.Section, page.Platform = "docs", ""
	path, _ = one.Path(page)
	if url, err := one.URLPath(page, false); err != nil || path != "content/announcement.md" || url != "/announcement/" {
		t.Errorf("%s, %s, %v", path, url, err)
	}
	if back, err := one.Locate(path, V1); err != nil || back.Slug != "announcement" {
		t.Errorf("%+v, %v", back, err)
	}
	if url, _ := one.URLPath(Page{Product: Product{Family: "x"}, Section: "docs", Locale: "en"}, false); url != "/" {
		t.Error(url)
	}
}

func TestLayoutRefusesBadNames(t *testing.T) {
	p := profile(t, "default")
	good := Page{Product{"a", "go"}, "docs", "en", []string{"b"}, "c", ""}
	for name, change := range map[string]func(*Page){
		"section": func(p *Page) { p.Section = "shop" }, "locale": func(p *Page) { p.Locale = "xx" }, "family": func(p *Page) { p.Family = "../x" },
		"no family": func(p *Page) { p.Family = "" }, "platform": func(p *Page) { p.Platform = "a/b" }, "sub": func(p *Page) { p.Sub = []string{".."} },
		"slug": func(p *Page) { p.Slug = "a b" }, "upper case": func(p *Page) { p.Slug = "A" }, "empty sub": func(p *Page) { p.Sub = []string{""} },
	} {
		page := good
		change(&page)
		if path, err := p.Path(page); err == nil {
			t.Errorf("%s: %s", name, path)
		}
		if url, err := p.URLPath(page, false); err == nil {
			t.Errorf("%s: %s", name, url)
		}
	}
}

// C-19.
func TestChooseLayout(t *testing.T) {
	for _, c := range []struct {
		mode, target string
		detected     []string
		want         Layout
	}{
		{"auto", "python", nil, V2}, {"auto", "", []string{"python"}, V2}, {"auto", "", []string{"python", "go"}, V1}, {"", "", nil, V1},
		{"v1", "python", nil, V1}, {"v2", "python", nil, V2}, {"v2", "", []string{"go"}, V2}, {"v2", "", nil, ""}, {"v3", "python", nil, ""},
	} {
		if got, err := ChooseLayout(c.mode, c.target, c.detected); got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%+v: %s, %v", c, got, err)
		}
	}
}

// 8.4: derived paths make a fence, and pages lie within it.
func TestAllowedPaths(t *testing.T) {
	p := profile(t, "aspose.org")
	paths, err := p.AllowedPaths([]string{"docs", "blog"}, Product{"cells", "python"}, []string{"en", "de"})
	want := []string{"content/docs.aspose.org/cells/en/python/", "content/docs.aspose.org/cells/de/python/", "content/blog.aspose.org/cells/python/"}
	if err != nil || !slices.Equal(paths, want) {
		t.Errorf("%v, %v", paths, err)
	}
	f, err := fence.New(paths)
	if err != nil {
		t.Fatal(err)
	}
	for _, section := range []string{"docs", "blog"} {
		file, _ := p.Path(Page{Product{"cells", "python"}, section, "de", []string{"x"}, "a", ""})
		if err := f.Decide(nil, file); err != nil {
			t.Error(err)
		}
		if root, _ := p.Root(section, Product{"cells", "python"}, "en"); !f.Reaches(root) {
			t.Errorf("%s is not reached", root)
		}
	}
	if other, _ := p.Path(Page{Product{"cells", "java"}, "docs", "en", nil, "a", ""}); f.Decide(nil, other) == nil {
		t.Error("another platform is allowed")
	}
}

func TestDominantStyle(t *testing.T) {
	docs, blog := Section{PageStyle: "flat"}, Section{PageStyle: "bundle"}
	flat, bundle := []string{"a.md", "b.md", "c.md", "d.md", "e.md", "f.md", "g.md"}, []string{"x/index.md", "y/index.md", "z/index.de.md"}
	for _, c := range []struct {
		section Section
		files   []string
		want    Style
	}{
		{docs, nil, Flat}, {blog, nil, Bundle}, {blog, flat, Flat}, {docs, bundle, Bundle}, {blog, slices.Concat(flat, bundle), Flat},
		{docs, slices.Concat(flat[:3], bundle), Flat}, {blog, slices.Concat(flat[:3], bundle), Bundle}, {blog, []string{"_index.md", "a/_index.md", "x.png"}, Bundle},
	} {
		if got := c.section.DominantStyle(c.files); got != c.want {
			t.Errorf("%v: %s", c.files, got)
		}
	}
}

// 4.1: site_layout of a run stands in for that of the profile, and is checked
// alike.
func TestOverride(t *testing.T) {
	p := profile(t, "default")
	changed, err := p.With(Override{ContentRoot: "site/pages", Roots: map[string]string{"kb": "help/"}, Localization: map[string]string{"blog": "filename"}})
	if err != nil {
		t.Fatal(err)
	}
	product := Product{"acme", "go"}
	for section, want := range map[string]string{"docs": "site/pages/docs/acme/en/go", "kb": "help/acme/en/go", "blog": "site/pages/blog/acme/go"} {
		if root, err := changed.Root(section, product, "en"); err != nil || root != want {
			t.Errorf("%s: %s, %v", section, root, err)
		}
	}
	if root, _ := p.Root("kb", product, "en"); root != "content/kb/acme/en/go" || p.Digest() == changed.Digest() {
		t.Errorf("the profile itself is changed: %s", root)
	}
	for _, bad := range []Override{{ContentRoot: "../x"}, {Roots: map[string]string{"kb": ".git"}}, {Roots: map[string]string{"shop": "x"}}, {Localization: map[string]string{"kb": "map"}}, {Roots: map[string]string{"kb": "content/docs"}}} {
		if _, err := p.With(bad); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

// A permission of the process changes nothing that a run is made from.
func TestAllowLocal(t *testing.T) {
	set, err := Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := set.Get("default")
	before := p.Digest()
	if _, err := p.Repo("file:///srv/acme"); err == nil {
		t.Error("taken before it was allowed")
	}
	set.AllowLocal()
	if repo, err := p.Repo("file:///srv/acme"); err != nil || repo.Family != "acme" {
		t.Errorf("%+v, %v", repo, err)
	}
	if other, _ := set.Get("aspose.org"); other.LocalRepos() || p.Digest() != before {
		t.Errorf("other profile %t, digest %s, was %s", other.LocalRepos(), p.Digest(), before)
	}
}

// 18.1: what is wrong with a profile is told with its line, and nothing of how it
// is read.
func TestFaultsOfYAML(t *testing.T) {
	_, err := Parse([]byte("name: x\nallow_local_repos: maybe\ncolour: red\n"), nil)
	if err == nil || err.Error() != `read profile: line 2: "maybe" is of the wrong kind; line 3: there is no key colour` {
		t.Errorf("%v", err)
	}
}
