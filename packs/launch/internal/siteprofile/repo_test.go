package siteprofile

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// 8.3, C-27: the policy of both profiles.
func TestRepoPolicy(t *testing.T) {
	for _, c := range []struct{ profile, url, want string }{ // want is a code, or family/platform
		{"default", "https://github.com/acme/Acme_Tool", "acme-tool/"},
		{"default", "https://github.com/acme/acme-tool.git", "acme-tool/"},
		{"default", "https://GitHub.com/acme/acme.tool", "acme-tool/"},
		{"default", "", RepoMalformed},
		{"default", "acme/tool", RepoMalformed},
		{"default", "https://github.com/acme", RepoMalformed},
		{"default", "https://github.com/acme/", RepoMalformed},
		{"default", "https://github.com/acme/tool/", RepoMalformed},
		{"default", "https://github.com/acme/tool/tree/main", RepoMalformed},
		{"default", "https://github.com//acme/tool", RepoMalformed},
		{"default", "https://github.com/acme/tool?x=1", RepoMalformed},
		{"default", "https://github.com/acme/tool#x", RepoMalformed},
		{"default", "https://user@github.com/acme/tool", RepoMalformed},
		{"default", "https://user:pw@github.com/acme/tool", RepoMalformed},
		{"default", "https://github.com/acme/../tool", RepoMalformed},
		{"default", "https://github.com/acme/..", RepoMalformed},
		{"default", "https://github.com/acme/.", RepoMalformed},
		{"default", "https://github.com/acme/.git", RepoMalformed},
		{"default", "https://github.com/acme/tool.git.git", RepoMalformed},
		{"default", "https://github.com/ac%6de/tool", RepoMalformed},
		{"default", "https://github.com/acme/tool\n", RepoMalformed},
		{"default", "https://github.com/acme/to ol", RepoMalformed},
		{"default", `https://github.com/acme\tool`, RepoMalformed},
		{"default", "https://github.com/-acme/tool", RepoMalformed},
		{"default", "https://github.com/acme/--upload-pack=x", RepoMalformed},
		{"default", "https://github.com/acme/tööl", RepoMalformed},
		{"default", "https://github.com/" + strings.Repeat("a", 3000), RepoMalformed},
		{"default", "http://github.com/acme/tool", RepoInvalidProtocol},
		{"default", "ssh://git@github.com/acme/tool", RepoInvalidProtocol},
		{"default", "git://github.com/acme/tool", RepoInvalidProtocol},
		{"default", "ext::sh -c x", RepoMalformed},
		{"default", "ext::sh", RepoInvalidProtocol},
		{"default", "file:///srv/x", RepoInvalidProtocol},
		{"default", "/srv/x", RepoInvalidProtocol},
		{"default", "https://gitlab.com/acme/tool", RepoInvalidHost},
		{"default", "https://github.com.evil.example/acme/tool", RepoInvalidHost},
		{"default", "https://github.com:8443/acme/tool", RepoInvalidHost},
		{"default", "https://evilgithub.com/acme/tool", RepoInvalidHost},
		{"default", "https://127.0.0.1/acme/tool", RepoInvalidHost},
		{"aspose.org", "https://github.com/aspose-3d-foss/Aspose.3D-FOSS-for-Python", "3d/python"},
		{"aspose.org", "https://github.com/x/aspose-cells-foss-python", "cells/python"},
		{"aspose.org", "https://github.com/x/ASPOSE-CELLS-FOSS-NET", "cells/dotnet"},
		{"aspose.org", "https://github.com/x/Aspose.Cells-for-.NET", "cells/dotnet"},
		{"aspose.org", "https://github.com/x/Aspose.Words-for-Python-via-.NET", "words/python"},
		{"aspose.org", "https://github.com/x/Aspose.PDF-FOSS-for-Cpp", "pdf/cpp"},
		{"aspose.org", "https://github.com/x/aspose-shoes-foss-python", RepoInvalidFamily},
		{"aspose.org", "https://github.com/x/aspose-cells-foss-cobol", RepoInvalidPlatform},
		{"aspose.org", "https://github.com/acme/tool", RepoPolicyViolation},
		{"aspose.org", "https://github.com/x/my-aspose-cells-foss-python", RepoPolicyViolation},
	} {
		repo, err := profile(t, c.profile).Repo(c.url)
		got := repo.Family + "/" + repo.Platform
		var refused *PolicyError
		if errors.As(err, &refused) {
			got = refused.Code
		}
		if got != c.want || err == nil && strings.Contains(repo.URL, ".git") && !strings.Contains(repo.URL, "github") {
			t.Errorf("%s %q: %s (%v), want %s", c.profile, c.url, got, err, c.want)
		}
	}
	if repo, _ := profile(t, "default").Repo("https://GITHUB.com/Acme/Tool.git"); repo.URL != "https://github.com/Acme/Tool" || repo.ByName {
		t.Errorf("%+v", repo)
	}
}

