//go:build unix

package gitrepo_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/gitrepo"
)

// What the process in which TestOrphan begins a commit is told.
const (
	orphanRepo = "GITREPO_TEST_REPO"
	orphanGit  = "GITREPO_TEST_GIT"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(orphanRepo); dir != "" {
		if err := beginCommit(dir, os.Getenv(orphanGit)); err != nil {
			fmt.Println("error:", err)
		}
		os.Exit(1) // it should have been killed
	}
	os.Exit(m.Run())
}

func beginCommit(dir, program string) error {
	git, err := gitrepo.New(context.Background(), gitrepo.Options{Program: program})
	if err != nil {
		return err
	}
	repo, err := git.Open(dir)
	if err != nil {
		return err
	}
	_, _, err = repo.Commit(context.Background(), gitrepo.NewCommit{Message: "m\n", Author: "a", Email: "e", When: time.Unix(1, 0)})
	return err
}

// a process is killed while git makes a commit for it. As long as that git
// lives, nobody else changes the repository; then the next one does, and clears
// up first.
func TestOrphan(t *testing.T) {
	url, base, repo := remote(t, file("a", "a"))
	dir, pipes := strings.TrimPrefix(url, "file://"), t.TempDir()
	begun, goOn := filepath.Join(pipes, "begun"), filepath.Join(pipes, "go-on")
	for _, name := range []string{begun, goOn} {
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Skip("no named pipes here: ", err)
		}
	}
	slow := program(t, `case " $* " in *" commit-tree "*) echo yes >`+begun+`; read answer <`+goOn+`;; esac
exec "$GIT" "$@"`)
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), orphanRepo+"="+dir, orphanGit+"="+slow)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(begun); err != nil { // waits for git
		t.Fatal(err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	if left := scratches(t, dir); len(left) != 1 {
		t.Errorf("the killed process was at work in %v", left)
	}
	hasty, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	wanted := gitrepo.NewCommit{Base: base, Changes: []gitrepo.Change{file("b", "b")}, Message: "m\n", Author: "a", Email: "e", When: time.Unix(1, 0)}
	_, _, err := repo.Commit(hasty, wanted)
	wantKind(t, "while the orphan lives", err, gitrepo.Cancelled)
	if err := os.WriteFile(goOn, []byte("yes\n"), 0); err != nil {
		t.Fatal(err)
	}
	if _, _, err := repo.Commit(t.Context(), wanted); err != nil {
		t.Error(err)
	}
	if left := scratches(t, dir); len(left) != 0 {
		t.Errorf("%v was left behind", left)
	}
}

func scratches(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "launch-index-*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// what processes that were killed have left is removed by whoever comes next,
// and keeps nobody from anything.
func TestLeftovers(t *testing.T) {
	url, sha, repo := remote(t, file("a", "a"))
	dir := strings.TrimPrefix(url, "file://")
	leave := func(names ...string) {
		t.Helper()
		for _, name := range names {
			if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	gone := func(names ...string) {
		t.Helper()
		for _, name := range names {
			if _, err := os.Lstat(name); err == nil {
				t.Errorf("%s was left behind", filepath.Base(name))
			}
		}
	}
	scratch, object, lock := filepath.Join(dir, "launch-index-1/index.lock"), filepath.Join(dir, "objects/ab/tmp_obj_x"), filepath.Join(dir, "refs/heads/main.lock")
	leave(scratch, object, lock)
	next := commit(t, repo, sha, file("b", "b"))
	if err := repo.UpdateRef(t.Context(), "refs/heads/main", next, sha); err != nil {
		t.Error(err)
	}
	gone(scratch, object, lock)

	git, folder := newGit(t, gitrepo.Options{AllowLocal: true}), t.TempDir()
	cached := filepath.Join(folder, "site.git")
	unborn := cached + ".new-1/HEAD"
	leave(unborn)
	copied, err := git.Embedded(t.Context(), cached)
	if err != nil {
		t.Fatal(err)
	}
	gone(filepath.Dir(unborn))
	shallow, pack := filepath.Join(cached, "shallow.lock"), filepath.Join(cached, "objects/pack/tmp_pack_1")
	leave(shallow, pack)
	if err := copied.Fetch(t.Context(), url, next); err != nil {
		t.Error(err)
	}
	gone(shallow, pack)
}

// a fetch that was killed when it had the commit, and not yet said so, is made
// again.
func TestFetchIsFinished(t *testing.T) {
	url, sha, _ := remote(t, file("a", "a"))
	git, folder := newGit(t, gitrepo.Options{AllowLocal: true}), filepath.Join(t.TempDir(), "copy.git")
	copied, err := git.Embedded(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	raw(t, "file://"+folder, "", "fetch", "-q", "--no-write-fetch-head", url, sha)
	lock := filepath.Join(folder, "shallow.lock")
	if err := os.WriteFile(lock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := copied.Fetch(t.Context(), url, sha); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(lock); err == nil {
		t.Error("the lock was left behind")
	}
	if got, ok, err := copied.Resolve(t.Context(), "refs/launch/"+sha); got != sha || !ok || err != nil {
		t.Errorf("the commit is not kept: %s, %v", got, err)
	}
}
