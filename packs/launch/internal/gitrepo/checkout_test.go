package gitrepo_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/gitrepo"
)

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		if !entry.Type().IsRegular() {
			t.Errorf("%s is no plain file", name)
		}
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// Bytes come as they are: no attributes, no filters, no line endings.
func TestCheckout(t *testing.T) {
	_, sha, repo := remote(t, file("README.md", "# Acme\r\n"), file(".gitattributes", "* text eol=lf filter=lfs ident\n"), file("src/a.py", "$Id$\r\n"),
		file(".gitignore", "*.log\nbuild/\n!keep.log\n"), file("x.log", "x"), file("keep.log", "k"), file("sub/build/o", "o"), file("empty", ""))
	dir := filepath.Join(t.TempDir(), "work", "repo")
	t.Cleanup(func() { gitrepo.Remove(dir) })
	for range 2 { // replaces what is there, read-only or not
		got, err := repo.Checkout(t.Context(), sha, dir, true)
		if err != nil {
			t.Fatal(err)
		}
		want := gitrepo.Checkout{
			Paths:   []string{".gitattributes", ".gitignore", "README.md", "empty", "keep.log", "src/a.py", "sub/build/o", "x.log"},
			Ignored: []string{"sub/build/o", "x.log"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	files := contents(t, dir)
	if files["README.md"] != "# Acme\r\n" || files["src/a.py"] != "$Id$\r\n" || len(files) != 8 {
		t.Errorf("files: %q", files)
	}
	for path, mode := range map[string]fs.FileMode{"README.md": 0o400, "src": fs.ModeDir | 0o500, ".": fs.ModeDir | 0o500} {
		if info, err := os.Stat(filepath.Join(dir, path)); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if err := gitrepo.Remove(dir); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// a tree that no honest git would make.
func TestCheckoutOfHostileTree(t *testing.T) {
	url, base, repo := remote(t, file("ok.md", "fine"))
	blob := raw(t, url, "/etc/passwd", "hash-object", "-w", "--stdin")
	sub := raw(t, url, "100644 blob "+blob+"\tinner\n", "mktree")
	tree := raw(t, url, strings.Join([]string{
		"100644 blob " + raw(t, url, "", "rev-parse", base+":ok.md") + "\tok.md",
		"120000 blob " + blob + "\tlink",
		"120000 blob " + blob + "\tdir",
		"040000 tree " + sub + "\t..",
		"040000 tree " + sub + "\t.git",
		"040000 tree " + sub + "\t.GIT",
		"040000 tree " + sub + "\tdeep",
		"160000 commit " + base + "\tmodule",
		"100755 blob " + blob + "\tback\\slash",
		"100755 blob " + blob + "\tbell\x07",
		"100755 blob " + blob + "\tlatin\xe9",
		"100755 blob " + blob + "\t" + strings.Repeat("n", 300),
		"100644 blob " + blob + "\tx",
		"040000 tree " + sub + "\tx",
	}, "\x00")+"\x00", "mktree", "-z")
	sha := raw(t, url, "hostile", "commit-tree", tree)
	raw(t, url, "", "update-ref", "refs/heads/main", sha)

	cache := gitrepo.NewCache(newGit(t, gitrepo.Options{AllowLocal: true}), t.TempDir())
	fetched, err := cache.Fetch(t.Context(), url, "")
	if err != nil {
		t.Fatal(err)
	}
	parent := t.TempDir()
	got, err := fetched.Repo.Checkout(t.Context(), fetched.SHA, filepath.Join(parent, "tree"), false)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"tree/ok.md": "fine", "tree/link": "/etc/passwd", "tree/dir": "/etc/passwd", "tree/deep/inner": "/etc/passwd", "tree/x": "/etc/passwd"}
	if diff := cmp.Diff(want, contents(t, parent)); diff != "" {
		t.Error(diff)
	}
	if len(got.Paths) != 5 || len(got.Skipped) != 9 {
		t.Errorf("%d paths, %d skipped: %v", len(got.Paths), len(got.Skipped), got)
	}
	_ = repo
}

// 6.1: limits hold before anything is written.
func TestCheckoutLimits(t *testing.T) {
	url, _, _ := remote(t, file("a", strings.Repeat("x", 5000)), file("b", "b"))
	// Few objects, very many files.
	tree := raw(t, url, "100644 blob "+raw(t, url, "x", "hash-object", "-w", "--stdin")+"\tf\n", "mktree")
	for range 12 {
		var lines strings.Builder
		for name := 'a'; name < 'k'; name++ {
			lines.WriteString("040000 tree " + tree + "\t" + string(name) + "\n")
		}
		tree = raw(t, url, lines.String(), "mktree")
	}
	raw(t, url, "", "update-ref", "refs/heads/bomb", raw(t, url, "bomb", "commit-tree", tree))
	for ref, limits := range map[string]gitrepo.Limits{"main": {Files: 1}, "HEAD": {Bytes: 4000}, "bomb": {Files: 1000}} {
		git := newGit(t, gitrepo.Options{AllowLocal: true, Limits: limits})
		fetched, err := gitrepo.NewCache(git, t.TempDir()).Fetch(t.Context(), url, ref)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "tree")
		_, err = fetched.Repo.Checkout(t.Context(), fetched.SHA, dir, false)
		wantKind(t, ref, err, gitrepo.TooLarge)
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: something was written", ref)
		}
	}
}