// 18.4: local repositories by allow_local_repos alone.
func TestLocalRepos(t *testing.T) {
	base := profile(t, "default")
	p, err := Parse([]byte("name: x\nallow_local_repos: true\nsections: {docs: {root: d}}\n"), base)
	if err != nil {
		t.Fatal(err)
	}
	for _, good := range []string{"file:///srv/repos/Acme.git", "/srv/repos/Acme.git", "file://localhost/srv/repos/Acme.git", "/srv/repos/Acme.git/"} {
		if repo, err := p.Repo(good); err != nil || repo.URL != "file:///srv/repos/Acme.git" || !repo.Local || repo.Family != "acme" {
			t.Errorf("%s: %+v, %v", good, repo, err)
		}
	}
	for _, bad := range []string{"file://host/srv/x", "file:///srv/../x", "file:///srv/x?y", "file:///srv/%2e", "file:srv", "/", "//srv/x", "FILE:///srv/x"} {
		var refused *PolicyError
		if repo, err := p.Repo(bad); !errors.As(err, &refused) || refused.Code != RepoMalformed {
			t.Errorf("%s: %+v, %v", bad, repo, err)
		}
	}
}

// 8.3: a URL that is let through has the form of one, whatever was given.
func TestRepoURLsAreNormal(t *testing.T) {
	p := profile(t, "default")
	part := rapid.SampledFrom([]string{"https://", "http://", "github.com", "evil.example", "@", ":", "/", "//", "..", ".", "acme", "tool", ".git", "?", "#", "%2f", "\\", "-", "443", " ", "\n", "HTTPS://"})
	rapid.Check(t, func(t *rapid.T) {
		raw := strings.Join(rapid.SliceOfN(part, 0, 8).Draw(t, "parts"), "")
		if rapid.Bool().Draw(t, "usual") {
			raw = "https://github.com/" + raw
		}
		repo, err := p.Repo(raw)
		if err != nil {
			return
		}
		rest, ours := strings.CutPrefix(repo.URL, "https://github.com/")
		owner, name, _ := strings.Cut(rest, "/")
		if !ours || !ownerForm.MatchString(owner) || !nameForm.MatchString(name) || strings.Contains(rest, "..") || strings.HasPrefix(name, "-") {
			t.Fatalf("%q became %q", raw, repo.URL)
		}
		if again, err := p.Repo(repo.URL); err != nil || again != repo {
			t.Fatalf("%q is not normal: %v", repo.URL, err)
		}
	})
}

