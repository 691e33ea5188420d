package gitrepo_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/gitrepo"
)

func newGit(t *testing.T, options gitrepo.Options) *gitrepo.Git {
	t.Helper()
	git, err := gitrepo.New(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	return git
}

// remote makes a bare repository with one commit after the first, and returns
// its address and that commit.
func remote(t *testing.T, changes ...gitrepo.Change) (url, sha string, repo *gitrepo.Repo) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "remote.git")
	repo, err := newGit(t, gitrepo.Options{}).Embedded(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	base, _, err := repo.Resolve(t.Context(), "refs/heads/main")
	if err != nil {
		t.Fatal(err)
	}
	sha = commit(t, repo, base, changes...)
	if err := repo.UpdateRef(t.Context(), "refs/heads/main", sha, base); err != nil {
		t.Fatal(err)
	}
	return "file://" + dir, sha, repo
}

func commit(t *testing.T, repo *gitrepo.Repo, base string, changes ...gitrepo.Change) string {
	t.Helper()
	sha, _, err := repo.Commit(t.Context(), gitrepo.NewCommit{
		Base: base, Changes: changes, Message: "change\n", Author: "a", Email: "a@b.example", When: time.Unix(1000, 0),
	})
	if err != nil {
		t.Fatal(err)
	}
	return sha
}

func file(path, content string) gitrepo.Change {
	return gitrepo.Change{Path: path, Content: []byte(content)}
}

// raw runs git on a remote as its owner would.
func raw(t *testing.T, url, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"--git-dir=" + strings.TrimPrefix(url, "file://")}, args...)...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=e",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=e")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

func wantKind(t *testing.T, what string, err error, want gitrepo.Kind) {
	t.Helper()
	if gitrepo.KindOf(err) != want {
		t.Errorf("%s: got %v, want kind %q", what, err, want)
	}
}

// 6.1, C-26: every kind of ref becomes a commit.
func TestFetchResolves(t *testing.T) {
	url, sha, repo := remote(t, file("README.md", "# Acme\n"))
	branched := commit(t, repo, sha, file("b.txt", "b"))
	for ref, target := range map[string]string{"refs/heads/feature/x": branched, "refs/tags/v1.2.0": sha, "refs/tags/v1.10.0": sha, "refs/tags/v2.0.0-rc1": sha} {
		if err := repo.UpdateRef(t.Context(), ref, target, ""); err != nil {
			t.Fatal(err)
		}
	}
	raw(t, url, "", "tag", "-a", "-m", "annotated", "stable", branched)
	cache := gitrepo.NewCache(newGit(t, gitrepo.Options{AllowLocal: true}), filepath.Join(t.TempDir(), "cache"))
	for ref, want := range map[string]string{"": sha, "HEAD": sha, "main": sha, "feature/x": branched, "v1.2.0": sha, "stable": branched, sha: sha, branched: branched, "refs/heads/main": sha} {
		got, err := cache.Fetch(t.Context(), url, ref)
		if err != nil || got.SHA != want || got.Refs.DefaultBranch != "main" || got.Refs.LatestTag() != "v1.10.0" {
			t.Errorf("Fetch(%q) = %s %s %s, %v, want %s", ref, got.SHA, got.Refs.DefaultBranch, got.Refs.LatestTag(), err, want)
		}
	}
	for ref, kind := range map[string]gitrepo.Kind{
		strings.Repeat("0", 40): gitrepo.UnknownRef, strings.Repeat("1", 40): gitrepo.UnknownRef, "nowhere": gitrepo.UnknownRef,
		"--upload-pack=x": gitrepo.UnknownRef, "a..b": gitrepo.UnknownRef, "main^": gitrepo.UnknownRef,
	} {
		_, err := cache.Fetch(t.Context(), url, ref)
		wantKind(t, ref, err, kind)
	}
}

