package commitsvc_test

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/commitsvc"
	"mcpworks/packs/launch/internal/commitsvc/inprocess"
	"mcpworks/packs/launch/internal/patch"
)

// the vector of 11.2.
func TestKey(t *testing.T) {
	if got := commitsvc.Key(commitsvc.ForCommit, runID, strings.Repeat("a", 64)); got != "e2e625b3-57bd-44c8-98f1-588bfa1842d2" {
		t.Errorf("the key is %s", got)
	}
}

// S-12, C-31: a real branch with exactly the bundle's changes, and a record of
// the pull request.
func TestCommitAndOpen(t *testing.T) {
	s := serve(t, nil)
	client, asked := s.client(t, nil), s.request(t)
	if err := client.Health(t.Context()); err != nil {
		t.Fatal(err)
	}
	made, err := client.Commit(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	s.once(t, made.CommitSHA)
	if got := s.git(t, "diff", "--name-status", s.base, branch); got != "A\tcontent/docs/start.md" {
		t.Errorf("changes: %q", got)
	}
	if got := s.git(t, "log", "-1", "--format=%an <%ae> %ad|%B", "--date=iso-strict", branch); got != "launcher <launcher@site.invalid> 2026-01-01T00:00:00+00:00|Launch: Acme\n\nPages of Acme.\n\nLaunch-Run: "+runID {
		t.Errorf("commit: %q", got)
	}
	opened, err := client.OpenPR(t.Context(), prRequest(asked))
	if err != nil || opened.URL != "urn:launcher:pr:default:1" || *opened.Number != 1 {
		t.Fatalf("%+v, %v", opened, err)
	}
	records, err := s.site.PullRequests()
	want := []commitsvc.PullRequest{{
		Number: 1, Branch: branch, Base: s.base, Title: "Launch: Acme", Body: "All about it.", State: "open", RunID: runID, CreatedAt: "2026-01-01T00:00:01.000Z",
	}}
	if diff := cmp.Diff(want, records); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// 11.2: what was answered is answered again, for 24 hours by the note and after
// that by the branch itself. Another request with the key is refused.
func TestSameKey(t *testing.T) {
	s := serve(t, nil)
	client, asked := s.client(t, nil), s.request(t)
	first, err := client.Commit(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	s.clock.at = s.clock.at.Add(23 * time.Hour)
	s.commitTo(t, "content/other.md", "the site moves on\n")
	again, err := client.Commit(t.Context(), asked)
	if diff := cmp.Diff(first, again); diff != "" || err != nil {
		t.Error(diff, err)
	}
	other := asked
	other.CommitMessage = "something else"
	_, err = client.Commit(t.Context(), other)
	if failed := failure(t, err); failed.Code != commitsvc.IdempotencyMismatch || failed.Status != http.StatusConflict || failed.Retryable() {
		t.Errorf("%+v", failed)
	}
	agreed := asked
	agreed.Governance = &commitsvc.Governance{Approval: commitsvc.Approval{Approved: true, Source: "manual-marker", Timestamp: "now"}}
	if again, err := client.Commit(t.Context(), agreed); err != nil || again != first {
		t.Errorf("who agreed makes another request: %v", err)
	}
	s.clock.at = s.clock.at.Add(2 * time.Hour)
	late, err := client.Commit(t.Context(), asked)
	if err != nil || late.CommitSHA != first.CommitSHA {
		t.Errorf("after the key has expired: %+v, %v", late, err)
	}
	s.once(t, first.CommitSHA)
}

// 11.4: of many at once one makes the branch, and all get the same answer.
func TestManyAtOnce(t *testing.T) {
	s := serve(t, nil)
	asked := s.request(t)
	shas, numbers := make([]string, 6), make([]int, 6)
	var wg sync.WaitGroup
	for i := range shas {
		client := s.client(t, nil)
		wg.Go(func() {
			made, err := client.Commit(t.Context(), asked)
			if err != nil {
				t.Error(err)
				return
			}
			opened, err := client.OpenPR(t.Context(), prRequest(asked))
			if err != nil {
				t.Error(err)
				return
			}
			shas[i], numbers[i] = made.CommitSHA, *opened.Number
		})
	}
	wg.Wait()
	for i := range shas {
		if shas[i] != shas[0] || numbers[i] != 1 {
			t.Errorf("%s is number %d", shas[i], numbers[i])
		}
	}
	s.once(t, shas[0])
}

// 11.2, S-16, R-12: what is refused, with which code, and nothing is left of it.
func TestRefusals(t *testing.T) {
	s := serve(t, nil)
	text := func(s string) *string { return &s }
	patches := func(list ...artifact.Patch) func(*commitsvc.CommitRequest) {
		return func(r *commitsvc.CommitRequest) {
			for i := range list {
				list[i].Origin = patch.OriginDraft
			}
			bundle, _, err := patch.Seal(emptyTree{}, s.base, list, patch.Rules{})
			if err != nil {
				t.Fatal(err)
			}
			r.PatchBundle = bundle
		}
	}
	create := func(path, content string) func(*commitsvc.CommitRequest) {
		return patches(artifact.Patch{Type: patch.CreateFile, Path: path, NewContent: text(content)})
	}
	content := func(new string) func(*commitsvc.CommitRequest) {
		return func(r *commitsvc.CommitRequest) {
			r.PatchBundle.Patches[0].NewContent, r.PatchBundle.Patches[0].ContentHash = &new, patch.Hash(new)
		}
	}
	for name, test := range map[string]struct {
		change func(*commitsvc.CommitRequest)
		code   string
	}{
		"outside":        {create("content/blog/start.md", "x\n"), commitsvc.PathNotAllowed},
		"same prefix":    {create("content/docs2/start.md", "x\n"), commitsvc.PathNotAllowed},
		"up":             {create("content/docs/../../x.md", "x\n"), commitsvc.PathNotAllowed},
		"absolute":       {create("/etc/x.md", "x\n"), commitsvc.PathNotAllowed},
		"git":            {create("content/docs/.git/config", "x\n"), commitsvc.PathNotAllowed},
		"letter case":    {create("content/docs/_INDEX.md", "x\n"), commitsvc.PathNotAllowed},
		"exists":         {create("content/docs/_index.md", "x\n"), commitsvc.PatchConflict},
		"other tree":     {func(r *commitsvc.CommitRequest) { r.PatchBundle.TreeHashAfter = strings.Repeat("b", 64) }, commitsvc.PatchConflict},
		"binary":         {content("a\x00b"), commitsvc.BinaryNotAllowed},
		"too large":      {content(strings.Repeat("x\n", 300_000)), commitsvc.TooLarge},
		"body too large": {func(r *commitsvc.CommitRequest) { r.CommitBody = strings.Repeat("x", 17<<20) }, commitsvc.TooLarge},
		"no paths":       {func(r *commitsvc.CommitRequest) { r.AllowedPaths = nil }, commitsvc.InvalidRequest},
		"whole site":     {func(r *commitsvc.CommitRequest) { r.AllowedPaths = []string{"**"} }, commitsvc.InvalidRequest},
		"key":            {func(r *commitsvc.CommitRequest) { r.IdempotencyKey = "1" }, commitsvc.KeyInvalid},
		"run":            {func(r *commitsvc.CommitRequest) { r.RunID = "../../x" }, commitsvc.InvalidRequest},
		"site":           {func(r *commitsvc.CommitRequest) { r.RepoURL = "https://elsewhere.example/x" }, commitsvc.InvalidRequest},
		"branch":         {func(r *commitsvc.CommitRequest) { r.BranchName = "main" }, commitsvc.InvalidRequest},
		"branch option":  {func(r *commitsvc.CommitRequest) { r.BranchName = "launch/--force" }, commitsvc.InvalidRequest},
		"message":        {func(r *commitsvc.CommitRequest) { r.CommitMessage = " " }, commitsvc.InvalidRequest},
		"nothing":        {patches(), commitsvc.InvalidRequest},
		"unknown base": {func(r *commitsvc.CommitRequest) {
			r.BaseRef, r.PatchBundle.BaseSHA = strings.Repeat("1", 40), strings.Repeat("1", 40)
		}, commitsvc.BaseMoved},
		"denied":           {func(r *commitsvc.CommitRequest) { r.Governance = &commitsvc.Governance{} }, commitsvc.ApprovalDenied},
		"not a commit":     {func(r *commitsvc.CommitRequest) { r.BaseRef = "refs heads" }, commitsvc.InvalidRequest},
		"two bases":        {func(r *commitsvc.CommitRequest) { r.BaseRef = strings.Repeat("2", 40) }, commitsvc.InvalidRequest},
		"base has no name": {func(r *commitsvc.CommitRequest) { r.BaseRef = "release" }, commitsvc.BaseMoved},
	} {
		asked := s.request(t)
		test.change(&asked)
		_, err := s.client(t, nil).Commit(t.Context(), asked)
		if failed := failure(t, err); failed.Code != test.code {
			t.Errorf("%s: %v", name, failed)
		}
	}
	if got := s.git(t, "for-each-ref", "refs/heads/launch"); got != "" {
		t.Errorf("branches: %s", got)
	}
}

// 9.1: nothing is written over, or through, a link of the base.
func TestLinksInTheBase(t *testing.T) {
	s := serve(t, nil)
	s.base = linked(t, s)
	for name, path := range map[string]string{"over it": "content/docs/link.md", "through it": "content/docs/link.md/x.md"} {
		page := "x\n"
		bundle, _, err := patch.Seal(emptyTree{}, s.base, []artifact.Patch{{Type: patch.CreateFile, Path: path, Origin: patch.OriginDraft, NewContent: &page}}, patch.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		asked := s.request(t)
		asked.PatchBundle = bundle
		_, err = s.client(t, nil).Commit(t.Context(), asked)
		if failed := failure(t, err); failed.Code != commitsvc.PathNotAllowed && failed.Code != commitsvc.PatchConflict {
			t.Errorf("%s: %v", name, failed)
		}
	}
}

// linked puts a symbolic link into the site.
func linked(t *testing.T, s *service) string {
	t.Helper()
	blob := s.git(t, "hash-object", "-w", "--", writeFile(t, "/etc"))
	folder := s.git(t, "rev-parse", "main:content/docs")
	entries := s.git(t, "ls-tree", folder) + "\n120000 blob " + blob + "\tlink.md\n"
	docs := mktree(t, s, entries)
	content := mktree(t, s, "040000 tree "+docs+"\tdocs\n")
	root := mktree(t, s, "040000 tree "+content+"\tcontent\n")
	sha := s.git(t, "-c", "user.name=a", "-c", "user.email=a@site.invalid", "commit-tree", root, "-p", "main", "-m", "link")
	s.git(t, "update-ref", "refs/heads/main", sha)
	return sha
}

// C-29, 11.3: a branch that holds something else is not touched.
func TestForeignBranch(t *testing.T) {
	s := serve(t, nil)
	s.git(t, "update-ref", "refs/heads/"+branch, s.base)
	asked := s.request(t)
	_, err := s.client(t, nil).Commit(t.Context(), asked)
	if failed := failure(t, err); failed.Code != commitsvc.BranchExists || failed.Resumable() {
		t.Errorf("%v", failed)
	}
	if _, err = s.client(t, nil).OpenPR(t.Context(), prRequest(asked)); failure(t, err).Code != commitsvc.BranchExists {
		t.Errorf("%v", err)
	}
	asked.AllowExistingBranch = true
	if _, err = s.client(t, nil).Commit(t.Context(), asked); failure(t, err).Code != commitsvc.BranchExists {
		t.Errorf("%v", err)
	}
	if got := s.git(t, "rev-parse", branch); got != s.base {
		t.Errorf("the branch is at %s", got)
	}
}

// 11.2: the run's own branch can be moved on, if that is asked for.
func TestOwnBranch(t *testing.T) {
	s := serve(t, nil)
	client := s.client(t, nil)
	first, err := client.Commit(t.Context(), s.request(t))
	if err != nil {
		t.Fatal(err)
	}
	changed, err := requestFor(s.base, "# Better\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Commit(t.Context(), changed); failure(t, err).Code != commitsvc.BranchExists {
		t.Errorf("%v", err)
	}
	changed.AllowExistingBranch = true
	second, err := client.Commit(t.Context(), changed)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.git(t, "rev-list", s.base+".."+branch); got != second.CommitSHA+"\n"+first.CommitSHA {
		t.Errorf("commits: %s", got)
	}
	if got := s.git(t, "show", branch+":content/docs/start.md"); got != "# Better" {
		t.Errorf("page: %s", got)
	}
}

// 11.2: a site that has moved on is said to have, unless that does not matter.
func TestBaseMoved(t *testing.T) {
	s := serve(t, nil)
	asked := s.request(t)
	s.commitTo(t, "content/other.md", "news\n")
	_, err := s.client(t, nil).Commit(t.Context(), asked)
	if failed := failure(t, err); failed.Code != commitsvc.BaseMoved || !failed.Resumable() || failed.ErrorCode() != "COMMIT_SERVICE_CONFLICT" {
		t.Errorf("%v", failed)
	}
	no := false
	asked.RequireCleanBase = &no
	if _, err := s.client(t, nil).Commit(t.Context(), asked); err != nil {
		t.Error(err)
	}
}

// 11.4: a site with a remote is fetched, and nothing is pushed back.
func TestRemote(t *testing.T) {
	far := serve(t, nil)
	s := serve(t, nil)
	here := s.site
	here.Remote = "file://" + far.site.Dir
	far.commitTo(t, "content/docs/_index.md", "# Far\n")
	s.base = far.git(t, "rev-parse", "main")
	server, _, err := openServer(s.dir, s.clock.now, func(c *commitsvc.Config) {
		c.Sites = func(string) (commitsvc.Site, bool) { return here, true }
		c.PRBase = "https://sites.example/far/"
	})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client := s.client(t, func(c *commitsvc.ClientConfig) { c.Transport = inprocess.Transport(server) })
	asked := s.request(t)
	made, err := client.Commit(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	if opened, err := client.OpenPR(t.Context(), prRequest(asked)); err != nil || opened.URL != "https://sites.example/far/pr/1" {
		t.Errorf("%+v, %v", opened, err)
	}
	s.once(t, made.CommitSHA)
	if got := far.git(t, "for-each-ref", "refs/heads/launch"); got != "" {
		t.Errorf("pushed: %s", got)
	}
	far.commitTo(t, "content/docs/_index.md", "# Further\n")
	other := asked
	other.BranchName, other.IdempotencyKey = branch+"2", commitsvc.Key(commitsvc.ForCommit, runID, "2")
	if _, err := client.Commit(t.Context(), other); failure(t, err).Code != commitsvc.BaseMoved {
		t.Errorf("%v", err)
	}
}

// 11.4: the author of a run is the commit's, with the same handler in process.
func TestAuthor(t *testing.T) {
	s := serve(t, nil)
	client := s.client(t, func(c *commitsvc.ClientConfig) {
		c.URL, c.Transport = "https://commit.invalid", inprocess.Transport(s.server)
	})
	ctx := commitsvc.WithAuthor(t.Context(), commitsvc.Author{Name: "Ada", Email: "ada@site.invalid", When: time.Unix(5000, 0)})
	if _, err := client.Commit(ctx, s.request(t)); err != nil {
		t.Fatal(err)
	}
	if got := s.git(t, "log", "-1", "--format=%an %ae %at %cn", branch); got != "Ada ada@site.invalid 5000 Ada" {
		t.Error(got)
	}
}

// 11.3: an approval is wanted where it is configured.
func TestApproval(t *testing.T) {
	s := serve(t, func(c *commitsvc.Config) { c.RequireApproval = true })
	asked := s.request(t)
	_, err := s.client(t, nil).Commit(t.Context(), asked)
	if failed := failure(t, err); failed.ErrorCode() != commitsvc.ApprovalRequired || !failed.Blocked() {
		t.Errorf("%v", failed)
	}
	asked.Governance = &commitsvc.Governance{Approval: commitsvc.Approval{Approved: true, Source: "interactive-dialog"}}
	if _, err := s.client(t, nil).Commit(t.Context(), asked); err != nil {
		t.Error(err)
	}
}

// A machine that loses its power can leave an empty reply: it counts as none, and
// the commit that was made is found.
func TestEmptyReply(t *testing.T) {
	s := serve(t, nil)
	request := s.request(t)
	first, err := s.client(t, nil).Commit(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	emptied := 0
	err = filepath.WalkDir(filepath.Join(s.dir, "commits", "idempotency"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		emptied++
		return os.WriteFile(path, nil, 0o600)
	})
	if err != nil || emptied != 1 {
		t.Fatalf("%d replies, %v", emptied, err)
	}
	if again, err := s.client(t, nil).Commit(t.Context(), request); err != nil || again.CommitSHA != first.CommitSHA {
		t.Errorf("%+v, %v", again, err)
	}
}

// 9.1: files that cannot stand beside each other are refused here too, whoever
// has sealed them.
func TestCollidingPaths(t *testing.T) {
	for _, pair := range [][2]string{{"content/docs/a.md", "content/docs/A.md"}, {"content/docs/x", "content/docs/x/b.md"}} {
		s := serve(t, nil)
		request := s.request(t)
		var patches []artifact.Patch
		for _, path := range pair {
			text := "x\n"
			patches = append(patches, artifact.Patch{Type: patch.CreateFile, Path: path, NewContent: &text, Origin: "draft"})
		}
		if err := patch.Number(patches); err != nil {
			t.Fatal(err)
		}
		request.PatchBundle.Patches, request.AllowedPaths = patches, []string{"content/docs/"}
		_, err := s.client(t, nil).Commit(t.Context(), request)
		if failed := (*commitsvc.Failure)(nil); !errors.As(err, &failed) || failed.Code != commitsvc.PatchConflict {
			t.Errorf("%v: %v", pair, err)
		}
	}
}

// 11.4: the folder of the repositories is made when it is first needed.
func TestFirstUse(t *testing.T) {
	s := serve(t, nil)
	request := s.request(t)
	if err := os.RemoveAll(filepath.Dir(s.site.Dir)); err != nil {
		t.Fatal(err)
	}
	_, err := s.client(t, nil).Commit(t.Context(), request)
	if failed := failure(t, err); failed.Code != commitsvc.BaseMoved { // the base went with it
		t.Error(failed)
	}
}