// 8.5: URLs of product pages.
func TestProductURL(t *testing.T) {
	set := load(t)
	for url, want := range map[string]ProductURL{
		"https://products.aspose.org/3d/en/python/":           {Site: "products.aspose.org", Section: "products", Family: "3d", Platform: "python", Locale: "en"},
		"https://PRODUCTS.aspose.org/3d/en/python":            {Site: "products.aspose.org", Section: "products", Family: "3d", Platform: "python", Locale: "en"},
		"https://products.aspose.org:443/3d/en/net/?a=b#c":    {Site: "products.aspose.org", Section: "products", Family: "3d", Platform: "dotnet", Locale: "en"},
		"https://docs.aspose.org/cells/de/java/installation/": {Site: "docs.aspose.org", Section: "docs", Family: "cells", Platform: "java", Locale: "de", Page: "installation"},
		"https://docs.aspose.org/cells/de/java/":              {Site: "docs.aspose.org", Section: "docs", Family: "cells", Platform: "java", Locale: "de"},
		"https://kb.aspose.org/cells/en/java/faq":             {Site: "kb.aspose.org", Section: "kb", Family: "cells", Platform: "java", Locale: "en", Page: "faq"},
		"https://reference.aspose.org/cells/en/java/":         {Site: "reference.aspose.org", Section: "reference", Family: "cells", Platform: "java", Locale: "en"},
		"https://blog.aspose.org/cells/java/":                 {Site: "blog.aspose.org", Section: "blog", Family: "cells", Platform: "java", Locale: "en"},
		"https://blog.aspose.org/cells/java/news/":            {Site: "blog.aspose.org", Section: "blog", Family: "cells", Platform: "java", Locale: "en", Page: "news"},
		"https://blog.aspose.org/fr/cells/java/":              {Site: "blog.aspose.org", Section: "blog", Family: "cells", Platform: "java", Locale: "fr"},
		"https://blog.aspose.org/fr/cells/java/news/":         {Site: "blog.aspose.org", Section: "blog", Family: "cells", Platform: "java", Locale: "fr", Page: "news"},
		"https://site.example/docs/acme-tool/en/go/start/":    {Site: "site.example", Section: "docs", Family: "acme-tool", Platform: "go", Locale: "en", Page: "start"},
		"https://site.example/products/acme-tool/en/golang/":  {Site: "site.example", Section: "products", Family: "acme-tool", Platform: "go", Locale: "en"},
	} {
		got, err := set.ProductURL(url)
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		got.Profile, want.Product = nil, want.Family
		if got != want {
			t.Errorf("%s: %+v", url, got)
		}
	}
	for url, want := range map[string]string{
		"":       InvalidURL,
		"no url": InvalidURL,
		"http://products.aspose.org/3d/en/python/":  InvalidURL,
		"ftp://products.aspose.org/3d/en/python/":   InvalidURL,
		"https://u@products.aspose.org/3d/en/go/":   InvalidURL,
		"https://products.aspose.org/":              InvalidURL,
		"https://products.aspose.org/3d/en/":        InvalidURL,
		"https://products.aspose.org/3d/en/go/x/":   InvalidURL,
		"https://docs.aspose.org/3d/en/go/x/y/":     InvalidURL,
		"https://products.aspose.org/3d//go/":       InvalidURL,
		"https://products.aspose.org/%33d/en/go/":   InvalidURL,
		"https://site.example/shop/a/en/go/":        InvalidURL,
		"https://products.example.org/3d/en/go/":    UnsupportedSite,
		"https://aspose.org/3d/en/go/":              UnsupportedSite,
		"https://products.aspose.org:8443/3d/en/go": UnsupportedSite,
		"https://products.aspose.org/4d/en/go/":     InvalidInput,
		"https://products.aspose.org/3D/en/go/":     InvalidInput,
		"https://products.aspose.org/3d/xx/go/":     InvalidInput,
		"https://products.aspose.org/3d/en/cobol/":  InvalidInput,
		"https://blog.aspose.org/xx/cells/java/":    InvalidInput,
	} {
		got, err := set.ProductURL(url)
		var input *InputError
		if !errors.As(err, &input) || input.Code != want || want == InvalidInput && len(input.Suggested) != 1 {
			t.Errorf("%q: %+v, %v", url, got, err)
		}
	}
	u, err := set.ProductURL("https://products.aspose.org/3d/en/python/")
	if err != nil || u.Profile.Name != "aspose.org" || u.ProductSlug() != "3d-python" {
		t.Errorf("%+v, %v", u, err)
	}
}