// 8.3, 6.1: what is refused before git starts, and what is not there.
func TestFetchRefuses(t *testing.T) {
	url, _, _ := remote(t)
	closed := gitrepo.NewCache(newGit(t, gitrepo.Options{}), t.TempDir())
	open := gitrepo.NewCache(newGit(t, gitrepo.Options{AllowLocal: true}), t.TempDir())
	for _, tc := range []struct {
		cache *gitrepo.Cache
		url   string
		kind  gitrepo.Kind
	}{
		{closed, url, gitrepo.Refused}, {closed, strings.TrimPrefix(url, "file://"), gitrepo.Refused},
		{open, "ext::sh -c true", gitrepo.Refused}, {open, "ext::true", gitrepo.Refused}, {open, "ssh://git@host.invalid/x", gitrepo.Refused},
		{open, "git@host.invalid:x", gitrepo.Refused}, {open, "http://host.invalid/x", gitrepo.Refused}, {open, "--upload-pack=x", gitrepo.Refused},
		{open, "https://host.invalid/a b", gitrepo.Refused}, {open, url + "-absent", gitrepo.NotFound},
	} {
		_, err := tc.cache.Fetch(t.Context(), tc.url, "")
		wantKind(t, tc.url, err, tc.kind)
	}
}

func TestFetchOfNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "empty.git")
	if err := exec.Command("git", "init", "--quiet", "--bare", dir).Run(); err != nil {
		t.Fatal(err)
	}
	_, err := gitrepo.NewCache(newGit(t, gitrepo.Options{AllowLocal: true}), t.TempDir()).Fetch(t.Context(), "file://"+dir, "")
	wantKind(t, "empty", err, gitrepo.Empty)
}

// 8.3: addresses that are not public.
func TestOnlyPublic(t *testing.T) {
	hosts := map[string]string{"public.example": "93.184.216.34", "private.example": "10.0.0.1", "local.example": "::ffff:127.0.0.1", "meta.example": "169.254.169.254", "cgn.example": "100.64.1.1"}
	admit := gitrepo.OnlyPublic(func(_ context.Context, _, host string) ([]netip.Addr, error) {
		if hosts[host] == "" {
			return nil, errors.New("no such host")
		}
		return []netip.Addr{netip.MustParseAddr(hosts[host])}, nil
	}, []string{"listed.example"})
	for url, admitted := range map[string]bool{
		"https://public.example/a/b": true, "https://listed.example/a/b": true, "file:///x": true, "https://absent.example/x": false,
		"https://private.example/a/b": false, "https://LOCAL.example/a/b": false, "https://meta.example/": false, "https://cgn.example/": false,
	} {
		if err := admit(t.Context(), url); (err == nil) != admitted {
			t.Errorf("%s: %v", url, err)
		}
	}
	git := newGit(t, gitrepo.Options{Admit: admit})
	_, err := git.LsRemote(t.Context(), "https://private.example/a/b")
	wantKind(t, "private", err, gitrepo.Refused)
	_, err = git.LsRemote(t.Context(), "https://absent.example/a/b")
	wantKind(t, "absent", err, gitrepo.Network)
}

// program makes a git of a shell script, which has the real one as $GIT.
func program(t *testing.T, script string) string {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "git")
	if err := os.WriteFile(path, []byte("#!/bin/sh\nGIT="+real+"\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// 15.1, R-19: one fetch per address at a time, and one in all if that is enough.
func TestOneFetchPerAddress(t *testing.T) {
	url, sha, _ := remote(t, file("a", "a"))
	log := filepath.Join(t.TempDir(), "log")
	options := gitrepo.Options{AllowLocal: true, Program: program(t, `case " $* " in *" fetch "*) echo start >>`+log+`; "$GIT" "$@"; code=$?; echo end >>`+log+`; exit $code;; esac
exec "$GIT" "$@"`)}
	dir := t.TempDir()
	caches := []*gitrepo.Cache{gitrepo.NewCache(newGit(t, options), dir), gitrepo.NewCache(newGit(t, options), dir)} // as of two processes
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			got, err := caches[i%2].Fetch(t.Context(), url, "main")
			if err != nil || got.SHA != sha {
				t.Errorf("Fetch = %v, %v", got.SHA, err)
			}
		})
	}
	all.Wait()
	if text, err := os.ReadFile(log); err != nil || string(text) != "start\nend\n" {
		t.Errorf("fetches: %q, %v", text, err)
	}
}

