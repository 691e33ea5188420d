package gitrepo_test

import (
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/gitrepo"
)

// 6.1, 11.4: a site may have more names than git may say at once. Commits of it
// keep the modes of files, and refuse what is none.
func TestCommitToLargeSite(t *testing.T) {
	git := newGit(t, gitrepo.Options{Limits: gitrepo.Limits{Output: 4 << 10}})
	dir := filepath.Join(t.TempDir(), "site.git")
	repo, err := git.Embedded(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	base := bulk(t, dir, 2000)
	changes := []gitrepo.Change{{Path: "pages/page-with-a-long-name-7.md", Content: []byte("new\n")}, {Path: "tool.sh", Content: []byte("new\n")}, {Path: "new.md", Content: []byte("new\n")}}
	sha := commit(t, repo, base, changes...)
	changed, err := repo.Changed(t.Context(), base, sha)
	if want := []string{"new.md", "pages/page-with-a-long-name-7.md", "tool.sh"}; err != nil || !slices.Equal(changed, want) {
		t.Errorf("%v, %v", changed, err)
	}
	if out, err := exec.Command("git", "--git-dir="+dir, "ls-tree", sha, "tool.sh").Output(); err != nil || !strings.HasPrefix(string(out), "100755 ") {
		t.Errorf("%s, %v", out, err)
	}
	if all, err := repo.Changed(t.Context(), gitSHA(t, dir, "main"), base); err != nil || len(all) != 2002 {
		t.Errorf("%d names, %v", len(all), err)
	}
	_, links, err := repo.Paths(t.Context(), base)
	if err != nil || !slices.Equal(links, []string{"link.md"}) {
		t.Errorf("links %v, %v", links, err)
	}
	_, _, err = repo.Commit(t.Context(), gitrepo.NewCommit{Base: base, Author: "a", Changes: []gitrepo.Change{{Path: "link.md", Content: []byte("x\n")}}})
	if gitrepo.KindOf(err) != gitrepo.Refused {
		t.Errorf("a commit through a link: %v", err)
	}
}

// bulk makes a commit of many files, an executable one and a link.
func bulk(t *testing.T, dir string, files int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("blob\nmark :1\ndata 2\nx\n\ncommit refs/heads/bulk\ncommitter a <a@b.example> 1700000000 +0000\ndata 1\nx\n")
	text.WriteString("M 100755 :1 tool.sh\nM 120000 :1 link.md\n")
	for i := range files {
		fmt.Fprintf(&text, "M 100644 :1 pages/page-with-a-long-name-%d.md\n", i)
	}
	command := exec.Command("git", "--git-dir="+dir, "fast-import", "--quiet")
	command.Stdin = strings.NewReader(text.String())
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return gitSHA(t, dir, "bulk")
}

func gitSHA(t *testing.T, dir, branch string) string {
	t.Helper()
	out, err := exec.Command("git", "--git-dir="+dir, "rev-parse", "refs/heads/"+branch).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// A repository of another object format is not taken for an empty one.
func TestOtherObjectFormat(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "other.git")
	if out, err := exec.Command("git", "init", "--quiet", "--bare", "--initial-branch=main", "--object-format=sha256", dir).CombinedOutput(); err != nil {
		t.Skipf("this git has one object format: %s", out)
	}
	load := exec.Command("git", "--git-dir="+dir, "fast-import", "--quiet")
	load.Stdin = strings.NewReader("commit refs/heads/main\ncommitter a <a@b.example> 1700000000 +0000\ndata 1\nx\nM 100644 inline a.md\ndata 2\nx\n")
	if out, err := load.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_, err := newGit(t, gitrepo.Options{AllowLocal: true}).LsRemote(t.Context(), "file://"+dir)
	if gitrepo.KindOf(err) != gitrepo.Unsupported || !strings.Contains(err.Error(), "SHA-256") {
		t.Error(err)
	}
}

// 5.5: nobody else can read a repository, whatever the umask is.
func TestModesOfRepositories(t *testing.T) {
	url, _, _ := remote(t, gitrepo.Change{Path: "a.md", Content: []byte("x\n")})
	cache := filepath.Join(t.TempDir(), "cache")
	if _, err := gitrepo.NewCache(newGit(t, gitrepo.Options{AllowLocal: true}), cache).Fetch(t.Context(), url, "main"); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{strings.TrimPrefix(url, "file://"), cache} {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := entry.Info()
			if err == nil && info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s is %s", filepath.Base(path), info.Mode())
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}