// 8.5, C-28: the catalogue first, then each candidate.
func TestFindRepo(t *testing.T) {
	p := profile(t, "aspose.org")
	var asked []string
	exists := map[string]bool{"https://github.com/aspose-cells-foss/aspose-cells-foss-cpp": true, "https://github.com/aspose-3d-foss/Aspose.3D-FOSS-for-Python": true}
	probe := func(ctx context.Context, url string) (string, error) {
		if _, limited := ctx.Deadline(); !limited {
			t.Error("a probe has no time limit")
		}
		asked = append(asked, url)
		if !exists[url] {
			return "", errors.New("not found")
		}
		return strings.Repeat("a", 40), nil
	}
	repo, sha, err := p.FindRepo(t.Context(), "3d", "python", probe)
	if err != nil || len(sha) != 40 || repo.Family != "3d" || len(asked) != 1 {
		t.Errorf("%+v, %v, %v", repo, err, asked)
	}
	asked = nil
	repo, _, err = p.FindRepo(t.Context(), "cells", "cpp", probe)
	want := []string{"https://github.com/aspose-cells-foss/Aspose.Cells-FOSS-for-Cpp", "https://github.com/aspose-cells-foss/aspose-cells-foss-cpp"}
	if err != nil || repo.Platform != "cpp" || !slices.Equal(asked, want) {
		t.Errorf("%+v, %v, %v", repo, err, asked)
	}
	_, _, err = p.FindRepo(t.Context(), "words", "go", probe)
	var input *InputError
	if !errors.As(err, &input) || input.Code != InvalidInput || !slices.Equal(input.Missing, []string{"github_repo_url"}) || len(input.Suggested["github_repo_url"]) != 2 {
		t.Errorf("%+v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := p.FindRepo(ctx, "words", "go", probe); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// 8.6: what a repository says about itself.
func TestInfer(t *testing.T) {
	aspose, standard := profile(t, "aspose.org"), profile(t, "default")
	for name, c := range map[string]struct {
		profile          *Profile
		evidence         Evidence
		hints            Hints
		family, platform string // empty: not decided
	}{
		"by pattern":           {aspose, Evidence{Repo: Repo{Name: "aspose-cells-foss-python", Family: "cells", Platform: "python", ByName: true}}, Hints{}, "cells", "python"},
		"by name alone":        {standard, Evidence{Repo: Repo{Name: "acme-go", Family: "acme-go"}}, Hints{}, "acme-go", "go"},
		"one manifest":         {standard, Evidence{Repo: Repo{Name: "acme", Family: "acme"}, RootFiles: []string{"pyproject.toml", "setup.py", "README.md"}}, Hints{}, "acme", "python"},
		"typescript":           {standard, Evidence{Repo: Repo{Name: "acme", Family: "acme"}, RootFiles: []string{"package.json", "tsconfig.json"}}, Hints{}, "acme", "typescript"},
		"dotnet":               {standard, Evidence{Repo: Repo{Name: "acme", Family: "acme"}, RootFiles: []string{"Acme.sln"}}, Hints{}, "acme", "dotnet"},
		"two manifests":        {standard, Evidence{Repo: Repo{Name: "acme", Family: "acme"}, RootFiles: []string{"pyproject.toml", "package.json"}}, Hints{}, "acme", ""},
		"language is not sure": {standard, Evidence{Repo: Repo{Name: "acme", Family: "acme"}, CodeBytes: map[string]int64{"Go": 100}}, Hints{}, "acme", ""},
		"language and README":  {standard, Evidence{Repo: Repo{Name: "acme", Family: "acme"}, CodeBytes: map[string]int64{"csharp": 80, "python": 20}, Readme: "# Acme\n\nA library for .NET.\n"}, Hints{}, "acme", "dotnet"},
		"half of the code":     {standard, Evidence{Repo: Repo{Name: "acme", Family: "acme"}, CodeBytes: map[string]int64{"go": 60, "python": 40}, Readme: "for Go"}, Hints{}, "acme", ""},
		"contradiction":        {standard, Evidence{Repo: Repo{Name: "acme-python", Family: "acme-python"}, RootFiles: []string{"package.json"}}, Hints{}, "acme-python", ""},
		"hint":                 {standard, Evidence{Repo: Repo{Name: "acme-python", Family: "acme-python"}, RootFiles: []string{"package.json"}}, Hints{Platform: "JS"}, "acme-python", "javascript"},
		"family by name":       {aspose, Evidence{Repo: Repo{Name: "my-cells-python"}, RootFiles: []string{"setup.py"}}, Hints{}, "cells", "python"},
		"family by title only": {aspose, Evidence{Repo: Repo{Name: "x"}, Readme: "# Aspose.Cells\n"}, Hints{}, "", ""},
		"two families":         {aspose, Evidence{Repo: Repo{Name: "cells-words-python"}}, Hints{}, "", "python"},
		"java is no script":    {standard, Evidence{Repo: Repo{Name: "javascript-x", Family: "x"}, Readme: "for JavaScript"}, Hints{}, "x", "javascript"},
		"nothing":              {standard, Evidence{Repo: Repo{Name: "acme", Family: "acme"}}, Hints{}, "acme", ""},
	} {
		inferred := c.profile.Infer(c.evidence, c.hints)
		family, _ := inferred.Family.Decided()
		platform, _ := inferred.Platform.Decided()
		if family.Value != c.family || platform.Value != c.platform {
			t.Errorf("%s: %+v", name, inferred)
		}
		err := c.profile.Ambiguous(inferred)
		var input *InputError
		if errors.As(err, &input); (err == nil) != (c.family != "" && c.platform != "") || err != nil && slices.Contains(input.Missing, "target_platform") != (c.platform == "") {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && len(input.Suggested[input.Missing[0]]) == 0 {
			t.Errorf("%s: nothing is suggested", name)
		}
	}
	// Agreeing evidence combines: 1 - (1-0.85)(1-0.90).
	inferred := standard.Infer(Evidence{Repo: Repo{Name: "acme-go", Family: "acme-go"}, RootFiles: []string{"go.mod"}}, Hints{})
	if guess, _ := inferred.Platform.Decided(); guess.Confidence != 0.985 {
		t.Errorf("%+v", inferred)
	}
}

// 18.5: the profile of a repository that comes without one.
func TestForRepo(t *testing.T) {
	set := load(t)
	for url, want := range map[string]string{
		"https://github.com/x/Aspose.Cells-FOSS-for-Python": "aspose.org", "https://github.com/acme/tool": "default", "https://github.com/x/aspose-shoes-foss-python": "default",
	} {
		if p, repo, err := set.ForRepo(url); err != nil || p.Name != want || repo.URL != url {
			t.Errorf("%s: %v, %v", url, p.Name, err)
		}
	}
	if _, _, err := set.ForRepo("http://github.com/acme/tool"); err == nil {
		t.Error("a URL that no profile allows is taken")
	}
}

func TestSlug(t *testing.T) {
	for text, want := range map[string]string{"Acme_Tool": "acme-tool", "--a..b--": "a-b", "C++": "c", "日本": "x", "": "x", strings.Repeat("a-", 60): strings.Repeat("a-", 31) + "a"} {
		if got := Slug(text); got != want || !simpleName.MatchString(got) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// C-26: any ref unless it must be pinned; never the id of no commit.
func TestCheckRef(t *testing.T) {
	sha := strings.Repeat("a1", 20)
	for _, good := range []string{sha, "main", "v1.2.3", "feature/x", "refs/tags/v1", "HEAD", "release+1"} {
		if err := CheckRef(good, false); err != nil {
			t.Error(err)
		}
		if err := CheckRef(good, true); (err == nil) != (good == sha) {
			t.Errorf("pinned: %q: %v", good, err)
		}
	}
	for _, bad := range []string{"", strings.Repeat("0", 40), "-x", "--upload-pack=x", "a..b", "a b", "a~1", "a^", "a:b", "a\n", "a/", "a//b", "a.lock", "a/.b", "a.", "a@{1}", "../x", "a*", "ä"} {
		if CheckRef(bad, false) == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