// 6.1: full fetch where single commits are not given away.
func TestFallsBackToFullFetch(t *testing.T) {
	url, sha, _ := remote(t, file("a", "a"))
	git := newGit(t, gitrepo.Options{AllowLocal: true, Program: program(t, `case " $* " in *" --depth=1 "*) echo "error: Server does not allow request for unadvertised object" >&2; exit 128;; esac
exec "$GIT" "$@"`)})
	cache := gitrepo.NewCache(git, t.TempDir())
	if got, err := cache.Fetch(t.Context(), url, sha); err != nil || got.SHA != sha {
		t.Errorf("Fetch = %v, %v", got.SHA, err)
	}
	_, err := cache.Fetch(t.Context(), url, strings.Repeat("a", 40))
	wantKind(t, "absent commit", err, gitrepo.UnknownRef)
}

// 6.1: which failures are worth a retry.
func TestRetryable(t *testing.T) {
	for said, want := range map[string]gitrepo.Kind{
		"fatal: unable to access 'https://h/': Could not resolve host: h":                        gitrepo.Network,
		"fatal: unable to access 'https://h/': The requested URL returned error: 503":            gitrepo.Network,
		"error: RPC failed; HTTP 429 curl 22 The requested URL returned error: 429":              gitrepo.Network,
		"fatal: unable to access 'https://h/': Failed to connect to h: Connection timed out":     gitrepo.Network,
		"fatal: repository 'https://h/network/connection-timeout-429/' not found":                gitrepo.NotFound,
		"fatal: could not read Username for 'https://h': terminal prompts disabled":              gitrepo.NotFound,
		"fatal: remote error: upload-pack: not our ref 4290000000000000000000000000000000000503": gitrepo.UnknownRef,
		"fatal: something else": gitrepo.Failed,
	} {
		script := program(t, `case " $* " in *" ls-remote "*) cat <<'E' >&2
`+said+`
E
exit 128;; esac
exec "$GIT" "$@"`)
		_, err := newGit(t, gitrepo.Options{Program: script}).LsRemote(t.Context(), "https://h.example/x")
		wantKind(t, said, err, want)
		failed, _ := errors.AsType[*gitrepo.Error](err)
		if failed.Retryable() != (want == gitrepo.Network) || !strings.Contains(failed.Stderr, said) || strings.Contains(err.Error(), said) {
			t.Errorf("%q: %v, retryable %v", said, err, failed.Retryable())
		}
	}
}

// A cancelled call ends git and what git started.
func TestCancelKillsTheGroup(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := exec.Command("mkfifo", fifo).Run(); err != nil {
		t.Skip("no mkfifo here")
	}
	git := newGit(t, gitrepo.Options{Program: program(t, `case " $* " in *" ls-remote "*) (exec 3>`+fifo+`; sleep 1000) & wait;; esac
exec "$GIT" "$@"`)})
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() { _, err := git.LsRemote(ctx, "https://h.example/x"); result <- err }()
	held, err := os.Open(fifo) // opens when the child has opened its end
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	cancel()
	wantKind(t, "cancelled", <-result, gitrepo.Cancelled)
	if n, err := held.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("read %d, %v, want the end of a pipe that nobody holds", n, err)
	}
}

func TestTimeLimit(t *testing.T) {
	git := newGit(t, gitrepo.Options{Limits: gitrepo.Limits{LsRemote: time.Nanosecond}})
	_, err := git.LsRemote(t.Context(), "https://h.invalid/x")
	wantKind(t, "no time", err, gitrepo.TimedOut)
}

