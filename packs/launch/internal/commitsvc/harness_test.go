package commitsvc_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcpworks/internal/secret"
	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/commitsvc"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/patch"
)

const (
	token  = "tok-0123456789abcdef0123456789abcdef"
	runID  = "r_20260101T000000Z_acme_0123abcd"
	branch = "launch/acme/0123456/0123abcd"
	site   = "urn:launcher:site:default"
)

// A clock is moved by hand.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// A service is a real one on a bare repository, behind a real port.
type service struct {
	server *commitsvc.Server
	http   *httptest.Server
	site   commitsvc.Site
	dir    string
	clock  *clock
	waits  []time.Duration
	base   string
}

func openServer(dir string, now func() time.Time, change func(*commitsvc.Config)) (*commitsvc.Server, commitsvc.Site, error) {
	git, err := gitrepo.New(context.Background(), gitrepo.Options{AllowLocal: true})
	if err != nil {
		return nil, commitsvc.Site{}, err
	}
	here := commitsvc.Site{Name: "default", Dir: filepath.Join(dir, "remotes", "default.git")}
	config := commitsvc.Config{
		Dir: filepath.Join(dir, "commits"), Git: git, Now: now,
		Sites: func(url string) (commitsvc.Site, bool) { return here, url == site },
		Verify: commitsvc.Tokens(
			commitsvc.Token{Secret: secret.New(token), Grant: commitsvc.Grant{Scopes: []string{commitsvc.ScopeCommit, commitsvc.ScopeOpenPR}}},
			commitsvc.Token{Secret: secret.New("read-only-token-0001"), Grant: commitsvc.Grant{}},
			commitsvc.Token{Secret: secret.New("old-token-00000001"), Grant: commitsvc.Grant{Scopes: []string{commitsvc.ScopeCommit}, Expires: time.Unix(1, 0)}},
		),
	}
	if change != nil {
		change(&config)
	}
	server, err := commitsvc.New(config)
	return server, here, err
}

func serve(t *testing.T, change func(*commitsvc.Config)) *service {
	t.Helper()
	s := &service{dir: t.TempDir(), clock: &clock{time.Date(2026, 1, 1, 0, 0, 1, 0, time.UTC)}}
	var err error
	if s.server, s.site, err = openServer(s.dir, s.clock.now, change); err != nil {
		t.Fatal(err)
	}
	s.http = httptest.NewServer(s.server)
	t.Cleanup(func() { s.http.Close(); s.server.Close() })
	s.base = s.commitTo(t, "content/docs/_index.md", "# Docs\n\n## Related Links\n")
	return s
}

func (s *service) git(t *testing.T, args ...string) string {
	t.Helper()
	out, err := gitOutput(s.site.Dir, args...)
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return out
}

func gitOutput(dir string, args ...string) (string, error) {
	command := exec.Command("git", append([]string{"--git-dir=" + dir}, args...)...)
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := command.Output()
	return strings.TrimSpace(string(out)), err
}

func (s *service) repo(t *testing.T) *gitrepo.Repo {
	t.Helper()
	git, err := gitrepo.New(t.Context(), gitrepo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(s.site.Dir), 0o700); err != nil {
		t.Fatal(err)
	}
	repo, err := git.Embedded(t.Context(), s.site.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

// commitTo moves the site's own branch on.
func (s *service) commitTo(t *testing.T, path, content string) string {
	t.Helper()
	sha, err := moveMain(t.Context(), s.repo(t), path, content)
	if err != nil {
		t.Fatal(err)
	}
	return sha
}

func moveMain(ctx context.Context, repo *gitrepo.Repo, path, content string) (string, error) {
	tip, _, err := repo.Resolve(ctx, "refs/heads/main")
	if err != nil {
		return "", err
	}
	sha, _, err := repo.Commit(ctx, gitrepo.NewCommit{
		Base: tip, Changes: []gitrepo.Change{{Path: path, Content: []byte(content)}}, Message: "site\n", Author: "a", Email: "a@site.invalid", When: time.Unix(1000, 0),
	})
	if err != nil {
		return "", err
	}
	return sha, repo.UpdateRef(ctx, "refs/heads/main", sha, tip)
}

// client talks to the service, and waits in no time at all.
func (s *service) client(t *testing.T, change func(*commitsvc.ClientConfig)) *commitsvc.Client {
	t.Helper()
	config := commitsvc.ClientConfig{URL: s.http.URL, Token: secret.New(token), Wait: func(_ context.Context, d time.Duration) error {
		s.waits = append(s.waits, d)
		return nil
	}}
	if change != nil {
		change(&config)
	}
	client, err := commitsvc.NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// request is a commit of one new page and one link.
func request(base string) (commitsvc.CommitRequest, error) { return requestFor(base, "# Start\n") }

func requestFor(base, page string) (commitsvc.CommitRequest, error) {
	patches := []artifact.Patch{
		{Type: patch.CreateFile, Path: "content/docs/start.md", Origin: patch.OriginDraft, NewContent: &page},
	}
	bundle, _, err := patch.Seal(emptyTree{}, base, patches, patch.Rules{})
	return commitsvc.CommitRequest{
		SchemaVersion: commitsvc.Version, RunID: runID, IdempotencyKey: commitsvc.Key(commitsvc.ForCommit, runID, bundle.TreeHashAfter),
		RepoURL: site, BaseRef: base, BranchName: branch, AllowedPaths: []string{"content/docs/"},
		CommitMessage: "Launch: Acme", CommitBody: "Pages of Acme.", PatchBundle: bundle,
	}, err
}

func (s *service) request(t *testing.T) commitsvc.CommitRequest {
	t.Helper()
	r, err := request(s.base)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// emptyTree is a site without the files that are asked for.
type emptyTree struct{}

func (emptyTree) Decide(string) error { return nil }
func (emptyTree) Read(string, int64) ([]byte, error) {
	return nil, fmt.Errorf("read: %w", os.ErrNotExist)
}
func (emptyTree) Names(string) ([]string, error) { return nil, nil }

func prRequest(of commitsvc.CommitRequest) commitsvc.OpenPRRequest {
	return commitsvc.OpenPRRequest{
		SchemaVersion: commitsvc.Version, RunID: of.RunID, IdempotencyKey: commitsvc.Key(commitsvc.ForOpenPR, of.RunID, of.PatchBundle.TreeHashAfter),
		RepoURL: of.RepoURL, BaseRef: of.BaseRef, BranchName: of.BranchName, Title: "Launch: Acme", Body: "All about it.",
	}
}

func failure(t *testing.T, err error) *commitsvc.Failure {
	t.Helper()
	failed, ok := errors.AsType[*commitsvc.Failure](err)
	if !ok {
		t.Fatalf("the error is %v", err)
	}
	return failed
}

// once checks that there is one branch with one commit more than the base.
func (s *service) once(t *testing.T, sha string) {
	t.Helper()
	if got := s.git(t, "for-each-ref", "--format=%(refname)", "refs/heads/launch/"); got != "refs/heads/"+branch {
		t.Errorf("branches: %q", got)
	}
	if got := s.git(t, "rev-list", s.base+".."+branch); got != sha {
		t.Errorf("commits on the branch: %q, answered was %s", got, sha)
	}
}

// a status that a proxy in front of the service gives.
func answering(status int, header map[string]string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for name, value := range header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
	}
}

// writeFile returns the name of a file that holds the text.
func writeFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func mktree(t *testing.T, s *service, entries string) string {
	t.Helper()
	command := exec.Command("git", "--git-dir="+s.site.Dir, "mktree")
	command.Stdin = strings.NewReader(entries)
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
