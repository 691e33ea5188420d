package fence

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func mustNew(t interface{ Fatal(...any) }, entries ...string) *Fence {
	f, err := New(entries)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// 9.1, C-32: which entries are valid.
func TestEntries(t *testing.T) {
	for _, good := range []string{"content/", "content/docs/**", "a/b.md", "content/*/en/", "content/**/x.md", "a*b/c", ".github/workflows/site.yml", "configs/docs/"} {
		if _, err := New([]string{good}); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{
		"", "/", ".", "*", "**", "**/", "/**", "*/**", "**/*", "**/**", "*/", "./", "./**", "/content/", "content/../x", "..", "../", "a/./b", "a//b", "a//",
		`a\b`, "~/x", "~", "$HOME/x", "%2e%2e/", "a\x00b", "a**/b", "a\nb", "c:/x", ".git/", ".git/hooks/x", "a/.GIT/", "a/b?.md", "a ", "a/b./c", "con/", "x\xff", "a\u202eb/",
		strings.Repeat("a/", 600),
	} {
		var fault *EntryError
		if _, err := New([]string{"content/", bad}); !errors.As(err, &fault) {
			t.Errorf("%q is taken: %v", bad, err)
		}
	}
	if _, err := New(nil); err == nil {
		t.Error("an empty list is taken")
	}
	_, err := New([]string{"/a", "ok/", "b/.."})
	if err == nil || strings.Count(err.Error(), "allowed path") != 2 {
		t.Errorf("not all faults are told: %v", err)
	}
}

// S-16, 9.1: what is let through and what is not, by name alone.
func TestDecideByName(t *testing.T) {
	f := mustNew(t, "content/docs/cells/", "content/kb/**", "content/one.md", "content/*/en/", "data/**/menu.yml", "static/a*b/", ".github/pages.yml", "config.toml", "layouts/part")
	for _, c := range []struct {
		path string
		want Code
	}{
		{"content/docs/cells/a.md", ""},
		{"content/docs/cells/deep/er/a.md", ""},
		{"content/docs/cells", NotAllowed},
		{"content/docs/cells-evil/a.md", NotAllowed}, // a sibling with the same prefix
		{"content/docs/cellsx", NotAllowed},
		{"content/docs/a.md", NotAllowed},
		{"content/kb/a.md", ""},
		{"content/kbx/a.md", NotAllowed},
		{"content/one.md", ""},
		{"content/one.md/below.md", ""},
		{"content/one.mdx", NotAllowed},
		{"content/x/en/a.md", ""},
		{"content/x/y/en/a.md", NotAllowed}, // * stays within a segment
		{"content/x/en", NotAllowed},
		{"data/menu.yml", ""}, // ** may be nothing
		{"data/a/b/menu.yml", ""},
		{"data/a/b/menu.yaml", NotAllowed},
		{"static/ab/x.md", ""},
		{"static/a-b/x.md", ""},
		{"static/a-bc/x.md", NotAllowed},
		{"layouts/part", ""},
		{"layouts/part/x.html", ""},
		{"README.md", NotAllowed},
		{"Content/docs/cells/a.md", NotAllowed}, // a case variant
		{"content/docs/Cells/a.md", NotAllowed},

		{"../x", Traversal},
		{"content/docs/cells/../../../etc/passwd", Traversal},
		{"content/docs/cells/..", Traversal},
		{`content/docs/cells/..\..\x`, Traversal},
		{`..\x`, Traversal},
		{"/etc/passwd", Traversal},
		{"//host/share", Traversal},
		{"/content/docs/cells/a.md", Traversal},

		{"", Suspicious},
		{".", Suspicious},
		{"./content/docs/cells/a.md", Suspicious},
		{"content/docs/cells/./a.md", Suspicious},
		{"content//docs/cells/a.md", Suspicious},
		{"content/docs/cells/", Suspicious},
		{`content\docs\cells\a.md`, Suspicious},
		{`C:\x`, Suspicious},
		{"C:/x", Suspicious},
		{"content/docs/cells/a.md:stream", Suspicious},
		{"~/x", Suspicious},
		{"content/docs/cells/~root", Suspicious},
		{"content/docs/cells/$HOME", Suspicious},
		{"content/docs/cells/%2e%2e/x", Suspicious},
		{"content/docs/cells/a\x00.md", Suspicious},
		{"content/docs/cells/a\n.md", Suspicious},
		{"content/docs/cells/\u202egnp.md", Suspicious},
		{"content/docs/cells/\u200b.md", Suspicious},
		{"content/docs/cells/\xff.md", Suspicious},
		{"content/docs/cells/a.md ", Suspicious},
		{"content/docs/cells/a.", Suspicious},
		{"content/docs/cells/ a", Suspicious},
		{"content/docs/cells/nul", Suspicious},
		{"content/docs/cells/CON.md", Suspicious},
		{"content/docs/cells/git~1/config", Suspicious},
		{"content/docs/cells/*.md", Suspicious},
		{strings.Repeat("a/", 600) + "a", Suspicious},
		{"content/docs/cells/" + strings.Repeat("a", 256), Suspicious},

		{".git/config", NotAllowed},
		{"content/docs/cells/.git/config", NotAllowed},
		{"content/docs/cells/.GIT/hooks/post-checkout", NotAllowed},
		{"content/docs/cells/.g\u200cit/config", Suspicious}, // a file system may not see the joiner
		{"content/docs/cells/.git", NotAllowed},
		{"content/docs/cells/.gitattributes", NotAllowed},
		{"content/docs/cells/.gitmodules", NotAllowed},
		{".github/workflows/x.yml", NotAllowed},
		{".github/pages.yml", ""}, // an entry names it in full
		{"config.toml", ""},
		{"Config.toml", NotAllowed},
	} {
		if err := f.Decide(nil, c.path); !hasCode(err, c.want) {
			t.Errorf("%q: %v, want %q", c.path, err, c.want)
		}
	}
}

// 9.1: patterns never open CI definitions and site configs.
func TestPatternsDoNotOpenSettings(t *testing.T) {
	f := mustNew(t, ".github/", "configs/**", "*.yml", "*.toml", "**/x.yml", "Jenkinsfil*")
	for _, name := range []string{".github/workflows/x.yml", "configs/docs/x.yml", ".gitlab-ci.yml", "hugo.toml", "azure-pipelines.yml", ".circleci/x.yml", "Jenkinsfile"} {
		if err := f.Decide(nil, name); !hasCode(err, NotAllowed) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := f.Decide(nil, "other.yml"); err != nil {
		t.Error(err)
	}
}

func hasCode(err error, want Code) bool {
	refusal, refused := Refused(err)
	if want == "" {
		return err == nil
	}
	return refused && refusal.Code == want
}

// 4.3: a fence has to reach the roots of the sections.
func TestReaches(t *testing.T) {
	f := mustNew(t, "content/*/cells/en/", "data/x.yml")
	for dir, want := range map[string]bool{
		"content": true, "content/docs": true, "content/docs/cells": true, "content/docs/words": false, "content/docs/cells/en/": true,
		"content/docs/cells/en/python": true, "content/docs/cells/de": false, "data": true, "static": false, "conten": false,
	} {
		if f.Reaches(dir) != want {
			t.Errorf("%s: %v", dir, !want)
		}
	}
	if !mustNew(t, "**/x.md").Reaches("anything/at/all") {
		t.Error("** does not reach everything")
	}
}

func newSite(t *testing.T, dir string, entries ...string) *Site {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return NewSite(root, mustNew(t, entries...))
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	full := filepath.Join(dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// S-16, R-10: links are never followed, wherever they lead and stand.
func TestLinksAreNotFollowed(t *testing.T) {
	outside := t.TempDir()
	put(t, outside, "secret.md", "secret")
	dir := t.TempDir()
	put(t, dir, "content/a/real.md", "real")
	put(t, dir, "other/x.md", "other")
	for link, target := range map[string]string{
		"content/a/out":     outside,
		"content/a/file.md": filepath.Join(outside, "secret.md"),
		"content/a/in":      "../../other",
		"content/a/same.md": "real.md",
		"content/a/gone.md": "missing.md",
		"content/a/up":      "../..",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	site := newSite(t, dir, "content/")
	for _, name := range []string{"content/a/out/secret.md", "content/a/out/new.md", "content/a/file.md", "content/a/in/x.md", "content/a/same.md", "content/a/gone.md", "content/a/up/other/x.md"} {
		_, readErr := site.Read(name, 100)
		for what, err := range map[string]error{"read": readErr, "write": site.Write(name, []byte("evil")), "remove": site.Remove(name)} {
			if !hasCode(err, Escape) {
				t.Errorf("%s %s: %v", what, name, err)
			}
		}
	}
	if _, err := site.Names("content/a/in"); !hasCode(err, Escape) {
		t.Errorf("names behind a link: %v", err)
	}
	if names, err := site.Names("content/a"); err != nil || !slices.Equal(names, []string{"real.md"}) {
		t.Errorf("names: %v, %v", names, err)
	}
	for file, want := range map[string]string{filepath.Join(outside, "secret.md"): "secret", filepath.Join(dir, "content/a/real.md"): "real", filepath.Join(dir, "other/x.md"): "other"} {
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// 9.1: a path that differs from an existing one only by letter case.
func TestCaseVariants(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "content/Docs/Page.md", "x")
	site := newSite(t, dir, "content/")
	for _, name := range []string{"content/docs/new.md", "content/Docs/page.md", "content/Docs/PAGE.MD"} {
		if err := site.Write(name, nil); !hasCode(err, NotAllowed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := site.Write("content/Docs/Page.md", []byte("y")); err != nil {
		t.Error(err)
	}
}

func TestFilesAndDirectoriesAreNotMixedUp(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "content/a.md", "x")
	site := newSite(t, dir, "content/")
	if err := site.Write("content/a.md/b.md", nil); !hasCode(err, NotAllowed) {
		t.Error(err)
	}
	put(t, dir, "content/d/x.md", "x")
	if err := site.Write("content/d", nil); !hasCode(err, NotAllowed) {
		t.Error(err)
	}
}

func TestSiteReadsWritesAndRemoves(t *testing.T) {
	dir := t.TempDir()
	site := newSite(t, dir, "content/docs/")
	if err := site.Write("content/docs/deep/er/a.md", []byte("hello")); err != nil {
		t.Fatal(err)
	}
	if text, err := site.Read("content/docs/deep/er/a.md", 3); err != nil || string(text) != "hell" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := site.Read("content/docs/no.md", 3); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), dir) {
		t.Errorf("missing file: %v", err)
	}
	os.Chmod(filepath.Join(dir, "content/docs/deep/er/a.md"), 0o600)
	if err := site.Write("content/docs/deep/er/a.md", []byte("again")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "content/docs/deep/er/a.md")); err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if names, err := site.Names("content/docs/deep/er"); err != nil || !slices.Equal(names, []string{"a.md"}) {
		t.Errorf("a draft is left behind: %v, %v", names, err)
	}
	if err := site.Remove("content/docs/deep/er/a.md"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "content")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("empty directories are left behind: %v", err)
	}
	if names, err := site.Names("content/docs"); err != nil || names != nil {
		t.Errorf("names of nothing: %v, %v", names, err)
	}
	if _, err := site.Names("static"); !hasCode(err, NotAllowed) {
		t.Errorf("names outside: %v", err)
	}
}

// A hard link to a file outside is replaced, not written through.
func TestHardLinksAreReplaced(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	put(t, outside, "x.md", "kept")
	put(t, dir, "content/a.md", "")
	os.Remove(filepath.Join(dir, "content/a.md"))
	if err := os.Link(filepath.Join(outside, "x.md"), filepath.Join(dir, "content/a.md")); err != nil {
		t.Skip("the file system has no hard links")
	}
	if err := newSite(t, dir, "content/").Write("content/a.md", []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(outside, "x.md")); string(got) != "kept" {
		t.Errorf("the file outside is %q", got)
	}
}

// A directory that becomes a link after it was judged is not followed.
func TestSwappedDirectoryIsNotFollowed(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "other/x.md", "x")
	os.MkdirAll(filepath.Join(dir, "content"), 0o755)
	os.Symlink("../other", filepath.Join(dir, "content/d"))
	site := newSite(t, dir, "content/")
	if _, err := site.walk([]string{"content", "d"}, false); !errors.Is(err, errMoved) {
		t.Errorf("walked through a link: %v", err)
	}
}

// 9.1: whatever the name, what is allowed stays below the allowed directory and
// is in normal form.
func TestNothingLeavesTheFence(t *testing.T) {
	f := mustNew(t, "content/docs/")
	word := rapid.SampledFrom([]string{"content", "docs", "..", ".", "", "a.md", ".git", "Content", `\`, "~", "%2e", "docs-x", "\x00", "C:", "a"})
	rapid.Check(t, func(t *rapid.T) {
		name := strings.Join(rapid.SliceOfN(word, 1, 6).Draw(t, "segments"), rapid.SampledFrom([]string{"/", `\`, "//"}).Draw(t, "separator"))
		if f.Decide(nil, name) != nil {
			return
		}
		if !strings.HasPrefix(name, "content/docs/") || !fs.ValidPath(name) || strings.Contains(name, `\`) || strings.Contains(strings.ToLower(name), ".git") {
			t.Fatalf("%q is allowed", name)
		}
	})
}

// The matcher agrees with the definition of ** and *, spelled out recursively.
func TestMatchAgreesWithItsDefinition(t *testing.T) {
	var defined func(pattern, given []string) bool
	defined = func(pattern, given []string) bool {
		switch {
		case len(pattern) == 0:
			return len(given) == 0
		case pattern[0] == "**":
			return defined(pattern[1:], given) || len(given) > 0 && defined(pattern, given[1:])
		}
		return len(given) > 0 && matchWithin(pattern[0], given[0]) && defined(pattern[1:], given[1:])
	}
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.SliceOfN(rapid.SampledFrom([]string{"**", "*", "a", "b", "a*"}), 0, 6).Draw(t, "pattern")
		given := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab"}), 0, 6).Draw(t, "given")
		if matchSegments(pattern, given) != defined(pattern, given) {
			t.Fatalf("%v on %v", pattern, given)
		}
	})
}

// 9.1, S-16: no way leads through the links of the repository, also where the
// tree shows them as files.
func TestAround(t *testing.T) {
	f := mustNew(t, "content/").Around([]string{"content/docs/link", "content/page.md"})
	for name, want := range map[string]Code{
		"content/docs/a.md": "", "content/docs/link2/a.md": "", "content/docs/link.md": "",
		"content/docs/link": Escape, "content/docs/link/a.md": Escape, "content/docs/link/b/a.md": Escape, "content/page.md": Escape,
		"other/page.md": NotAllowed,
	} {
		refusal, refused := Refused(f.Decide(nil, name))
		if refused != (want != "") || refused && refusal.Code != want {
			t.Errorf("%s: %v", name, refusal)
		}
	}
}