// What a killed fetch leaves behind does not stop the next one.
func TestFetchAfterCrash(t *testing.T) {
	url, sha, repo := remote(t, file("a", "a"))
	dir := t.TempDir()
	cache := gitrepo.NewCache(newGit(t, gitrepo.Options{AllowLocal: true}), dir)
	if _, err := cache.Fetch(t.Context(), url, ""); err != nil {
		t.Fatal(err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*.git"))
	for _, left := range []string{"shallow.lock", "objects/pack/tmp_pack_abc"} {
		if err := os.WriteFile(filepath.Join(names[0], left), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	next := commit(t, repo, sha, file("b", "b"))
	if err := repo.UpdateRef(t.Context(), "refs/heads/main", next, sha); err != nil {
		t.Fatal(err)
	}
	if got, err := cache.Fetch(t.Context(), url, "main"); err != nil || got.SHA != next {
		t.Errorf("Fetch = %v, %v", got.SHA, err)
	}
}

// 6.1: a fetch that goes on and on is ended.
func TestFetchOutgrows(t *testing.T) {
	url, _, _ := remote(t, file("a", "a"))
	git := newGit(t, gitrepo.Options{AllowLocal: true, Limits: gitrepo.Limits{Bytes: 1000}, Program: program(t, `for arg in "$@"; do case "$arg" in
--git-dir=*) dir="${arg#--git-dir=}";;
fetch) head -c 2000 /dev/zero >"$dir/objects/pack/tmp_pack_x"; sleep 1000;; esac; done
exec "$GIT" "$@"`)})
	_, err := gitrepo.NewCache(git, t.TempDir()).Fetch(t.Context(), url, "")
	wantKind(t, "endless fetch", err, gitrepo.TooLarge)
}

// 11.4: an embedded remote can get its base from a real one, and its files be
// read.
func TestFetchAndReadFiles(t *testing.T) {
	url, sha, _ := remote(t, file("a/b.md", "text\n"), file("empty", ""), file("large", strings.Repeat("x", 200)))
	repo, err := newGit(t, gitrepo.Options{AllowLocal: true}).Embedded(t.Context(), filepath.Join(t.TempDir(), "site.git"))
	if err != nil {
		t.Fatal(err)
	}
	if err := repo.Fetch(t.Context(), url, sha); err != nil {
		t.Fatal(err)
	}
	next := commit(t, repo, sha, file("a/b.md", "new\n"))
	got, err := repo.ReadFiles(t.Context(), next, []string{"a/b.md", "empty", "absent", "a"})
	if diff := cmp.Diff(map[string]string{"a/b.md": "new\n", "empty": ""}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	_, err = repo.ReadFiles(t.Context(), next, []string{"../x"})
	wantKind(t, "path", err, gitrepo.Refused)
	small := newGit(t, gitrepo.Options{Limits: gitrepo.Limits{Output: 100}})
	opened, err := small.Open(strings.TrimPrefix(url, "file://"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = opened.ReadFiles(t.Context(), sha, []string{"a/b.md", "large"})
	wantKind(t, "size", err, gitrepo.TooLarge)
}

func TestOpenOfNothing(t *testing.T) {
	_, err := newGit(t, gitrepo.Options{}).Open(t.TempDir())
	wantKind(t, "no repository", err, gitrepo.NotFound)
}

// The user's and the repository's own configuration and hooks have no say.
func TestNothingOfTheOutsideRuns(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "ran")
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[core]\n\tfsmonitor = touch "+mark+"\n[url \"https://elsewhere.invalid/\"]\n\tinsteadOf = file://\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("GIT_DIR", home)
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "core.hooksPath")
	t.Setenv("GIT_CONFIG_VALUE_0", home)
	url, sha, repo := remote(t, file("a", "a"))
	hooks := filepath.Join(strings.TrimPrefix(url, "file://"), "hooks")
	for _, dir := range []string{hooks, home} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, hook := range []string{"reference-transaction", "post-checkout", "pre-commit", "post-update"} {
			if err := os.WriteFile(filepath.Join(dir, hook), []byte("#!/bin/sh\ntouch "+mark+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := repo.UpdateRef(t.Context(), "refs/heads/other", sha, ""); err != nil {
		t.Fatal(err)
	}
	got, err := gitrepo.NewCache(newGit(t, gitrepo.Options{AllowLocal: true}), t.TempDir()).Fetch(t.Context(), url, "other")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := got.Repo.Checkout(t.Context(), sha, filepath.Join(t.TempDir(), "tree"), false); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("something ran")
	}
}

func TestOldGit(t *testing.T) {
	for version, ok := range map[string]bool{"git version 2.30.0": true, "git version 2.29.9": false, "git version 3.0": true, "git": false, "git version 1.99": false} {
		_, err := gitrepo.New(t.Context(), gitrepo.Options{Program: program(t, "echo "+version)})
		if (err == nil) != ok {
			t.Errorf("%s: %v", version, err)
		}
	}
	_, err := gitrepo.New(t.Context(), gitrepo.Options{Program: filepath.Join(t.TempDir(), "no-git")})
	wantKind(t, "no git", err, gitrepo.Missing)
}

// 11.4: equal commits have equal ids; a ref moves only from where it was.
func TestCommit(t *testing.T) {
	url, base, repo := remote(t, file("run.sh", "#!/bin/sh\n"), file("old.md", "old"), file("keep/me.md", "k"))
	raw(t, url, "", "update-ref", "refs/heads/x", base)
	tree := raw(t, url, "100755 blob "+raw(t, url, "", "rev-parse", base+":run.sh")+"\trun.sh\n100644 blob "+raw(t, url, "", "rev-parse", base+":old.md")+"\told.md\n", "mktree")
	withMode := raw(t, url, "m", "commit-tree", tree)
	changes := []gitrepo.Change{file("run.sh", "changed"), {Path: "old.md", Delete: true}, file("new/ümlaut.md", "n\r\n")}
	first := commit(t, repo, withMode, changes...)
	if again := commit(t, repo, withMode, changes...); again != first {
		t.Errorf("%s and %s differ", first, again)
	}
	if got := raw(t, url, "", "-c", "core.quotePath=false", "ls-tree", "-r", "--format=%(objectmode) %(path)", first); got != "100644 new/ümlaut.md\n100755 run.sh" {
		t.Errorf("tree:\n%s", got)
	}
	changed, err := repo.Changed(t.Context(), withMode, first)
	if diff := cmp.Diff([]string{"new/ümlaut.md", "old.md", "run.sh"}, changed); diff != "" || err != nil {
		t.Error(diff, err)
	}
	info, err := repo.Info(t.Context(), first)
	if err != nil || info.Message != "change\n" || len(info.Parents) != 1 || info.Parents[0] != withMode || len(info.Tree) != 40 {
		t.Errorf("Info = %+v, %v", info, err)
	}
	for _, path := range []string{"../x", "/x", ".git/config", "a/.GIT/x", "a//b", "", `a\b`, "a/../b", "a\nb"} {
		_, _, err := repo.Commit(t.Context(), gitrepo.NewCommit{Base: base, Changes: []gitrepo.Change{file(path, "x")}, Author: "a"})
		wantKind(t, path, err, gitrepo.Refused)
	}
}

func TestUpdateRefHasOneWinner(t *testing.T) {
	_, base, repo := remote(t)
	const ref = "refs/heads/launch/acme/0123abc/89abcdef"
	var mu sync.Mutex
	var winners []string
	var all sync.WaitGroup
	for i := range 8 {
		sha := commit(t, repo, base, file("n", fmt.Sprint(i)))
		all.Go(func() {
			switch err := repo.UpdateRef(t.Context(), ref, sha, ""); {
			case err == nil:
				mu.Lock()
				winners = append(winners, sha)
				mu.Unlock()
			default:
				wantKind(t, "loser", err, gitrepo.RefMoved)
			}
		})
	}
	all.Wait()
	got, ok, err := repo.Resolve(t.Context(), ref)
	if len(winners) != 1 || !ok || err != nil || got != winners[0] {
		t.Fatalf("winners %v, ref %s, %v", winners, got, err)
	}
	wantKind(t, "wrong old value", repo.UpdateRef(t.Context(), ref, base, base), gitrepo.RefMoved)
	branches, err := repo.Branches(t.Context(), "launch/acme/")
	if diff := cmp.Diff([]string{"launch/acme/0123abc/89abcdef"}, branches); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// 18.2: the first commit of an embedded remote is the same everywhere, also
// when several make it at once.
func TestEmbedded(t *testing.T) {
	git := newGit(t, gitrepo.Options{})
	shared := filepath.Join(t.TempDir(), "remotes", "default.git")
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			repo, err := git.Embedded(t.Context(), shared)
			if err != nil {
				t.Error(err)
				return
			}
			sha, ok, err := repo.Resolve(t.Context(), "refs/heads/main")
			if want := "b24e58465ee2a09b394a905ab53bbc8ebddae773"; !ok || err != nil || sha != want {
				t.Errorf("main is %s (%v), want %s", sha, err, want)
			}
		})
	}
	all.Wait()
}
